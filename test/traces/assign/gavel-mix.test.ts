import assert from 'node:assert/strict';
import { loadShippedProfiles } from '../../../calibration/profiles.ts';
import { assignWorkloads, GAVEL_TYPES } from '../../../traces/assign/index.ts';
import { job } from '../support.ts';

const jobsOf = (count: number, gpuCount: number) =>
  Array.from({ length: count }, (_, index) => job({ id: `${index}`, submitS: index, gpuCount }));
const assigned = (count: number, gpuCount: number) =>
  assignWorkloads(jobsOf(count, gpuCount), { rule: 'gavel-mix', seed: 4 });

describe('the rule gavel-mix', () => {
  it('knows the 26 job types of Gavel, each with a profile on V100 and P100', () => {
    assert.equal(GAVEL_TYPES.length, 26);
    const { workloads } = loadShippedProfiles();
    for (const { workload: name } of GAVEL_TYPES) {
      const found = workloads.find((workload) => workload.name === name);
      assert.ok(found?.onGpu.V100 !== undefined && found.onGpu.P100 !== undefined, name);
    }
  });

  it('draws them evenly', () => {
    const { counts } = assigned(26_000, 1).record;
    assert.equal(Object.keys(counts).length, 26);
    // 1000 each, with a deviation of 31: five of them.
    for (const [name, count] of Object.entries(counts)) {
      assert.ok(Math.abs(count - 1000) < 155, `${name}: ${count}`);
    }
  });

  it('gives gangs only the types that Gavel runs on several GPUs', () => {
    const { counts } = assigned(1900, 4).record;
    const distributed = GAVEL_TYPES.filter((type) => type.distributed).map((type) => type.workload);
    assert.equal(distributed.length, 19);
    assert.deepEqual(Object.keys(counts), distributed.toSorted());
  });
});
