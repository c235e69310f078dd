import assert from 'node:assert/strict';
import type { WorkloadProfile } from '../../../sim/gpu/profile.ts';
import { close } from '../../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, rowsById, run } from '../schedule.ts';

/** Mostly bound by memory: a step takes 0.9 + 0.1 / x s at 50 + 250 V(x)^2 x W. */
const memoryBound: Partial<WorkloadProfile> = {
  time: { hostS: 0, memoryS: 0.9, coreS: 0.1, q: 1 },
};
const profiles = profileSet([flatGpu()], [flatProfile(memoryBound)]);
/** A change of clock takes no time here. */
const options = { costs: { clockTransition: 0 } };
const one = (...jobs: ReturnType<typeof job>[]) => worldOf({ jobs, profiles, options });

function timeOf(policy: string, options: Record<string, unknown> = {}): number {
  const world = one(job('a', 0, 1, 100));
  return rowsById(run(world, policy, { ...options })).a?.jctS ?? NaN;
}

describe('zeus', () => {
  it('weighs energy against time where fifo runs at full power', () => {
    // Under a limit of p watts x is (p - 50) / 250. Half of energy and 1000 W x time:
    // 485 + 112.5 x + 52.5 / x is 638.75 at 225 W (x = 0.7), 640 at 200 W and 640.6 at 250 W.
    close(timeOf('fifo'), 100);
    close(timeOf('zeus'), 100 * (0.9 + 0.1 / 0.7), 1e-6);
  });

  it('only saves energy with eta 1, and no time is lost with eta 0', () => {
    // (50 + 250 x)(0.9 + 0.1 / x) is 140 J at the lowest clock, x = 0.2, and 154 J at x = 0.3.
    close(timeOf('zeus', { eta: 1 }), 140, 1e-6);
    close(timeOf('zeus', { eta: 0 }), 100, 1e-6);
  });

  it('takes the lowest limit within a slowdown', () => {
    // 1.03 allows x >= 0.77; limits are 25 W apart: 250 W, x = 0.8.
    const within = { selector: 'max-slowdown', maxSlowdown: 1.03 };
    close(timeOf('zeus', within), 102.5, 1e-6);
  });

  it('orders jobs by duration when asked', () => {
    const world = one(job('a', 0, 1, 50), job('b', 1, 1, 100), job('c', 2, 1, 10));
    const rows = rowsById(run(world, 'zeus', { order: 'sjf', eta: 0 }));
    assert.ok((rows.c?.startS ?? NaN) < (rows.b?.startS ?? NaN));
  });
});

describe('gpoeo and odpp', () => {
  it('gpoeo takes the clock of least E T^2 that loses at most 5 %', () => {
    // Against 0.9833 s at x = 1.2 it may lose up to 1.0325 s: x = 1 (300 W: 300) or
    // x = 0.8 (250 W x 1.025^3 s^3 = 269.2); x = 0.5 takes 1.1 s.
    close(timeOf('gpoeo'), 102.5, 1e-6);
    close(timeOf('gpoeo', { threshold: 0.2 }), 110, 1e-6);
  });

  it('odpp sees only the clocks that it samples', () => {
    // A line from 1.4 s at x = 0.2 to 0.9833 s at x = 1.2 puts x = 0.8 at 1.15 s and x = 1 at 1.07 s.
    close(timeOf('odpp', { samples: 2 }), 100 * (0.9 + 0.1 / 1.2), 1e-6);
    close(timeOf('odpp', { samples: 5 }), 102.5, 1e-6);
  });

  it('has its other objectives', () => {
    // E T: 482 x 0.967, 300, 250 x 1.0506 = 262.7, 175 x 1.21 = 211.8, 100 x 1.96 = 196.
    close(timeOf('gpoeo', { objective: 'edp' }), 140, 1e-6);
    // E T^2 goes on as 300, 269.2, 232.9, 274.4.
    close(timeOf('gpoeo', { objective: 'ed2p' }), 110, 1e-6);
    // At least 40 % less than the 474 J at x = 1.2: 284.4 J, which x = 0.8 (256.3 J) keeps.
    close(timeOf('gpoeo', { objective: 'performance', threshold: 0.4 }), 102.5, 1e-6);
  });
});

describe('mf-gpoeo', () => {
  it('lets the controller bring the loss to its limit', () => {
    const clocksMhz = Array.from({ length: 81 }, (_, i) => 200 + 10 * i);
    const fine = profileSet([flatGpu({ clocksMhz })], [flatProfile(memoryBound)]);
    const world = worldOf({ jobs: [job('a', 0, 1, 10_000)], profiles: fine });
    const jctS = rowsById(run(world, 'mf-gpoeo')).a?.jctS ?? NaN;
    // 5 % less speed is 1 / 0.95 of the time; settled is within half a percent.
    assert.ok(jctS > 10_000 / 0.956 && jctS < 10_000 / 0.944, String(jctS));
  });
});

describe('deadline-dvfs', () => {
  it('takes the clock of least power that meets the deadline', () => {
    const at = (deadlineS: number) => {
      const world = one(job('a', 0, 1, 100, { deadlineS }));
      return rowsById(run(world, 'deadline-dvfs', { alpha: 0 })).a?.jctS ?? NaN;
    };
    close(at(150), 140, 1e-6);
    close(at(115), 110, 1e-6);
    close(at(105), 102.5, 1e-6);
    // None meets it: the fastest.
    close(at(50), 100 * (0.9 + 0.1 / 1.2), 1e-6);
  });

  it('goes by deadlines, not by submissions', () => {
    const world = one(
      job('a', 0, 1, 100, { deadlineS: 10_000 }),
      job('b', 1, 1, 100, { deadlineS: 9000 }),
      job('c', 2, 1, 100, { deadlineS: 500 }),
    );
    const rows = rowsById(run(world, 'deadline-dvfs'));
    assert.ok((rows.c?.startS ?? NaN) < (rows.b?.startS ?? NaN));
    const fifo = rowsById(run(world, 'fifo'));
    assert.ok((fifo.c?.startS ?? NaN) > (fifo.b?.startS ?? NaN));
  });
});

describe('delay', () => {
  const startOf = (options: Record<string, unknown>, over: { deadlineS?: number } = {}) => {
    const world = worldOf({
      jobs: [job('a', 0, 1, 100, over)],
      cluster: clusterOf({}),
      options: { carbonGramPerKwh: { startsS: [0, 3600], values: [500, 100] } },
    });
    return rowsById(run(world, 'delay', options)).a?.startS;
  };

  it('holds a job until the grid is clean where fifo starts at once', () => {
    assert.equal(startOf({}), 3600);
  });

  it('holds no job longer than allowed, nor past its deadline', () => {
    assert.equal(startOf({ maxDelayS: 1000 }), 1000);
    assert.equal(startOf({}, { deadlineS: 1500 }), 1400);
  });

  it('holds nothing where the series is flat', () => {
    assert.equal(startOf({ signal: 'price' }), 0);
  });
});
