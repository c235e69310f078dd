import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  Cluster,
  MAX_TYPES,
  NODE_STATES,
  type NodeGroupSpec,
  type NodeState,
} from '../../../sim/cluster/cluster.ts';
import { clusterOf, flatGpu, flatProfile, profileSet } from '../../support/flat.ts';

// By hand: two nodes of type a with 2 GPUs, one node of type b with 3, one more node of type a with 4.
//   node      0     1     2        3
//   type      a     a     b        a
//   gpus      0 1   2 3   4 5 6    7 8 9 10

const PROFILES = profileSet(
  [flatGpu({ name: 'a' }), flatGpu({ name: 'b', memoryGib: 40 })],
  [flatProfile()],
);

function handCluster(): Cluster {
  return new Cluster(
    clusterOf(
      { gpuType: 'a', gpusPerNode: 2, nodes: 2 },
      { gpuType: 'b', gpusPerNode: 3 },
      { gpuType: 'a', gpusPerNode: 4 },
    ),
    PROFILES,
  );
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

describe('sim/cluster/cluster', () => {
  it('numbers GPUs and nodes in the order of the groups', () => {
    const cluster = handCluster();
    assert.equal(cluster.gpuCount, 11);
    assert.equal(cluster.nodeCount, 4);
    assert.deepEqual(
      cluster.types.map(({ name }) => name),
      ['a', 'b'],
    );
    assert.deepEqual(
      range(11).map((gpu) => cluster.nodeOf(gpu)),
      [0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3],
    );
    assert.deepEqual(
      range(11).map((gpu) => cluster.typeOf(gpu)),
      [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0],
    );
    assert.deepEqual(
      range(4).map((node) => cluster.firstGpu(node)),
      [0, 2, 4, 7],
    );
    assert.deepEqual(
      range(4).map((node) => cluster.gpusInNode(node)),
      [2, 2, 3, 4],
    );
    assert.deepEqual([cluster.gpusOfType(0), cluster.gpusOfType(1)], [8, 3]);
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => cluster.typeIndex(name)),
      [0, 1, -1],
    );
  });

  it('finds the best and the emptiest node as residents come and go', () => {
    const cluster = handCluster();
    // Best fit for 1: the lowest of the nodes with 2 free, not the one with 4.
    assert.equal(cluster.bestFitNode(0, 1), 0);
    assert.equal(cluster.bestFitNode(0, 3), 3);
    assert.equal(cluster.bestFitNode(0, 5), -1);
    assert.equal(cluster.emptiestNode(0), 3);
    cluster.addResident(2, 100, 1, 1);
    // Node 1 has one free GPU left: now the best fit.
    assert.equal(cluster.bestFitNode(0, 1), 1);
    assert.equal(cluster.bestFitNode(0, 2), 0);
    cluster.addResident(3, 101, 1, 1);
    assert.equal(cluster.bestFitNode(0, 1), 0);
    assert.equal(cluster.freeGpus(0), 6);
    assert.equal(cluster.freeGpusInNode(1), 0);
    assert.equal(cluster.freeGpuTotal, 9);
    cluster.removeResident(2, 100, 1);
    assert.equal(cluster.bestFitNode(0, 1), 1);
    assert.deepEqual([...cluster.nodesWithFree(0, 2)], [0]);
    assert.deepEqual([...cluster.gpusWithResidents(0, 0)], [0, 1, 2, 7, 8, 9, 10]);
    assert.deepEqual([...cluster.gpusWithResidents(0, 1)], [3]);
    assert.deepEqual([...cluster.gpusWithResidents(0, 2)], []);
  });

  it('counts the memory of residents, and exactly all of it is free when the last has left', () => {
    const cluster = handCluster();
    cluster.addResident(4, 1, 0.5, 0.1);
    cluster.addResident(4, 2, 0.5, 0.2);
    assert.ok(Math.abs(cluster.freeMemoryGib(4) - 39.7) < 1e-12);
    cluster.removeResident(4, 1, 0.1);
    cluster.removeResident(4, 2, 0.2);
    assert.equal(cluster.freeMemoryGib(4), 40);
    // Nor do rounding errors add up: with these they would come to some 1e-14 GiB.
    for (let i = 1; i < 3000; i += 1) {
      cluster.addResident(4, 1, 1, i / 700);
      cluster.addResident(4, 2, 1, i / 311);
      cluster.removeResident(4, 1, i / 700);
      cluster.removeResident(4, 2, i / 311);
    }
    assert.equal(cluster.freeMemoryGib(4), 40);
  });

  it('keeps shares beside the residents they belong to', () => {
    const cluster = handCluster();
    cluster.addResident(0, 7, 0.25, 1);
    cluster.addResident(0, 8, 0.5, 1);
    cluster.addResident(0, 9, 0.75, 1);
    cluster.setShare(0, 8, 0.6);
    cluster.removeResident(0, 7, 1);
    assert.deepEqual(cluster.residents[0], [8, 9]);
    assert.deepEqual(cluster.shares[0], [0.6, 0.75]);
  });

  it('offers no GPU that has failed or whose node is not on', () => {
    const cluster = handCluster();
    cluster.setGpuWorks(0, false);
    assert.equal(cluster.isAvailable(0), false);
    assert.equal(cluster.isFree(0), false);
    assert.equal(cluster.freeGpusInNode(0), 1);
    for (const state of NODE_STATES) {
      cluster.setNodeState(3, state);
      const isOn = state === 'on';
      assert.equal(cluster.isAvailable(7), isOn);
      assert.equal(cluster.emptiestNode(0), isOn ? 3 : 1, state);
      assert.equal(cluster.freeGpus(0), isOn ? 7 : 3);
      assert.equal(cluster.nodeState(3), state);
    }
    // A GPU that fails on a sleeping node is still failed when the node is on again.
    cluster.setNodeState(3, 'asleep');
    cluster.setGpuWorks(8, false);
    cluster.setNodeState(3, 'on');
    assert.deepEqual(
      [7, 8, 9].map((gpu) => cluster.isAvailable(gpu)),
      [true, false, true],
    );
    cluster.setGpuWorks(8, true);
    assert.equal(cluster.isAvailable(8), true);
    assert.equal(cluster.gpuWorks(0), false);
  });

  it('refuses an empty cluster, an unknown type and counts that are no whole numbers above 0', () => {
    const make = (...groups: Partial<NodeGroupSpec>[]) =>
      new Cluster(clusterOf(...groups), PROFILES);
    assert.throws(() => make(), /cluster 'test' has no gpus/);
    assert.throws(() => make({ gpuType: 'c' }), /unknown gpu type 'c', expected one of: a, b/);
    for (const count of [0, -1, 1.5, NaN]) {
      assert.throws(
        () => make({ gpuType: 'a', nodes: count }),
        /nodes of a is .*whole number >= 1/,
      );
      assert.throws(() => make({ gpuType: 'a', gpusPerNode: count }), /gpusPerNode of a is/);
    }
  });

  it(`takes ${MAX_TYPES} GPU types and refuses one more`, () => {
    const names = range(MAX_TYPES + 1).map((i) => `type-${i}`);
    const profiles = profileSet(
      names.map((name) => flatGpu({ name })),
      [flatProfile()],
    );
    const make = (count: number) =>
      new Cluster(clusterOf(...names.slice(0, count).map((gpuType) => ({ gpuType }))), profiles);
    assert.equal(make(MAX_TYPES).types.length, MAX_TYPES);
    assert.throws(() => make(MAX_TYPES + 1), /has 32 gpu types, at most 31/);
  });

  it('answers every query as a scan of all GPUs would, after any changes', () => {
    const group = fc.record({
      gpuType: fc.constantFrom('a', 'b'),
      gpusPerNode: fc.integer({ min: 1, max: 5 }),
      nodes: fc.integer({ min: 1, max: 4 }),
    });
    const change = fc.record({
      what: fc.constantFrom('add', 'add', 'add', 'remove', 'gpu', 'node'),
      where: fc.nat(),
      works: fc.boolean(),
      state: fc.constantFrom<NodeState>(...NODE_STATES),
    });
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 1, maxLength: 4 }),
        fc.array(change, { maxLength: 80 }),
        (groups, changes) => {
          const cluster = new Cluster(clusterOf(...groups), PROFILES);
          let nextJob = 0;
          for (const { what, where, works, state } of changes) {
            const gpu = where % cluster.gpuCount;
            if (what === 'add') {
              cluster.addResident(gpu, nextJob, 0.5, 0.25);
              nextJob += 1;
            } else if (what === 'remove') {
              const leaving = cluster.residents[gpu]?.[0];
              if (leaving !== undefined) cluster.removeResident(gpu, leaving, 0.25);
            } else if (what === 'gpu') cluster.setGpuWorks(gpu, works);
            else cluster.setNodeState(where % cluster.nodeCount, state);
            compareWithScan(cluster);
          }
        },
      ),
      { numRuns: 150, seed: 3 },
    );
  });
});

