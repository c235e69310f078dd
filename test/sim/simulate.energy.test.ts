import assert from 'node:assert/strict';
import type { SimulationResult } from '../../sim/result.ts';
import { simulate } from '../../sim/simulate.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatJob, worldOf } from '../support/flat.ts';
import { firstInFirstOut, policyOf, scripted, start } from '../support/scripted.ts';

// By hand: GPUs idle at 20 W, hold a context at 50 W and run a flat job at 300 W. One job of 100 s on
// one of two GPUs: 100 s * 300 W = 30,000 J running, 100 s * 20 W = 2,000 J idle.

/** The summary's energies in a fixed order: running, contextIdle, idle, transition, host. */
function energies({ summary }: SimulationResult): number[] {
  const { running, contextIdle, idle, transition, host } = summary.energyJ;
  return [running, contextIdle, idle, transition, host];
}

function closeAll(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    close(value, expected[i] ?? NaN, 1e-9, `entry ${i}:`);
  });
}

describe('simulate: energy', () => {
  it('charges a job its power and books idle GPUs as idle', () => {
    const world = worldOf({ cluster: clusterOf({ gpusPerNode: 2 }) });
    const result = simulate(world, firstInFirstOut());
    closeAll(energies(result), [30_000, 0, 2000, 0, 0]);
    const { energyJ, meanPowerW, edpJs, gpuUtilisation } = result.summary;
    close(energyJ.total, 32_000);
    close(energyJ.active, 30_000);
    close(energyJ.perJobMean, 30_000);
    close(result.jobRow(0).energyJ, 30_000);
    close(meanPowerW, 320);
    close(edpJs, 3_200_000);
    close(gpuUtilisation, 0.5);
  });

  it('starts the books with the first submission, whatever its time', () => {
    const world = worldOf({ jobs: [flatJob({ submitS: 5000 })] });
    const result = simulate(world, firstInFirstOut());
    closeAll(energies(result), [30_000, 0, 0, 0, 0]);
    assert.equal(result.summary.makespanS, 100);
  });

  it('charges a gang on every one of its GPUs', () => {
    const world = worldOf({
      jobs: [flatJob({ gpuCount: 3 })],
      cluster: clusterOf({ gpusPerNode: 4 }),
    });
    const result = simulate(world, firstInFirstOut());
    closeAll(energies(result), [90_000, 0, 2000, 0, 0]);
    close(result.jobRow(0).energyJ, 90_000);
  });

  it('charges a preempted gang up to the instant at which it is preempted', () => {
    // Runs 0..30 and 50..120 on two GPUs; idle in between: 2 * 20 s * 20 W.
    const world = worldOf({
      jobs: [flatJob({ gpuCount: 2 })],
      cluster: clusterOf({ gpusPerNode: 2 }),
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0, 1])]],
      [30, (view) => [{ kind: 'preempt', job: view.job(0) }]],
      [50, (view) => [start(view, 0, [1, 0])]],
    ]);
    const result = simulate(world, policy);
    closeAll(energies(result), [60_000, 0, 800, 0, 0]);
    const row = result.jobRow(0);
    assert.deepEqual([row.queueS, row.runS, row.jctS, row.endS], [20, 100, 120, 120]);
    assert.deepEqual([row.preemptions, row.restarts], [1, 1]);
    assert.deepEqual(row.gpus, [1, 0]);
  });

  it('charges residents of one GPU their own dynamic part and equal parts of the context', () => {
    // Shares 0.3 and 0.7 of the SMs: dynamic 75 and 175 W, context 25 W each. The first needs 30 / 0.3
    // = 100 s, the second 70 / 0.7 = 100 s: 100 * 100 and 200 * 100 J, which add up to the GPU's 300 W.
    const world = worldOf({
      jobs: [flatJob({ durationS: 30 }), flatJob({ id: 'b', durationS: 70 })],
    });
    const policy = scripted([[0, (view) => [start(view, 0, [0], 0.3), start(view, 1, [0], 0.7)]]]);
    const result = simulate(world, policy);
    close(result.jobRow(0).energyJ, 10_000);
    close(result.jobRow(1).energyJ, 20_000);
    closeAll(energies(result), [30_000, 0, 0, 0, 0]);
  });

  it('keeps the context, and its power, for the hold time after the last job', () => {
    // Runs 0..10; context 10..18 (hold 8 s), idle 18..30; the second job runs 30..40.
    const world = worldOf({
      jobs: [flatJob({ durationS: 10 }), flatJob({ id: 'b', submitS: 30, durationS: 10 })],
      options: { contextHoldS: 8 },
    });
    closeAll(energies(simulate(world, firstInFirstOut())), [6000, 400, 240, 0, 0]);
  });

  it('ends the hold when the next job takes the GPU', () => {
    // Context 10..15, then the second job; the GPU is not idle at any time.
    const world = worldOf({
      jobs: [flatJob({ durationS: 10 }), flatJob({ id: 'b', submitS: 15, durationS: 10 })],
      options: { contextHoldS: 8 },
    });
    closeAll(energies(simulate(world, firstInFirstOut())), [6000, 250, 0, 0, 0]);
  });

  it('counts the hold from the last job that left, not from one before it', () => {
    // a runs 0..10, b 12..14: the context is held 10..12 and 14..22; idle 22..30; c runs 30..31.
    const world = worldOf({
      jobs: [
        flatJob({ durationS: 10 }),
        flatJob({ id: 'b', submitS: 12, durationS: 2 }),
        flatJob({ id: 'c', submitS: 30, durationS: 1 }),
      ],
      options: { contextHoldS: 8 },
    });
    closeAll(energies(simulate(world, firstInFirstOut())), [3900, 500, 160, 0, 0]);
  });

  it('prices the past at the power of the past when a node is switched off and on', () => {
    // Node 1: 20 W 0..40, asleep at 5 W 40..70, waking at 20 W 70..130 (transition), 20 W 130..200.
    const world = worldOf({
      jobs: [flatJob({ durationS: 200 })],
      cluster: clusterOf({ nodes: 2 }),
      options: { hostPowerW: 100 },
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [40, () => [{ kind: 'sleep', node: 1 }]],
      [70, () => [{ kind: 'wake', node: 1 }]],
    ]);
    const idleJ = 40 * 20 + 30 * 5 + 70 * 20;
    // Hosts: node 0 for 200 s, node 1 for all but the 30 s asleep.
    closeAll(energies(simulate(world, policy)), [60_000, 0, idleJ, 60 * 20, 100 * (200 + 170)]);
  });

  it('leaves no context on a node that was switched off, however long the hold', () => {
    // Node 1: b until 10, context 10..20, asleep 20..50, waking 50..110, then idle (not context) to 200.
    const world = worldOf({
      jobs: [flatJob({ durationS: 200 }), flatJob({ id: 'b', durationS: 10 })],
      cluster: clusterOf({ nodes: 2 }),
      options: { contextHoldS: Infinity },
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0]), start(view, 1, [1])]],
      [20, () => [{ kind: 'sleep', node: 1 }]],
      [50, () => [{ kind: 'wake', node: 1 }]],
    ]);
    const idleJ = 30 * 5 + 90 * 20;
    closeAll(energies(simulate(world, policy)), [63_000, 500, idleJ, 60 * 20, 0]);
  });

  it('draws only idle power while everything waits', () => {
    const world = worldOf({ jobs: [flatJob({ durationS: 10 })] });
    const policy = scripted([[90, (view) => [start(view, 0, [0])]]]);
    closeAll(energies(simulate(world, policy)), [3000, 0, 1800, 0, 0]);
  });

  it('has no energy and no NaN in a run without jobs or without time', () => {
    const nothing = simulate(worldOf({ jobs: [] }), firstInFirstOut()).summary;
    const instant = simulate(worldOf({ jobs: [flatJob({ durationS: 0 })] }), firstInFirstOut());
    for (const summary of [nothing, instant.summary]) {
      assert.equal(summary.energyJ.total, 0);
      assert.equal(summary.meanPowerW, 0);
      assert.equal(summary.gpuUtilisation, 0);
      assert.equal(summary.conservationError, 0);
    }
    assert.equal(instant.jobRow(0).slowdown, 1);
    assert.equal(instant.summary.jobs.done, 1);
  });

  it('lets the energy of every GPU be followed at any time through an observer', () => {
    const seen: [number, number, number][] = [];
    const world = worldOf({ cluster: clusterOf({ gpusPerNode: 2 }) });
    simulate(world, firstInFirstOut(), {
      gpuState: ({ gpu, fromS, powerW }) => seen.push([gpu, fromS, powerW]),
    });
    assert.deepEqual(seen, [
      [0, 0, 20],
      [1, 0, 20],
      [0, 0, 300],
      [0, 100, 20],
    ]);
  });

  it('does not depend on how often the books are read or the policy is asked', () => {
    const jobs = [flatJob({ durationS: 100 / 3 }), flatJob({ id: 'b', submitS: 7, durationS: 50 })];
    const plain = simulate(worldOf({ jobs }), firstInFirstOut());
    const fifo = firstInFirstOut();
    const restless = policyOf(
      function* (view) {
        yield* fifo.decide(view);
        yield { kind: 'call-back', atS: view.nowS + 0.01 };
      },
      { mode: 'exclusive' },
    );
    const often = simulate(worldOf({ jobs }), restless);
    for (const index of [0, 1]) assert.deepEqual(often.jobRow(index), plain.jobRow(index));
    closeAll(energies(often), energies(plain));
    assert.ok(often.summary.decisions.asked > 8000);
  });
});
