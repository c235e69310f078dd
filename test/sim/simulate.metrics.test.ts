import assert from 'node:assert/strict';
import type { JobSpec } from '../../sim/job.ts';
import type { SimulationOptions } from '../../sim/options.ts';
import type { Summary } from '../../sim/result.ts';
import { simulate } from '../../sim/simulate.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { firstInFirstOut, scripted, start } from '../support/scripted.ts';

// By hand, one GPU, first in first out: a (100 s) arrives at 0, b (100 s) at 50. a runs 0..100, b 100..200.
//   JCT 100 and 150, mean 125; queue 0 and 50; run 100 each; makespan 200
//   energy 200 s * 300 W = 60,000 J, energy-delay product 60,000 * 125

const TWO = [flatJob(), flatJob({ id: 'b', submitS: 50 })];

function summary(
  jobs: readonly JobSpec[],
  options: Parameters<typeof worldOf>[0]['options'] = {},
): Summary {
  return simulate(worldOf({ jobs, options }), firstInFirstOut()).summary;
}

describe('simulate: metrics', () => {
  it('gives the times and energies worked out by hand', () => {
    const s = summary(TWO);
    assert.deepEqual(s.jctS, { mean: 125, median: 125, p95: 147.5, p99: 149.5, max: 150 });
    assert.deepEqual([s.queueS.mean, s.queueS.max, s.runS.mean, s.makespanS], [25, 50, 100, 200]);
    assert.deepEqual([s.slowdown.mean, s.slowdown.max], [1, 1]);
    close(s.edpJs, 60_000 * 125);
    close(s.energyJ.perJobMean, 30_000);
    close(s.meanPowerW, 300);
  });

  it('gives queue and run times that add up to the JCT, job by job', () => {
    const result = simulate(worldOf({ jobs: TWO }), firstInFirstOut());
    const rows = [0, 1].map((index) => result.jobRow(index));
    assert.deepEqual(
      rows.map(({ queueS, runS, jctS, startS, endS }) => [queueS, runS, jctS, startS, endS]),
      [
        [0, 100, 100, 0, 100],
        [50, 100, 150, 100, 200],
      ],
    );
    assert.equal(result.jobCount, 2);
    assert.equal(result.policy, 'fifo');
  });

  it('measures slowdown against running alone at full clock on the same GPUs', () => {
    // At clock 0.8 a job of 100 s runs 125 s, whatever it waits.
    const world = worldOf({ options: { costs: { clockTransition: 0, start: 30 } } });
    const policy = scripted([
      [40, (view) => [{ kind: 'set-clock', gpu: 0, clockMhz: 800 }, start(view, 0, [0])]],
    ]);
    const row = simulate(world, policy).jobRow(0);
    close(row.slowdown, 1.25);
    assert.deepEqual([row.queueS, row.runS], [40, 155]);
  });

  it('gives finish-time fairness against an equal part of the cluster', () => {
    // Both from 0. Demand: two GPUs 0..100, one 100..200. a: contention 2, rho = 100 / (100 * 2).
    // b: contention 300 / 200, rho = 200 / (100 * 1.5).
    const { fairness } = summary([flatJob(), flatJob({ id: 'b' })]);
    const [a, b] = [0.5, 4 / 3];
    close(fairness.worstRho, b);
    close(fairness.jain, (a + b) ** 2 / (2 * (a ** 2 + b ** 2)));
  });

  it('counts a deadline or slowdown that was missed, by however little, and no other', () => {
    const violations = (...jobs: Partial<JobSpec>[]): number =>
      summary(jobs.map((job, i) => flatJob({ id: `${i}`, ...job }))).sloViolations;
    assert.equal(violations({ deadlineS: 100 }), 0);
    assert.equal(violations({ deadlineS: 99.99 }), 1);
    // The second waits 100 s: its JCT is 200 s, its run slowdown 1.
    assert.equal(violations({}, { deadlineS: 200, maxSlowdown: 1 }), 0);
    assert.equal(violations({}, { deadlineS: 199 }), 1);
    assert.equal(violations({}, { gpuCount: 9, deadlineS: 1 }), 0);
    // A deadline counts from the submission: 50 s of waiting and 100 s of running.
    assert.equal(violations({}, { submitS: 50, deadlineS: 150 }), 0);
    assert.equal(violations({}, { submitS: 50, deadlineS: 149 }), 1);
    const slowed = worldOf({ jobs: [flatJob({ maxSlowdown: 1.2 })] });
    const policy = scripted([
      [0, (view) => [{ kind: 'set-clock', gpu: 0, clockMhz: 800 }, start(view, 0, [0])]],
    ]);
    assert.equal(simulate(slowed, policy).summary.sloViolations, 1);
  });

  it('counts a job with a deadline that failed as a violation, once', () => {
    const jobs = [flatJob({ durationS: 1e6, deadlineS: 2e6, maxSlowdown: 5 })];
    const failures = { gpuMtbfS: 10, maxFailures: 0 };
    assert.equal(summary(jobs, { failures }).sloViolations, 1);
  });

  it('takes only the measured part into energy, and only jobs submitted in it', () => {
    // 50..150: all at 300 W; b alone was submitted in it.
    const s = summary(TWO, { measure: { fromS: 50, toS: 150 } });
    close(s.energyJ.total, 30_000);
    close(s.meanPowerW, 300);
    assert.equal(s.jctS.mean, 150);
    assert.equal(s.jobs.done, 2);
    close(s.gpuUtilisation, 1);
    close(s.energyCost, (30_000 / 3.6e6) * 0.1);
    close(s.carbonGram, (30_000 / 3.6e6) * 400);
    // The part before a submission at 10 is no part of the run; the end is cut at the last completion.
    const late = summary([flatJob({ submitS: 10 })], { measure: { fromS: 0, toS: 1000 } });
    close(late.energyJ.total, 30_000);
    close(late.meanPowerW, 300);
  });

  it('counts preemptions, restarts, failures and violations of the jobs submitted in the measured part', () => {
    // Each is preempted once, 10 s after its submission, and restarted; each misses its deadline.
    const jobs = [0, 200, 400].map((submitS, i) => flatJob({ id: `${i}`, submitS, deadlineS: 50 }));
    const policy = () =>
      scripted(
        [0, 200, 400].flatMap((submitS, i) => [
          [submitS, (view) => [start(view, i, [0])]] as const,
          [submitS + 10, (view) => [{ kind: 'preempt', job: view.job(i) } as const]] as const,
          [submitS + 20, (view) => [start(view, i, [0])]] as const,
        ]),
      );
    const counts = (measure: SimulationOptions['measure']): number[] => {
      const { summary: s } = simulate(worldOf({ jobs, options: { measure } }), policy());
      return [s.preemptions, s.restarts, s.sloViolations, s.jctS.mean];
    };
    assert.deepEqual(counts(null), [3, 3, 3, 110]);
    assert.deepEqual(counts({ fromS: 200, toS: 400 }), [1, 1, 1, 110]);
    assert.deepEqual(counts({ fromS: 1, toS: 1000 }), [2, 2, 2, 110]);
    assert.deepEqual(counts({ fromS: 450, toS: 460 }), [0, 0, 0, 0]);
    const failing = (measure: SimulationOptions['measure']): number =>
      summary([flatJob({ durationS: 1e4 }), flatJob({ id: 'b', submitS: 2e3, durationS: 1e4 })], {
        paranoid: false,
        measure,
        failures: { gpuMtbfS: 10, gpuRepairS: 1, maxFailures: 4 },
      }).failures;
    assert.deepEqual([failing(null), failing({ fromS: 1e3, toS: 1e4 })], [10, 5]);
  });

  it('adds up measured parts to the whole', () => {
    const jobs = [flatJob(), flatJob({ id: 'b', submitS: 130 })];
    const whole = summary(jobs);
    const cuts = [0, 33.3, 100, 115, 230];
    const parts = cuts
      .slice(1)
      .map((toS, i) => summary(jobs, { measure: { fromS: cuts[i] ?? NaN, toS } }));
    const sum = (of: (part: Summary) => number): number =>
      parts.reduce((total, part) => total + of(part), 0);
    close(
      sum((p) => p.energyJ.total),
      whole.energyJ.total,
    );
    close(
      sum((p) => p.energyJ.idle),
      whole.energyJ.idle,
    );
    close(
      sum((p) => p.energyJ.running),
      whole.energyJ.running,
    );
    close(
      sum((p) => p.energyCost),
      whole.energyCost,
    );
    close(
      sum((p) => p.carbonGram),
      whole.carbonGram,
    );
    close(whole.energyJ.idle, 30 * 20);
  });

  it('measures nothing in a part that the run does not reach', () => {
    const s = summary(TWO, { measure: { fromS: 500, toS: 600 } });
    assert.deepEqual([s.energyJ.total, s.energyCost, s.meanPowerW, s.jctS.mean], [0, 0, 0, 0]);
    assert.equal(s.gpuUtilisation, 0);
  });

  it('multiplies energy with price and carbon series, step by step', () => {
    // 50 s at 0.1 and 50 s at 0.3 a kWh; carbon 100 g until 20 s, 200 g until 90 s, then 0.
    const s = summary([flatJob()], {
      hostPowerW: 60,
      pricePerKwh: { startsS: [0, 50], values: [0.1, 0.3] },
      carbonGramPerKwh: { startsS: [0, 20, 90], values: [100, 200, 0] },
    });
    const kwhPerS = 360 / 3.6e6;
    close(s.energyCost, kwhPerS * (50 * 0.1 + 50 * 0.3));
    close(s.carbonGram, kwhPerS * (20 * 100 + 70 * 200));
  });

  it('begins a series where the run begins, and takes its first value for earlier times', () => {
    const jobs = [flatJob({ submitS: 1000 })];
    const kwhPerS = 300 / 3.6e6;
    const cost = (startsS: readonly number[], values: readonly number[]): number =>
      summary(jobs, { pricePerKwh: { startsS, values } }).energyCost;
    close(cost([0, 500, 1000, 1050], [9, 9, 1, 2]), kwhPerS * (50 * 1 + 50 * 2));
    close(cost([0, 500, 2000], [9, 3, 9]), kwhPerS * 100 * 3);
    close(cost([1060, 1070], [5, 7]), kwhPerS * (70 * 5 + 30 * 7));
  });

  it('changes nothing but the books when these are read in between', () => {
    const reading: Partial<SimulationOptions> = {
      measure: { fromS: 13, toS: 177 },
      pricePerKwh: { startsS: [0, 7, 49, 101], values: [1, 2, 3, 4] },
    };
    const run = (options: Partial<SimulationOptions>) => {
      const seen: number[] = [];
      const fifo = firstInFirstOut();
      const result = simulate(worldOf({ jobs: TWO, options }), {
        ...fifo,
        decide: (view) => {
          seen.push(view.nowS);
          return fifo.decide(view);
        },
      });
      return { seen, rows: [result.jobRow(0), result.jobRow(1)] };
    };
    assert.deepEqual(run(reading), run({}));
    assert.deepEqual(run({}).seen, [0, 50, 100]);
  });

  it('counts decisions, and how often the policy was asked', () => {
    const { decisions } = summary(TWO);
    // Asked at 0, 50 and 100; not at 200, when all is done.
    assert.deepEqual(decisions, { count: 2, asked: 3 });
  });

  it('names the types of the last run of a job', () => {
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'other' })],
      [flatProfile(), flatProfile({ gpuType: 'other' })],
    );
    const world = worldOf({ profiles, cluster: clusterOf({}, { gpuType: 'other' }) });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [30, (view) => [{ kind: 'migrate', job: view.job(0), gpus: [1] }]],
    ]);
    const row = simulate(world, policy).jobRow(0);
    assert.deepEqual(
      [row.gpus, row.gpuTypes, row.workload, row.state],
      [[1], ['other'], 'flat', 'done'],
    );
  });

  it('leaves NaN out of the summary in all cases', () => {
    const summaries = [
      summary([]),
      summary([flatJob({ gpuCount: 2 })]),
      summary([flatJob({ durationS: 0 })]),
      summary([flatJob({ durationS: 0 }), flatJob({ id: 'b', gpuCount: 2, deadlineS: 1 })]),
    ];
    const check = (value: unknown, path: string): void => {
      if (typeof value === 'number') assert.ok(Number.isFinite(value), `${path} is ${value}`);
      else if (typeof value === 'object' && value !== null) {
        for (const [key, inner] of Object.entries(value)) check(inner, `${path}.${key}`);
      }
    };
    for (const s of summaries) check(s, 'summary');
  });
});
