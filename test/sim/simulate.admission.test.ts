import assert from 'node:assert/strict';
import type { JobSpec } from '../../sim/job.ts';
import { simulate } from '../../sim/simulate.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { firstInFirstOut } from '../support/scripted.ts';

// By hand: a cluster of two `flat` GPUs with 16 GiB and one `large` with 40 GiB. The workload `flat` has
// profiles on both, `small` on `flat` alone, `away` on a type that the cluster has not got.

const PROFILES = profileSet(
  [flatGpu(), flatGpu({ name: 'large', memoryGib: 40 }), flatGpu({ name: 'absent' })],
  [
    flatProfile(),
    flatProfile({ gpuType: 'large' }),
    flatProfile({ workload: 'small' }),
    flatProfile({ workload: 'away', gpuType: 'absent' }),
  ],
);
const CLUSTER = clusterOf({ gpusPerNode: 2 }, { gpuType: 'large' });

function outcome(job: Partial<JobSpec>): readonly [state: string, code: string, reason: string] {
  const result = simulate(
    worldOf({ jobs: [flatJob(job)], profiles: PROFILES, cluster: CLUSTER }),
    firstInFirstOut(),
  );
  const row = result.jobRow(0);
  const codes = Object.entries(result.summary.jobs.rejectedByReason);
  assert.equal(result.summary.jobs.rejected, codes.length);
  if (row.state === 'rejected')
    assert.deepEqual(
      codes.map(([, count]) => count),
      [1],
    );
  return [row.state, codes[0]?.[0] ?? '', row.reason];
}

describe('simulate: admission', () => {
  it('runs what fits', () => {
    assert.deepEqual(outcome({}), ['done', '', '']);
    assert.deepEqual(outcome({ gpuCount: 3 }), ['done', '', '']);
    assert.deepEqual(outcome({ memoryGib: 40 }), ['done', '', '']);
    assert.deepEqual(outcome({ memoryGib: 16, gpuCount: 3 }), ['done', '', '']);
  });

  it('rejects a workload that nobody knows', () => {
    assert.deepEqual(outcome({ workload: 'unheard' }), [
      'rejected',
      'unknown_workload',
      "no profile of workload 'unheard'",
    ]);
  });

  it('rejects a job whose work cannot be known for want of a profile where it was measured', () => {
    assert.deepEqual(outcome({ workload: 'small', referenceGpu: 'large' }), [
      'rejected',
      'no_reference_profile',
      "no profile of 'small' on its reference gpu 'large'",
    ]);
  });

  it('rejects a gang that is larger than all GPUs on which it can run', () => {
    assert.deepEqual(outcome({ gpuCount: 4 }), [
      'rejected',
      'too_many_gpus',
      'needs 4 gpus, the cluster has 3 that it can run on',
    ]);
    assert.deepEqual(outcome({ gpuCount: 3, workload: 'small' })[1], 'too_many_gpus');
    assert.deepEqual(outcome({ gpuCount: 3, gpuTypes: ['flat'] })[1], 'too_many_gpus');
    assert.deepEqual(outcome({ gpuCount: 2, memoryGib: 20 })[1], 'too_many_gpus');
  });

  it('rejects a request for a type that the cluster has not got', () => {
    assert.deepEqual(outcome({ gpuTypes: ['absent', 'other'] }), [
      'rejected',
      'gpu_type',
      'asks for absent or other, the cluster has flat, large',
    ]);
  });

  it('rejects a job without a profile on any type that it may take', () => {
    assert.deepEqual(outcome({ workload: 'small', gpuTypes: ['large'] }), [
      'rejected',
      'no_profile',
      "no profile of 'small' on large",
    ]);
    assert.deepEqual(outcome({ workload: 'away', referenceGpu: 'absent' }), [
      'rejected',
      'no_profile',
      "no profile of 'away' on flat, large",
    ]);
  });

  it('rejects a job that needs more memory than any GPU on which it can run', () => {
    assert.deepEqual(outcome({ memoryGib: 41 }), [
      'rejected',
      'memory',
      'needs more memory than the 40 GiB of the largest gpu that it can run on',
    ]);
    assert.deepEqual(outcome({ workload: 'small', memoryGib: 17 })[1], 'memory');
  });

  it('rejects at submission, once, and goes on with the others', () => {
    const jobs = [
      flatJob({ id: 'a' }),
      flatJob({ id: 'b', submitS: 10, gpuCount: 9 }),
      flatJob({ id: 'c', submitS: 20, gpuCount: 9 }),
      flatJob({ id: 'd', submitS: 30, workload: 'unheard' }),
    ];
    const seen: string[] = [];
    const fifo = firstInFirstOut();
    const result = simulate(worldOf({ jobs, profiles: PROFILES, cluster: CLUSTER }), {
      ...fifo,
      decide: (view) => {
        for (const { id } of view.entered) seen.push(id);
        return fifo.decide(view);
      },
    });
    assert.deepEqual(result.summary.jobs, {
      submitted: 4,
      done: 1,
      failed: 0,
      rejected: 3,
      rejectedByReason: { too_many_gpus: 2, unknown_workload: 1 },
    });
    assert.deepEqual(seen, ['a']);
    const row = result.jobRow(1);
    assert.deepEqual(
      [row.startS, row.endS, row.jctS, row.slowdown, row.queueS, row.runS, row.energyJ],
      [NaN, NaN, NaN, NaN, 0, 0, 0],
    );
    assert.deepEqual(row.gpus, []);
  });

  it('tells a policy the types on which a job can run, and the memory it takes there', () => {
    const told: unknown[] = [];
    const fifo = firstInFirstOut();
    const jobs = [flatJob({ share: 0.5 }), flatJob({ id: 'b', memoryGib: 20 })];
    simulate(worldOf({ jobs, profiles: PROFILES, cluster: CLUSTER }), {
      ...fifo,
      decide: (view) => {
        for (const job of view.entered) told.push([job.types, job.memoryGib(0), job.memoryGib(1)]);
        return fifo.decide(view);
      },
    });
    assert.deepEqual(told, [
      [[0, 1], 8, 20],
      [[1], 20, 20],
    ]);
  });
});