function compareWithScan(cluster: Cluster): void {
  const gpus = range(cluster.gpuCount);
  const nodes = range(cluster.nodeCount);
  const load = (gpu: number): number => cluster.residents[gpu]?.length ?? 0;
  const available = gpus.filter(
    (gpu) => cluster.gpuWorks(gpu) && cluster.nodeState(cluster.nodeOf(gpu)) === 'on',
  );
  const free = available.filter((gpu) => load(gpu) === 0);
  const freeInNode = nodes.map((node) => free.filter((gpu) => cluster.nodeOf(gpu) === node).length);

  assert.deepEqual(
    gpus.filter((gpu) => cluster.isAvailable(gpu)),
    available,
  );
  assert.deepEqual(
    gpus.filter((gpu) => cluster.isFree(gpu)),
    free,
  );
  assert.deepEqual(
    nodes.map((node) => cluster.freeGpusInNode(node)),
    freeInNode,
  );
  assert.equal(cluster.freeGpuTotal, free.length);
  cluster.types.forEach((_, type) => {
    const ofType = nodes.filter((node) => cluster.typeOfNode(node) === type);
    const freeOf = (node: number): number => freeInNode[node] ?? 0;
    assert.equal(cluster.freeGpus(type), free.filter((gpu) => cluster.typeOf(gpu) === type).length);
    for (let count = 1; count <= 5; count += 1) {
      const fitting = ofType.filter((node) => freeOf(node) >= count);
      const best = fitting.sort((a, b) => freeOf(a) - freeOf(b) || a - b)[0] ?? -1;
      assert.equal(cluster.bestFitNode(type, count), best);
    }
    for (let count = 0; count <= 5; count += 1) {
      assert.deepEqual(
        [...cluster.nodesWithFree(type, count)],
        ofType.filter((node) => freeOf(node) === count),
      );
      assert.deepEqual(
        [...cluster.gpusWithResidents(type, count)],
        available.filter((gpu) => cluster.typeOf(gpu) === type && load(gpu) === count),
      );
    }
    const withFree = ofType.filter((node) => freeOf(node) > 0);
    const emptiest = withFree.sort((a, b) => freeOf(b) - freeOf(a) || a - b)[0] ?? -1;
    assert.equal(cluster.emptiestNode(type), emptiest);
  });
}
