import assert from 'node:assert/strict';
import { countTerms, profileRecord } from '../../harness/profile-record.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet } from '../support/flat.ts';

describe('harness/profile-record', () => {
  it('counts each number by its own provenance, that of its group, or that of all', () => {
    const holder = {
      name: 'no term',
      time: { hostS: 1, coreS: 2 },
      memoryGib: 3,
      provenance: {
        '*': { kind: 'assumed', source: '' },
        time: { kind: 'fitted', source: '' },
        'time.hostS': { kind: 'measured', source: '' },
      },
    } as const;
    assert.deepEqual(countTerms(holder), { measured: 1, fitted: 1, assumed: 1 });
  });

  it('counts only workloads of the jobs on GPU types of the cluster', () => {
    const cluster = clusterOf({ gpuType: 'flat' });
    const profiles = profileSet([flatGpu()], [flatProfile()]);
    const none = profileRecord([], cluster, profiles);
    assert.equal(none.profiles, 0);
    const one = profileRecord([flatJob()], cluster, profiles);
    assert.equal(one.profiles, 1);
    assert.deepEqual(Object.keys(one.workloadTerms), ['assumed']);
  });
});