describe('simulate: configuration', () => {
  const run = (...jobs: readonly Partial<JobSpec>[]) =>
    simulate(worldOf({ jobs: jobs.map((job) => flatJob(job)) }), firstInFirstOut());

  it('refuses jobs that make no sense, naming them', () => {
    const cases: [Partial<JobSpec>, RegExp][] = [
      [{ submitS: -1 }, /job 'a': submitS is -1/],
      [{ submitS: NaN }, /submitS is NaN/],
      [{ submitS: Infinity }, /submitS is Infinity/],
      [{ durationS: -0.5 }, /durationS is -0.5/],
      [{ durationS: NaN }, /durationS is NaN/],
      [{ durationS: Infinity }, /durationS is Infinity/],
      [{ gpuCount: 0 }, /gpuCount is 0/],
      [{ gpuCount: 1.5 }, /gpuCount is 1.5/],
      [{ gpuCount: 2, minGpus: 0 }, /minGpus is 0, expected a whole number from 1 to gpuCount 2/],
      [{ gpuCount: 2, minGpus: 3 }, /minGpus is 3, expected a whole number from 1 to gpuCount 2/],
      [{ gpuCount: 2, minGpus: 1.5 }, /minGpus is 1.5/],
      [{ gpuCount: 2, maxGpus: 1 }, /maxGpus is 1, expected a whole number >= gpuCount 2/],
      [{ gpuCount: 2, maxGpus: 2.5 }, /maxGpus is 2.5/],
      [{ gpuCount: 2, maxGpus: Infinity }, /maxGpus is Infinity/],
      [{ share: 0 }, /share is 0, expected \(0, 1\]/],
      [{ share: 1.1 }, /share is 1.1/],
      [{ share: NaN }, /share is NaN/],
      [{ memoryGib: -1 }, /memoryGib is -1/],
      [{ memoryGib: NaN }, /memoryGib is NaN/],
    ];
    for (const [job, message] of cases) {
      assert.throws(() => run(job), { name: 'RangeError', message });
    }
  });

  it('refuses jobs that are not in the order of submission', () => {
    assert.throws(
      () => run({ submitS: 5 }, { id: 'b', submitS: 4 }),
      /job 'b': jobs are not in order of submission/,
    );
    assert.equal(run({ submitS: 5 }, { id: 'b', submitS: 5 }).summary.jobs.done, 2);
  });

  it('refuses options with which time would stand still or run back', () => {
    const refused: [Parameters<typeof worldOf>[0]['options'], RegExp][] = [
      [{ checkpointIntervalS: 0 }, /checkpointIntervalS is 0, expected a number > 0/],
      [{ checkpointIntervalS: NaN }, /checkpointIntervalS is NaN/],
      [{ failures: { gpuMtbfS: 0 } }, /failures.gpuMtbfS is 0/],
      [{ failures: { nodeMtbfS: -5 } }, /failures.nodeMtbfS is -5/],
      [{ failures: { clientMtbfS: NaN } }, /failures.clientMtbfS is NaN/],
      [{ failures: { gpuRepairS: -1 } }, /failures.gpuRepairS is -1, expected a number >= 0/],
      [{ failures: { nodeRepairS: NaN } }, /failures.nodeRepairS is NaN/],
      [{ failures: { maxFailures: NaN } }, /failures.maxFailures is NaN/],
      [{ costs: { start: -1 } }, /costs.start is -1/],
      [{ costs: { checkpoint: NaN } }, /costs.checkpoint is NaN/],
      [{ costs: { restart: -2 } }, /costs.restart is -2/],
      [{ costs: { clockTransition: -2 } }, /costs.clockTransition is -2/],
      [{ switchingLoss: 1 }, /switchingLoss is 1, expected \[0, 1\)/],
      [{ switchingLoss: -0.1 }, /switchingLoss is -0.1/],
      [{ contextHoldS: -1 }, /contextHoldS is -1/],
      [{ hostPowerW: NaN }, /hostPowerW is NaN/],
      [{ measure: { fromS: 5, toS: 5 } }, /measure: from 5 s to 5 s, expected from < to/],
      [{ pricePerKwh: { startsS: [], values: [] } }, /pricePerKwh: expected as many values/],
      [{ carbonGramPerKwh: { startsS: [0, 0], values: [1, 2] } }, /carbonGramPerKwh/],
    ];
    for (const [options, message] of refused) {
      assert.throws(() => simulate(worldOf({ ...(options && { options }) }), firstInFirstOut()), {
        name: 'RangeError',
        message,
      });
    }
  });
});
