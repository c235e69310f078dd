import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Cluster, type NodeState } from '../../../sim/cluster/cluster.ts';
import { clusterOf, flatGpu, flatProfile, profileSet } from '../../support/flat.ts';

// By hand: four GPUs of type a (0..3) and two of type b (4, 5); jobs 0, 2, 4 are of class 0 and jobs
// 1, 3 of class 1. With job 0 and then 1 on GPU 1, job 3 and then 2 on GPU 2, and job 4 on GPU 5:
//   a with nobody {0, 3};  a with classes 0 and 1 {1, 2}, in whatever order they came;
//   b with nobody {4};     b with class 0 {5}

const PROFILES = profileSet([flatGpu({ name: 'a' }), flatGpu({ name: 'b' })], [flatProfile()]);

function clusterByParity(): Cluster {
  const cluster = new Cluster(
    clusterOf({ gpuType: 'a', gpusPerNode: 4 }, { gpuType: 'b', gpusPerNode: 2 }),
    PROFILES,
  );
  cluster.classifyResidentsBy((job) => job % 2);
  return cluster;
}

function listed(cluster: Cluster): Record<string, number[]> {
  return Object.fromEntries(
    [...cluster.classes()].map(({ type, residents, gpus }) => [
      `${type}:${residents.join(',')}`,
      [...gpus],
    ]),
  );
}

function expected(cluster: Cluster): Record<string, number[]> {
  const classes: Record<string, number[]> = {};
  for (let gpu = 0; gpu < cluster.gpuCount; gpu += 1) {
    if (!cluster.isAvailable(gpu)) continue;
    const residents = (cluster.residents[gpu] ?? []).map((job) => job % 2).sort();
    const key = `${cluster.typeOf(gpu)}:${residents.join(',')}`;
    classes[key] = [...(classes[key] ?? []), gpu];
  }
  return classes;
}

describe('sim/cluster/gpu-classes', () => {
  it('puts GPUs with the same multiset of residents into one class', () => {
    const cluster = clusterByParity();
    assert.deepEqual(listed(cluster), { '0:': [0, 1, 2, 3], '1:': [4, 5] });
    cluster.addResident(1, 0, 1, 1);
    cluster.addResident(1, 1, 1, 1);
    cluster.addResident(2, 3, 1, 1);
    cluster.addResident(2, 2, 1, 1);
    cluster.addResident(5, 4, 1, 1);
    assert.deepEqual(listed(cluster), { '0:': [0, 3], '1:': [4], '0:0,1': [1, 2], '1:0': [5] });
    cluster.removeResident(2, 3, 1);
    cluster.removeResident(5, 4, 1);
    assert.deepEqual(listed(cluster), { '0:': [0, 3], '0:0': [2], '0:0,1': [1], '1:': [4, 5] });
  });

  it('lists no GPU that has failed or sleeps, and lists it again afterwards', () => {
    const cluster = clusterByParity();
    cluster.classes();
    cluster.setGpuWorks(0, false);
    cluster.setNodeState(1, 'asleep');
    assert.deepEqual(listed(cluster), { '0:': [1, 2, 3] });
    cluster.setNodeState(1, 'on');
    cluster.setGpuWorks(0, true);
    assert.deepEqual(listed(cluster), { '0:': [0, 1, 2, 3], '1:': [4, 5] });
  });

  it('agrees with a scan after any changes, whenever it is first asked for', () => {
    const change = fc.record({
      what: fc.constantFrom('add', 'add', 'remove', 'gpu', 'node'),
      where: fc.nat(),
      works: fc.boolean(),
      state: fc.constantFrom<NodeState>('on', 'on', 'asleep', 'waking', 'failed'),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), fc.nat(60), (changes, firstAsked) => {
        const cluster = clusterByParity();
        changes.forEach(({ what, where, works, state }, i) => {
          const gpu = where % cluster.gpuCount;
          if (what === 'add') cluster.addResident(gpu, i, 1, 0);
          else if (what === 'gpu') cluster.setGpuWorks(gpu, works);
          else if (what === 'node') cluster.setNodeState(where % 2, state);
          else {
            const leaving = cluster.residents[gpu]?.at(-1);
            if (leaving !== undefined) cluster.removeResident(gpu, leaving, 0);
          }
          if (i >= firstAsked) assert.deepEqual(listed(cluster), expected(cluster));
        });
      }),
      { numRuns: 200, seed: 4 },
    );
  });
});
