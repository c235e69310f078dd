import assert from 'node:assert/strict';
import fc from 'fast-check';
import { nextShare } from '../../../policies/gslice/next-share.ts';
import type { SimulationConfig } from '../../../sim/simulate.ts';
import { close } from '../../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, rowsById, run, schedule } from '../schedule.ts';

/** `flat` is slowed to 1 / share, `soft` too and by a half beside one `loud`. */
const profiles = profileSet(
  [flatGpu()],
  [
    flatProfile(),
    flatProfile({ workload: 'soft', interference: { sensitivity: 1, aggressiveness: 0 } }),
    flatProfile({ workload: 'loud', interference: { sensitivity: 0, aggressiveness: 0.5 } }),
  ],
);

const on = (jobs: SimulationConfig['jobs'], gpus: number, restart = 0) =>
  worldOf({
    jobs,
    profiles,
    cluster: clusterOf({ gpusPerNode: gpus }),
    options: { costs: { start: 0, checkpoint: 0, restart } },
  });

describe('the rounds of gslice', () => {
  it('grow a share by as much as throughput is short', () => {
    // 3.33 s a step of 2: the throughput is 0.3 of the 0.5 that are required, (0.5 - 0.3) / 0.3 more.
    assert.equal(nextShare(0.3, 1 / 0.3 / 2, 0.1), 0.5);
    assert.equal(nextShare(0.9, 2, 0.1), 1);
  });

  it('shrink it by as much as latency has left', () => {
    // 0.9 s of 1: 0.1 / 0.9 of 45 %, which leaves 40 %. Half of the objective leaves nothing: 1 %.
    assert.equal(nextShare(0.45, 0.9, 0.1), 0.4);
    assert.equal(nextShare(0.45, 0.5, 0.1), 0.01);
    assert.equal(nextShare(0.45, 0.1, 0.1), 0.01);
  });

  it('leave it within the band of both residuals', () => {
    for (const latency of [1, 0.95, 1 / 1.1]) assert.equal(nextShare(0.45, latency, 0.1), 0.45);
    // 0.905 s of 1 is within 10 % of the latency, 1.105 steps of 1 are not of the throughput.
    assert.notEqual(nextShare(0.45, 0.905, 0.1), 0.45);
    assert.notEqual(nextShare(0.45, 1.001, 0.1), 0.45);
  });

  it('settle a job that the host holds up, step by step', () => {
    // A step takes 0.5 + 0.5 / share of the 4 s that it may: 2.1667, 10.5, 4.0714 and 4.0714 x 0.15 s.
    const latency = (share: number) => (0.5 + 0.5 / share) / 4;
    const shares = [0.3];
    for (let round = 0; round < 5; round += 1) {
      const share = shares.at(-1) as number;
      shares.push(nextShare(share, latency(share), 0.1));
    }
    // 0.3 (1 - (4 / 2.1667 - 1)) = 0.046; 0.05 x 10.5 / 4 = 0.131; 0.14 x 4.0714 / 4 = 0.1425; 3.83 s is within.
    assert.deepEqual(shares, [0.3, 0.05, 0.14, 0.15, 0.15, 0.15]);
  });

  it('never give less than 1 % or more than all, in whole percents', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (percent, latency, band) => {
          const next = nextShare(percent / 100, latency, band) * 100;
          assert.ok(next > 0.99 && next < 100.01 && Math.abs(next - Math.round(next)) < 1e-9);
          if (latency > 1 + 1e-8) assert.ok(next > percent - 1e-9);
          else assert.ok(next < percent + 1e-9 || latency > 1);
        },
      ),
    );
  });
});

