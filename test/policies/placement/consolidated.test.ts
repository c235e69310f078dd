import assert from 'node:assert/strict';
import fc from 'fast-check';
import { consolidated } from '../../../policies/placement/consolidated.ts';
import { fitsByCount, spansTypes } from '../../../policies/placement/placement.ts';
import { fastestType } from '../../../policies/placement/type-order.ts';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import { clusterOf, flatGpu, profileSet } from '../../support/flat.ts';
import { type FakeJob, fakeJob } from '../fake-jobs.ts';

const profiles = profileSet([flatGpu(), flatGpu({ name: 'other' })], []);

/** Flat nodes with so many GPUs, of which so many are taken. */
function nodes(gpusPerNode: number, taken: readonly number[]): Cluster {
  const cluster = new Cluster(clusterOf({ gpusPerNode, nodes: taken.length }), profiles);
  taken.forEach((count, node) => {
    for (let i = 0; i < count; i += 1) cluster.addResident(node * gpusPerNode + i, 99, 1, 1);
  });
  return cluster;
}

function place(cluster: Cluster, gpuCount: number, strict = false) {
  return consolidated({ strict }).place(cluster, fakeJob(0, { gpuCount }));
}

describe('policies/placement/consolidated', () => {
  it('takes the node with the fewest free GPUs that holds the gang', () => {
    assert.deepEqual(place(nodes(4, [0, 2, 1]), 2), [6, 7]);
    assert.deepEqual(place(nodes(4, [0, 2, 1]), 3), [9, 10, 11]);
  });

  it('spreads over the emptiest nodes when no node is enough, and the rest where it fits best', () => {
    // Free: 4, 2, 3, 1. Seven: all of the first, all of the third.
    assert.deepEqual(place(nodes(4, [0, 2, 1, 3]), 7), [0, 1, 2, 3, 9, 10, 11]);
    // Six: four of the first, and the two that fit the second exactly.
    assert.deepEqual(place(nodes(4, [0, 2, 1, 3]), 6), [0, 1, 2, 3, 6, 7]);
    // Equal nodes are used in turn.
    assert.deepEqual(place(nodes(4, [2, 2, 2]), 5), [2, 3, 6, 7, 10]);
  });

  it('waits for one node when strict, unless no node could ever hold the gang', () => {
    assert.equal(place(nodes(4, [2, 2]), 3, true), null);
    assert.deepEqual(place(nodes(4, [2, 2]), 2, true), [2, 3]);
    assert.equal(place(nodes(4, [0, 0, 1]), 6, true)?.length, 6);
  });

  it('never refuses a gang for which the count suffices, and never gives a GPU twice', () => {
    const taken = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(taken, fc.integer({ min: 1, max: 20 }), (counts, gpuCount) => {
        const cluster = nodes(4, counts);
        const gpus = place(cluster, gpuCount);
        assert.equal(gpus !== null, cluster.freeGpuTotal >= gpuCount);
        if (gpus === null) return;
        assert.equal(new Set(gpus).size, gpuCount);
        assert.ok(gpus.every((gpu) => cluster.isFree(gpu)));
      }),
    );
  });

  it('stays on one type, unless every type is too small for the gang', () => {
    const spec = clusterOf({ gpusPerNode: 2 }, { gpuType: 'other', gpusPerNode: 3 });
    const cluster = new Cluster(spec, profiles);
    const both = { types: [0, 1] };
    const placement = consolidated();
    const on = (at: Cluster, job: FakeJob) => placement.place(at, job);
    assert.deepEqual(on(cluster, fakeJob(0, { gpuCount: 3, ...both })), [2, 3, 4]);
    assert.deepEqual(on(cluster, fakeJob(0, { gpuCount: 4, ...both })), [0, 1, 2, 3]);
    assert.equal(spansTypes(cluster, fakeJob(0, { gpuCount: 4, ...both })), true);
    cluster.addResident(4, 9, 1, 1);
    assert.equal(on(cluster, fakeJob(0, { gpuCount: 3, ...both })), null);
    assert.equal(fitsByCount(cluster, fakeJob(0, { gpuCount: 3, ...both })), false);
    assert.equal(on(cluster, fakeJob(0, { gpuCount: 1, types: [1] }))?.[0], 2);
  });

  it('tries the fastest type first when told speeds', () => {
    const spec = clusterOf({ gpusPerNode: 2 }, { gpuType: 'other', gpusPerNode: 2 });
    const cluster = new Cluster(spec, profiles);
    const types = fastestType((_, type) => (type === 1 ? 3 : 2));
    const job = fakeJob(0, { gpuCount: 2, types: [0, 1] });
    assert.deepEqual(consolidated({ types }).place(cluster, job), [2, 3]);
    cluster.addResident(2, 9, 1, 1);
    assert.deepEqual(consolidated({ types }).place(cluster, job), [0, 1]);
  });
});
