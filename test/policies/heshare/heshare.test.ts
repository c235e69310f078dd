import assert from 'node:assert/strict';
import { powerCapW } from '../../../policies/heshare/curves.ts';
import { type Outcome, type Recorded, type RunSpec, runHeshare } from './support.ts';
import {
  gpuType,
  HEAVY,
  jobSpec,
  LIGHT,
  MEMORY_BOUND,
  mixedWorld,
  profile,
  profileSet,
} from './synthetic.ts';

const ONE_TYPE = profileSet(
  [gpuType('g')],
  [
    profile('light', 'g', LIGHT),
    profile('heavy', 'g', HEAVY),
    profile('memory', 'g', MEMORY_BOUND),
  ],
);

function clusterOf(gpus: number) {
  return { name: 'c', groups: [{ gpuType: 'g', gpusPerNode: gpus, nodes: 1 }] };
}

function on(gpus: number, jobs: RunSpec['jobs'], more: Partial<RunSpec> = {}): Outcome {
  return runHeshare({ profiles: ONE_TYPE, cluster: clusterOf(gpus), jobs, ...more });
}

/** Most jobs on one GPU at the same time, by the GPUs and times of their last runs. */
function mostOnOneGpu({ result }: Outcome): number {
  const rows = Array.from({ length: result.jobCount }, (_, job) => result.jobRow(job));
  let most = 0;
  for (const row of rows) {
    for (const gpu of row.gpus) {
      const together = rows.filter(
        (other) =>
          other.gpus.includes(gpu) && other.startS <= row.startS && other.endS > row.startS,
      );
      most = Math.max(most, together.length);
    }
  }
  return most;
}

function ofKind({ decisions }: Outcome, kind: Recorded['kind']): readonly Recorded[] {
  return decisions.filter((decision) => decision.kind === kind);
}

