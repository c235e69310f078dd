import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeOnWholeNodes, wholeNodes } from '../../../policies/placement/whole-nodes.ts';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import { clusterOf, flatGpu, profileSet } from '../../support/flat.ts';
import { fakeJob } from '../fake-jobs.ts';

const profiles = profileSet([flatGpu(), flatGpu({ name: 'other' })], []);

/** Flat nodes with so many GPUs, of which so many are taken. */
function nodes(gpusPerNode: number, taken: readonly number[]): Cluster {
  const cluster = new Cluster(clusterOf({ gpusPerNode, nodes: taken.length }), profiles);
  taken.forEach((count, node) => {
    for (let i = 0; i < count; i += 1) cluster.addResident(node * gpusPerNode + i, 99, 1, 1);
  });
  return cluster;
}

function place(taken: readonly number[], count: number) {
  return placeOnWholeNodes(nodes(4, taken), 0, count, 4);
}

/** The rule by whole sorts: nodes by free GPUs, ties by number. */
function naive(cluster: Cluster, count: number, size: number): number | null {
  const free = Array.from({ length: cluster.nodeCount }, (_, i) => cluster.freeGpusInNode(i));
  if (count <= size) return free.some((one) => one >= count) ? count : null;
  const inOrder = free.toSorted((a, b) => b - a);
  const whole = Math.floor(count / size);
  const isWhole = inOrder.slice(0, whole).every((one) => one === size) && inOrder.length >= whole;
  const rest = count % size;
  return isWhole && (rest === 0 || (inOrder[whole] ?? 0) >= rest) ? count : null;
}

describe('policies/placement/whole-nodes', () => {
  it('takes the node with the fewest free GPUs that holds the gang, and never two', () => {
    assert.deepEqual(place([0, 2, 1], 2), [6, 7]);
    assert.equal(place([2, 2], 3), null);
  });

  it('takes empty nodes for a large gang, and the emptiest for what is left of it', () => {
    // Free: 2, 4, 3, 4. Eight: the two empty nodes. Six: an empty one and two of the next empty one.
    assert.deepEqual(place([2, 0, 1, 0], 8), [4, 5, 6, 7, 12, 13, 14, 15]);
    assert.deepEqual(place([2, 0, 1, 0], 6), [4, 5, 6, 7, 12, 13]);
    // Free: 2, 4, 3. Six: the rest goes to three free GPUs, not to the two that it would fill.
    assert.deepEqual(place([2, 0, 1], 6), [4, 5, 6, 7, 9, 10]);
    // Eight would need two empty nodes, nine three.
    assert.deepEqual([place([2, 0, 1], 8), place([0, 0, 4], 9)], [null, null]);
  });

  it('finds room exactly where a full sort of the nodes does', () => {
    const taken = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(taken, fc.integer({ min: 1, max: 20 }), (counts, count) => {
        const cluster = nodes(4, counts);
        const gpus = placeOnWholeNodes(cluster, 0, count, 4);
        assert.equal(gpus === null ? null : new Set(gpus).size, naive(cluster, count, 4));
        assert.ok(gpus === null || gpus.every((gpu) => cluster.isFree(gpu)));
      }),
    );
  });

  it('takes the first type with room, and spreads what no empty cluster could hold so', () => {
    const groups = [
      { gpusPerNode: 4, nodes: 1 },
      { gpusPerNode: 2, nodes: 2 },
      { gpuType: 'other', gpusPerNode: 4, nodes: 1 },
    ];
    const cluster = new Cluster(clusterOf(...groups), profiles);
    const on = (gpuCount: number, types: readonly number[]) =>
      wholeNodes().place(cluster, fakeJob(0, { gpuCount, types }));
    assert.deepEqual(on(4, [0, 1]), [0, 1, 2, 3]);
    assert.deepEqual(on(6, [0, 1]), [0, 1, 2, 3, 4, 5]);
    // Seven GPUs of the first type are one node of four and parts of both others.
    assert.equal(on(7, [0, 1])?.length, 7);
    assert.equal(wholeNodes().placeOn(cluster, fakeJob(0, { gpuCount: 7 }), 0)?.length, 7);
    // Ten span both types.
    assert.equal(on(10, [0, 1])?.length, 10);
    cluster.addResident(0, 99, 1, 1);
    assert.deepEqual(on(4, [0, 1]), [8, 9, 10, 11]);
    assert.deepEqual([on(4, [0]), on(20, [0, 1])], [null, null]);
  });
});