describe('gslice', () => {
  const slow = { maxSlowdown: 2 };

  it('starts jobs beside each other with 30 % where fifo runs one after the other', () => {
    // 18 s of work by 60, then half a GPU each: the rest takes 164 s.
    const world = on([job('a', 0, 1, 100, slow), job('b', 0, 1, 100, slow)], 1);
    const result = run(world, 'gslice');
    assert.deepEqual(schedule(result), { a: [0, 224], b: [0, 224] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [100, 200] });
    // The measurement at 120 finds both where they should be.
    assert.equal(result.summary.restarts, 2);
  });

  it('restarts a client for its new share', () => {
    const result = run(on([job('a', 0, 1, 100, slow)], 1, 10), 'gslice');
    assert.deepEqual(schedule(result), { a: [0, 70 + 164] });
    assert.equal(result.summary.restarts, 1);
  });

  it('has its options', () => {
    const world = on([job('a', 0, 1, 100)], 1);
    const endS = (options: Record<string, unknown>) =>
      rowsById(run(world, 'gslice', options)).a?.endS ?? NaN;
    // Nothing is changed without rounds; a bound of 1.5 takes 67 % from the first measurement on.
    close(endS({ rounds: 0 }), 100 / 0.3);
    close(endS({}), 60 + 82 / 0.67);
    close(endS({ periodS: 10 }), 10 + 97 / 0.67);
    close(endS({ slo: 4, startShare: 0.5 }), 60 + 60 + (100 - 30 - 0.6) / 0.25);
    // From 1 % it takes two rounds, of which there is one: 0.01 x 100 / 1.5 = 0.67 at once.
    close(endS({ startShare: 0.01, rounds: 1 }), 60 + 99.4 / 0.67);
    close(endS({ startShare: 0.5, slo: 2.1, band: 0.2 }), 200);
  });

  it('joins the GPU with the least left, as long as 30 % are', () => {
    // Three at 30 % fill a GPU; once their shares have grown there is no place for a fourth.
    const jobs = ['a', 'b', 'c', 'd'].map((id) => job(id, 0, 1, 100, { maxSlowdown: 3 }));
    const rows = rowsById(run(on([...jobs, job('e', 61, 1, 100)], 3), 'gslice'));
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => rows[id]?.gpus),
      [[0], [0], [0], [1], [1]],
    );
  });

  it('measures anew when company comes', () => {
    // soft has half the GPU from 60 on. loud comes at 200 and makes its steps 3 s; from 260 on soft has 75 %
    // and loud 0.3 (1 - 0.2): its 3.33 s of 4 are 20 % better than required, 4.17 s later 4 % worse.
    const jobs = [
      job('a', 0, 1, 1000, { workload: 'soft', maxSlowdown: 2 }),
      job('b', 200, 1, 1000, { workload: 'loud', maxSlowdown: 4 }),
    ];
    const rows = rowsById(run(on(jobs, 1), 'gslice'));
    // a: 18 + 70 + 20 by 260, then half a second of work a second.
    close(rows.a?.endS ?? NaN, 260 + 892 / 0.5);
    // b: 18 by 260, 14.4 by 320, then a quarter.
    close(rows.b?.endS ?? NaN, 320 + 967.6 / 0.25);
  });

  it('may give away more than a GPU has', () => {
    // Both want 0.8. At 60 both have 0.8, so half a GPU each: 2 s of 1.25, so all of it at 120; still 2 s.
    const jobs = [
      job('a', 0, 1, 100, { maxSlowdown: 1.25 }),
      job('b', 0, 1, 100, { maxSlowdown: 1.25 }),
    ];
    const result = run(on(jobs, 1), 'gslice');
    assert.deepEqual(schedule(result), { a: [0, 224], b: [0, 224] });
    assert.equal(result.summary.restarts, 4);
  });

  it('measures a client that still starts a period later', () => {
    const world = worldOf({
      jobs: [job('a', 0, 1, 100, slow)],
      options: { costs: { start: 90, checkpoint: 0, restart: 0 } },
    });
    // Runs from 90, is measured at 120: 9 s of work by then.
    assert.deepEqual(schedule(run(world, 'gslice')), { a: [0, 120 + 91 / 0.5] });
  });

  it('gives gangs whole GPUs', () => {
    const rows = rowsById(run(on([job('a', 0, 1, 100), job('b', 0, 2, 10)], 3), 'gslice'));
    assert.deepEqual([rows.b?.gpus, rows.b?.endS], [[1, 2], 10]);
  });
});