describe('heshare', () => {
  it('lets two light jobs share one gpu while another is free', () => {
    const jobs = [
      jobSpec('a', { workload: 'light' }),
      jobSpec('b', { workload: 'light', submitS: 100 }),
    ];
    const outcome = on(2, jobs);
    assert.deepEqual(outcome.row('a').gpus, [0]);
    assert.deepEqual(outcome.row('b').gpus, [0]);
  });

  it('does not let heavy jobs share, even if one has to wait', () => {
    const jobs = [
      jobSpec('a', { workload: 'heavy' }),
      jobSpec('b', { workload: 'heavy', submitS: 100 }),
    ];
    assert.deepEqual(on(2, jobs).row('b').gpus, [1]);
    const crowded = on(1, jobs);
    assert.equal(crowded.row('b').startS, crowded.row('a').endS);
  });

  it('never lets a job join that would break the bound of a resident', () => {
    const jobs = [
      jobSpec('a', { workload: 'light', maxSlowdown: 1 }),
      jobSpec('b', { workload: 'light', submitS: 100 }),
    ];
    const outcome = on(1, jobs);
    assert.equal(outcome.row('b').startS, outcome.row('a').endS);
    assert.equal(outcome.result.summary.sloViolations, 0);
  });

  it('runs a memory-bound job at a lower clock than a heavy one', () => {
    const clock = (workload: string): number => {
      const [set] = ofKind(on(1, [jobSpec('a', { workload })]), 'set-clock');
      return Number(set?.value ?? 1500);
    };
    assert.ok(clock('memory') < clock('heavy'));
  });

  it('tunes the clock anew when a neighbour leaves', () => {
    const jobs = [
      jobSpec('a', { workload: 'light', durationS: 500 }),
      jobSpec('b', { workload: 'memory', durationS: 3000 }),
    ];
    const options = { maxSlowdown: 2 };
    const outcome = on(1, jobs, { options });
    const alone = ofKind(on(1, [jobSpec('b', { workload: 'memory' })], { options }), 'set-clock');
    assert.equal(outcome.row('b').startS, 0);
    const after = ofKind(outcome, 'set-clock').filter(({ atS }) => atS === outcome.row('a').endS);
    assert.equal(after.at(-1)?.value, alone.at(-1)?.value);
  });

  it('gives a resident its share back when that is worth the restart, and only then', () => {
    const jobs = (restS: number) => [
      jobSpec('a', { workload: 'memory', durationS: 500 }),
      jobSpec('b', { workload: 'memory', submitS: 20, durationS: 500 + restS }),
    ];
    const options = { unlimited: false, maxSlowdown: 4 };
    const long = on(1, jobs(5000), { options });
    const short = on(1, jobs(5), { options });
    const restarted = (outcome: Outcome) =>
      ofKind(outcome, 'set-share').filter(({ atS }) => atS >= outcome.row('a').endS);
    assert.equal(long.row('b').startS, 20, 'they share');
    assert.deepEqual(
      restarted(long).map(({ job, value }) => ({ job, value })),
      [{ job: 'b', value: 1 }],
    );
    assert.equal(restarted(short).length, 0);
  });

  it('never co-locates without mps', () => {
    const jobs = Array.from({ length: 12 }, (_, i) => jobSpec(`${i}`, { workload: 'light' }));
    assert.ok(mostOnOneGpu(on(3, jobs)) > 1);
    assert.equal(mostOnOneGpu(on(3, jobs, { options: { mps: false } })), 1);
  });

  it('never sets a clock without dvfs', () => {
    const world = mixedWorld(200, 1);
    const outcome = runHeshare({ ...world, options: { dvfs: false } });
    assert.equal(ofKind(outcome, 'set-clock').length, 0);
    assert.ok(ofKind(runHeshare(world), 'set-clock').length > 0);
  });

  it('takes the first gpu that fits without its scheduler', () => {
    const jobs = [
      jobSpec('a', { workload: 'light' }),
      jobSpec('b', { workload: 'light' }),
      jobSpec('c', { workload: 'light' }),
    ];
    const outcome = on(2, jobs, { options: { sched: false } });
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => outcome.row(id).gpus),
      [[0], [1], [0]],
    );
  });

  it('keeps at most maxPerGpu jobs on a gpu', () => {
    const jobs = Array.from({ length: 8 }, (_, i) => jobSpec(`${i}`, { workload: 'light' }));
    assert.equal(mostOnOneGpu(on(1, jobs, { options: { maxPerGpu: 2 } })), 2);
  });

  it('never takes more memory than there is', () => {
    const jobs = [
      jobSpec('a', { workload: 'light', memoryGib: 10 }),
      jobSpec('b', { workload: 'light', memoryGib: 10 }),
      jobSpec('c', { workload: 'light', memoryGib: 6 }),
    ];
    const outcome = on(1, jobs);
    assert.ok(outcome.row('b').startS > 0);
    assert.equal(outcome.row('c').startS, 0);
  });

  it('sets the power cap of every gpu once and stays below it', () => {
    const world = mixedWorld(100, 2);
    const outcome = runHeshare({ ...world, options: { powerCap: 0.8 } });
    const caps = ofKind(outcome, 'set-cap');
    const gpus = world.cluster.groups.reduce((n, group) => n + group.nodes * group.gpusPerNode, 0);
    assert.equal(caps.length, gpus);
    const [first] = world.profiles.gpuTypes;
    assert.ok(first !== undefined);
    assert.equal(caps[0]?.value, powerCapW(first, 0.8));
  });

  it('runs the shortest job first when asked to', () => {
    const jobs = [
      jobSpec('a', { workload: 'heavy' }),
      jobSpec('long', { workload: 'heavy', submitS: 1, durationS: 900 }),
      jobSpec('short', { workload: 'memory', submitS: 2, durationS: 100 }),
    ];
    const options = { mps: false };
    assert.ok(on(1, jobs, { options }).row('long').startS < on(1, jobs).row('short').endS);
    const sjf = on(1, jobs, { options: { ...options, order: 'sjf' } });
    assert.ok(sjf.row('short').startS < sjf.row('long').startS);
  });

  it('decides the same for the same seed, and nothing depends on anything else', () => {
    const world = mixedWorld(300, 3);
    const options = { durationNoise: 0.5 };
    const first = runHeshare({ ...world, options, seed: 7 });
    const second = runHeshare({ ...world, options, seed: 7 });
    assert.deepEqual(first.decisions, second.decisions);
  });

  it('keeps every slowdown bound that a job brings', () => {
    for (const unlimited of [true, false]) {
      const world = mixedWorld(300, 5, { everything: true });
      const jobs = world.jobs.map((job) => ({ ...job, deadlineS: null }));
      const outcome = runHeshare({ ...world, jobs, options: { unlimited } });
      assert.equal(outcome.result.summary.sloViolations, 0);
    }
  });

  it('lives through failures, gangs, fractions, deadlines and bounds', () => {
    for (const seed of [1, 2, 3]) {
      const world = mixedWorld(250, seed, { everything: true });
      const outcome = runHeshare({
        ...world,
        seed,
        simulation: {
          checkpointIntervalS: 900,
          failures: {
            gpuMtbfS: 200_000,
            gpuRepairS: 600,
            nodeMtbfS: 500_000,
            nodeRepairS: 900,
            clientMtbfS: 50_000,
            maxFailures: Infinity,
          },
        },
      });
      const { jobs, failures } = outcome.result.summary;
      assert.equal(jobs.done + jobs.rejected, jobs.submitted);
      assert.ok(failures > 0);
    }
  });
});

