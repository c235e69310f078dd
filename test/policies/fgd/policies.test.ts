import assert from 'node:assert/strict';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, rowsById, run } from '../schedule.ts';

const NAMES = [
  'pwr',
  'fgd',
  'best-fit',
  'dot-product',
  'gpu-packing',
  'gpu-clustering',
  'random-fit',
];
/** A part of a GPU, with the memory that goes with it. */
const part = (id: string, submitS: number, share: number, durationS = 10) =>
  job(id, submitS, 1, durationS, { share });

describe('placement by node scores', () => {
  for (const name of NAMES) {
    it(`${name} lets parts of GPUs start at once where fifo makes them wait`, () => {
      // Two GPUs: 0.6 and 0.5 take one each; 0.4 fits beside 0.6. fifo gives whole GPUs, on
      // which b is done in half its 10 s, and c waits for that.
      const jobs = [part('a', 0, 0.6), part('b', 0, 0.5), part('c', 0, 0.4)];
      const world = worldOf({ jobs, cluster: clusterOf({ nodes: 1, gpusPerNode: 2 }) });
      const starts = (policy: string) =>
        Object.values(rowsById(run(world, policy))).map(({ startS }) => startS);
      assert.deepEqual(starts('fifo'), [0, 0, 5]);
      assert.deepEqual(starts(name), [0, 0, 0]);
    });

    it(`${name} never gives more of a GPU than there is`, () => {
      const jobs = [part('a', 0, 0.5), part('b', 0, 0.4), part('c', 0, 0.2, 1)];
      const world = worldOf({ jobs, cluster: clusterOf({ nodes: 1, gpusPerNode: 1 }) });
      assert.ok((rowsById(run(world, name)).c?.startS ?? 0) >= 10);
    });
  }

  it('the rules choose differently: clustering takes an empty node where packing fills a used one', () => {
    // Node 0 holds half a GPU. A whole GPU: packing 50 - 1 = 49 there, 33 - 2 = 31 on node 1;
    // clustering floor(25 x 6500 / 8000) = 20 there, floor(25 x 6000 / 8000) + 25 = 43 on node 1.
    const jobs = [part('a', 0, 0.5), job('b', 1, 1, 10)];
    const world = worldOf({ jobs, cluster: clusterOf({ nodes: 2, gpusPerNode: 2 }) });
    assert.deepEqual(rowsById(run(world, 'gpu-packing')).b?.gpus, [1]);
    assert.deepEqual(rowsById(run(world, 'gpu-clustering')).b?.gpus, [2]);
  });

  it('best fit looks at whole nodes: the one with least left, though another GPU fits better', () => {
    // Node 0 (4 GPUs) gets 2 GPUs and 0.7 of the third, node 1 (1 GPU) is empty: 1300 and 1000 left.
    // For 0.3: 100 (1 - 0.5 x 1000 / 8000) = 93.75 on node 0, 100 (1 - 0.5 x 700 / 8000) = 95.6 on 1.
    const cluster = clusterOf({ nodes: 1, gpusPerNode: 4 }, { nodes: 1, gpusPerNode: 1 });
    const jobs = [job('a', 0, 2, 10), part('b', 0, 0.7), part('c', 1, 0.3)];
    const rows = rowsById(run(worldOf({ jobs, cluster }), 'best-fit'));
    assert.deepEqual(rows.b?.gpus, [4], 'one GPU is less than two');
    assert.deepEqual(rows.c?.gpus, [4]);
  });

  it('pwr opens the GPU of least power where fgd does not look at watts', () => {
    // Empty nodes of a hungry type (290 W more when in use) and of a frugal one (90 W more): power 0 and
    // 100. A whole GPU fragments neither node, so FGD alone takes the first.
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'frugal', powerLimitW: { min: 50, default: 100, max: 100 } })],
      [flatProfile(), flatProfile({ gpuType: 'frugal' })],
    );
    const cluster = clusterOf(
      { nodes: 1, gpusPerNode: 2 },
      { gpuType: 'frugal', nodes: 1, gpusPerNode: 2 },
    );
    const world = worldOf({ jobs: [job('a', 0, 1, 10)], profiles, cluster });
    assert.deepEqual(rowsById(run(world, 'fgd')).a?.gpus, [0]);
    assert.deepEqual(rowsById(run(world, 'pwr')).a?.gpus, [2]);
  });

  it('counts memory: a part does not go where its memory is not left', () => {
    const profiles = profileSet([flatGpu()], [flatProfile({ memoryGib: 9 })]);
    const jobs = [part('a', 0, 0.3), part('b', 0, 0.3)].map((one) => ({ ...one, memoryGib: 9 }));
    const world = worldOf({ jobs, profiles, cluster: clusterOf({ nodes: 1, gpusPerNode: 1 }) });
    assert.equal(rowsById(run(world, 'best-fit')).b?.startS, 10);
  });

  it('a gang that no node could hold is spread', () => {
    const world = worldOf({
      jobs: [job('a', 0, 3, 10)],
      cluster: clusterOf({ nodes: 2, gpusPerNode: 2 }),
    });
    assert.equal(rowsById(run(world, 'fgd')).a?.startS, 0);
  });
});
