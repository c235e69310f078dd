import assert from 'node:assert/strict';
import { elasticJobs } from '../../harness/elastic.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet } from '../support/flat.ts';

const profiles = profileSet(
  [flatGpu(), flatGpu({ name: 'other', memoryGib: 8 })],
  [flatProfile(), flatProfile({ gpuType: 'other' })],
);
const cluster = clusterOf(
  { nodes: 2, gpusPerNode: 4 },
  { gpuType: 'other', nodes: 1, gpusPerNode: 2 },
);

const limits = (factor: number, over: Parameters<typeof flatJob>[0] = {}) => {
  const { jobs, line } = elasticJobs([flatJob(over)], factor, cluster, profiles);
  return [jobs[0]?.minGpus, jobs[0]?.maxGpus, line];
};
const SAID = 'jobs run with 1 GPU up to 1.5 times those that they ask for';

describe('elastic jobs', () => {
  it('run with one GPU up to so many times their own, rounded up', () => {
    assert.deepEqual(limits(1.5, { gpuCount: 3 }), [1, 5, SAID]);
    assert.deepEqual(limits(1, { gpuCount: 3 }).slice(0, 2), [1, 3]);
  });

  it('get no more than the cluster has that they can run on', () => {
    assert.deepEqual(limits(100).slice(0, 2), [1, 10]);
    assert.deepEqual(limits(100, { gpuTypes: ['other'] }).slice(0, 2), [1, 2]);
    // 12 GiB are too much for the other type.
    assert.deepEqual(limits(100, { memoryGib: 12 }).slice(0, 2), [1, 8]);
  });

  it('stay as they are where they ask for more than there is, or for a part of a GPU', () => {
    const large = limits(1.5, { gpuCount: 11 });
    assert.deepEqual(large, [11, 11, `${SAID}; 1 that ask for more GPUs than there are do not`]);
    const part = limits(1.5, { share: 0.5 });
    assert.deepEqual(part, [1, 1, `${SAID}; 1 that ask for a part of a GPU do not`]);
    assert.deepEqual(limits(2, { workload: 'unheard', gpuCount: 2 }).slice(0, 2), [2, 2]);
  });
});