describe('heshare on a fast and a slow type', () => {
  const two = profileSet(
    [gpuType('fast'), gpuType('slow', { idlePowerW: 5, contextPowerW: 10 })],
    [
      profile('w', 'fast', HEAVY),
      profile('w', 'slow', {
        ...HEAVY,
        time: { hostS: 0.004, memoryS: 0.04, coreS: 0.2, q: 2 },
        power: { memoryW: 5, coreW: 20 },
      }),
    ],
  );
  const cluster = {
    name: 'c',
    groups: [
      { gpuType: 'fast', gpusPerNode: 1, nodes: 1 },
      { gpuType: 'slow', gpusPerNode: 1, nodes: 1 },
    ],
  };
  const job = (id: string, more: object = {}) =>
    jobSpec(id, { workload: 'w', referenceGpu: 'fast', ...more });

  it('goes to the thrifty type without a deadline and to the fast one under a tight one', () => {
    const options = { energyWeight: 0.8 };
    const free = runHeshare({ profiles: two, cluster, jobs: [job('a')], options });
    assert.deepEqual(free.row('a').gpuTypes, ['slow']);
    const tight = [job('a', { deadlineS: 1300 })];
    const held = runHeshare({ profiles: two, cluster, jobs: tight, options });
    assert.deepEqual(held.row('a').gpuTypes, ['fast']);
    assert.equal(held.result.summary.sloViolations, 0);
  });

  it('waits for the type that keeps the deadline while there is time', () => {
    const jobs = [
      job('first', { durationS: 200, deadlineS: 250 }),
      job('second', { submitS: 1, deadlineS: 1500 }),
    ];
    const outcome = runHeshare({ profiles: two, cluster, jobs });
    assert.deepEqual(outcome.row('second').gpuTypes, ['fast']);
    assert.equal(outcome.result.summary.sloViolations, 0);
  });

  it('waits for a better place only with patience', () => {
    // With time alone in the score the slow type scores about 2.
    const jobs = [job('first'), job('second', { submitS: 1 })];
    const start = (patience: number) => {
      const options = { energyWeight: 0, mps: false, patience };
      return runHeshare({ profiles: two, cluster, jobs, options }).row('second');
    };
    assert.deepEqual(start(0).gpuTypes, ['slow']);
    assert.deepEqual(start(3).gpuTypes, ['slow']);
    assert.deepEqual(start(1.5).gpuTypes, ['fast']);
  });

  it('runs a job that will be late anyway at once', () => {
    const jobs = [job('first', { durationS: 2000 }), job('late', { submitS: 1, deadlineS: 100 })];
    const outcome = runHeshare({ profiles: two, cluster, jobs });
    assert.equal(outcome.row('late').startS, 1);
  });
});
