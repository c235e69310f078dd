import assert from 'node:assert/strict';
import type { Decision } from '../../sim/decisions.ts';
import { simulate } from '../../sim/simulate.ts';
import type { View } from '../../sim/view.ts';
import { close } from '../support/close.ts';
import { flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { scripted, start } from '../support/scripted.ts';

// By hand: a flat job of 100 s has its clock set to half at 40 s. The old clock holds for 30 ms more;
// then 59.97 s of work are left, at half speed 119.94 s: it ends at 159.97 s, and took 40.03 s * 300 W
// + 119.94 s * 175 W = 12,009 + 20,989.5 J.

function setClock(clockMhz: number): Decision {
  return { kind: 'set-clock', gpu: 0, clockMhz };
}

function begin(view: View): Decision[] {
  return [start(view, 0, [0])];
}

describe('simulate: clocks and caps', () => {
  it('runs a job on at the old clock until a change in mid-job has settled', () => {
    const policy = scripted([
      [0, begin],
      [40, () => [setClock(500)]],
    ]);
    const row = simulate(worldOf({}), policy).jobRow(0);
    close(row.endS, 159.97);
    close(row.energyJ, 32_998.5);
    close(row.slowdown, 1.5997);
  });

  it('takes the transition time from the options, and changes at once when that is 0', () => {
    const policy = (): ReturnType<typeof scripted> =>
      scripted([
        [0, begin],
        [40, () => [setClock(500)]],
      ]);
    const at = (clockTransition: number): number =>
      simulate(worldOf({ options: { costs: { clockTransition } } }), policy()).jobRow(0).endS;
    close(at(0), 160);
    // 20 s more at full clock: 40 s of work are left, at half speed 80 s.
    close(at(20), 140);
  });

  it('raises clock and power above the reference', () => {
    // Clock 1.2 from 0.03 s on: 99.97 s of work at 1.2, at 482 W.
    const policy = scripted([[0, (view) => [setClock(1200), start(view, 0, [0])]]]);
    const row = simulate(worldOf({}), policy).jobRow(0);
    close(row.endS, 0.03 + 99.97 / 1.2);
    close(row.energyJ, 0.03 * 300 + (99.97 / 1.2) * 482);
  });

  it('lets the last of several changes win, each with its own transition time', () => {
    // Set to 500 at 40 s, to 200 at 40.01 s: the clock is 1 until 40.04 s, then 0.2.
    const policy = scripted([
      [0, begin],
      [40, () => [setClock(500)]],
      [40.01, () => [setClock(200)]],
    ]);
    close(simulate(worldOf({}), policy).jobRow(0).endS, 40.04 + (100 - 40.04) / 0.2);
  });

  it('drops a change that is taken back before it has settled', () => {
    const policy = scripted([
      [0, begin],
      [40, () => [setClock(500)]],
      [40.01, () => [setClock(1000)]],
    ]);
    assert.equal(simulate(worldOf({}), policy).jobRow(0).endS, 100);
  });

  it('tells the policy the clock and cap that are set, at once', () => {
    const seen: number[] = [];
    const policy = scripted([
      [
        0,
        function* (view) {
          seen.push(view.clockMhz(0), view.powerCapW(0));
          yield setClock(800);
          yield { kind: 'set-cap', gpu: 0, powerCapW: 250 };
          seen.push(view.clockMhz(0), view.powerCapW(0));
          yield start(view, 0, [0]);
        },
      ],
    ]);
    simulate(worldOf({}), policy);
    assert.deepEqual(seen, [1000, 1000, 800, 250]);
  });

  it('throttles in mid-job to exactly the cap, at once, and back', () => {
    // Cap 175 W (clock 0.5) from 50 to 90 s: 20 s of work done; full speed again: 30 s left.
    const powers: number[] = [];
    const policy = scripted([
      [0, begin],
      [50, () => [{ kind: 'set-cap', gpu: 0, powerCapW: 175 }]],
      [90, () => [{ kind: 'set-cap', gpu: 0, powerCapW: 1000 }]],
    ]);
    const row = simulate(worldOf({}), policy, {
      gpuState: ({ powerW }) => powers.push(powerW),
    }).jobRow(0);
    close(row.endS, 120);
    close(row.energyJ, 50 * 300 + 40 * 175 + 30 * 300);
    assert.equal(powers.length, 5);
    close(powers[2] ?? NaN, 175, 1e-12);
  });

  it('exceeds a cap that even the lowest clock cannot meet', () => {
    const policy = scripted([
      [0, (view) => [{ kind: 'set-cap', gpu: 0, powerCapW: 60 }, start(view, 0, [0])]],
    ]);
    const row = simulate(worldOf({}), policy).jobRow(0);
    close(row.endS, 500);
    close(row.energyJ, 500 * 100);
  });

  it('throttles under the default cap, and again when company comes', () => {
    // Default cap 175 W; two residents of u = 0.5 draw 50 + 500 x: clock 0.25 for both.
    const type = flatGpu({ powerLimitW: { min: 60, default: 175, max: 1000 } });
    const world = worldOf({
      jobs: [flatJob(), flatJob({ id: 'b', submitS: 100, durationS: 10 })],
      profiles: profileSet([type], [flatProfile({ smDemand: 0.5 })]),
    });
    const policy = scripted([
      [0, begin],
      [100, (view) => [start(view, 1, [0])]],
    ]);
    const result = simulate(world, policy);
    // Half done at 100 s; b takes 40 s, in which a does 10 more; 40 are left at clock 0.5.
    close(result.jobRow(1).endS, 140);
    close(result.jobRow(0).endS, 220);
    close(result.summary.energyJ.total, 220 * 175);
  });

  it('lets the context of jobs that start, and of a GPU that holds it, follow the clock', () => {
    // 30 of the 50 W follow the clock: 35 W at half clock. The clock settles at 10 s, while the job
    // starts (0..20); then 100 s of work at half clock take 200 s at 35 + 125 W; 5 s of hold at 35 W.
    const world = worldOf({
      jobs: [flatJob(), flatJob({ id: 'b', submitS: 230, durationS: 0 })],
      profiles: profileSet([flatGpu({ contextClockW: 30 })], [flatProfile({ startS: 20 })]),
      options: { contextHoldS: 5, costs: { clockTransition: 10 } },
    });
    const policy = scripted([
      [0, (view) => [setClock(500), start(view, 0, [0])]],
      [230, (view) => [start(view, 1, [0])]],
    ]);
    const { summary, ...result } = simulate(world, policy);
    close(result.jobRow(0).energyJ, 200 * 160);
    close(summary.energyJ.transition, 10 * 50 + 10 * 35 + 20 * 35);
    close(summary.energyJ.contextIdle, 5 * 35);
    close(summary.energyJ.idle, 5 * 20);
  });

  it('keeps a clock for the jobs that come later', () => {
    const world = worldOf({ jobs: [flatJob({ submitS: 0 }), flatJob({ id: 'b', submitS: 300 })] });
    const policy = scripted([
      [0, (view) => [setClock(500), start(view, 0, [0])]],
      [300, (view) => [start(view, 1, [0])]],
    ]);
    assert.equal(simulate(world, policy).jobRow(1).jctS, 200);
  });
});
