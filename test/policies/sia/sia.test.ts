import assert from 'node:assert/strict';
import { GangCurves } from '../../../policies/elastic/index.ts';
import { loadSolver } from '../../../policies/lp/index.ts';
import { Choices, gangSizes } from '../../../policies/sia/configurations.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { fakeJob } from '../fake-jobs.ts';
import { contextOf, job, run, schedule } from '../schedule.ts';

const slowTime = (coreS: number) => ({ hostS: 0, memoryS: 0, coreS, q: 1 });
const profiles = profileSet(
  [flatGpu(), flatGpu({ name: 'slow' })],
  [
    flatProfile(),
    flatProfile({ gpuType: 'slow', time: slowTime(2) }),
    flatProfile({ workload: 'picky' }),
    flatProfile({ workload: 'picky', gpuType: 'slow', time: slowTime(4) }),
  ],
);

describe('sia', () => {
  before(loadSolver);

  it('gives the fast GPU to the job that gains most by it, where fifo gives it to the first', () => {
    // Costs are 1 on the slow GPU and 1/sqrt(2) or 1/sqrt(4) on the fast one: 1 + 0.5 is least. b is done
    // at 100 s, when a has done 50 s of its work. Its age factor is 100 / 130: on the fast GPU it costs
    // 1/sqrt(2 x 0.77) = 0.81 + 0.02, less than 1, so it moves.
    const jobs = [job('a', 0, 1, 100), job('b', 0, 1, 100, { workload: 'picky' })];
    const cluster = clusterOf({}, { gpuType: 'slow' });
    const world = worldOf({ jobs, cluster, profiles });
    assert.deepEqual(schedule(run(world, 'sia')), { a: [0, 150], b: [0, 100] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [0, 400] });
  });

  it('starts a gang with one GPU and at most doubles it each round', () => {
    // At 60 s the age factor is 60 / 90: two GPUs count as 1.33, 0.87 + 0.02 against 1. At 120 s, after one
    // restart, it is 90 / 150: four count as 2.4, 0.65 + 0.02 against 0.71. 300 = 60 + 120 + 4 x 30.
    const jobs = [job('a', 0, 1, 300, { maxGpus: 4 })];
    const world = worldOf({ jobs, cluster: clusterOf({ nodes: 1, gpusPerNode: 4 }) });
    assert.deepEqual(schedule(run(world, 'sia')), { a: [0, 150] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 300] });
    // A restart of 600 s is not worth it until the job is done.
    assert.deepEqual(schedule(run(world, 'sia', { restartS: 600 })), { a: [0, 300] });
  });

  it('leaves a gang idle rather than two single jobs', () => {
    const jobs = [job('a', 0, 2, 10), job('b', 0, 1, 10), job('c', 0, 1, 10)];
    const world = worldOf({ jobs, cluster: clusterOf({ nodes: 1, gpusPerNode: 2 }) });
    assert.deepEqual(schedule(run(world, 'sia', { roundS: 1 })), {
      a: [10, 20],
      b: [0, 10],
      c: [0, 10],
    });
  });
});

describe('the configurations of sia', () => {
  it('are powers of two within a node, then whole nodes, of each type', () => {
    const cluster = clusterOf(
      { nodes: 3, gpusPerNode: 4 },
      { gpuType: 'slow', nodes: 2, gpusPerNode: 3 },
      { nodes: 1, gpusPerNode: 2 },
    );
    assert.deepEqual(gangSizes(cluster, ['flat', 'slow']), [
      [1, 2, 4, 8, 12],
      [1, 2, 3, 6],
    ]);
  });

  it('of a job are those within its limits, and the least that it needs', () => {
    const cluster = clusterOf(
      { nodes: 1, gpusPerNode: 8 },
      { gpuType: 'slow', nodes: 1, gpusPerNode: 4 },
    );
    const { predictor } = contextOf(worldOf({ cluster, profiles }), 'sia');
    const choices = new Choices(new GangCurves(predictor), gangSizes(cluster, ['flat', 'slow']));
    const view = fakeJob(0, { gpuCount: 4, minGpus: 3, maxGpus: 8, types: [0, 1] });
    const { choices: found } = choices.of(view, 6);
    // Speeds over the slowest: 3 GPUs of the slow type.
    assert.deepEqual(
      found.map(({ type, gpus, speed }) => [type, gpus, Math.round(speed * 1000) / 1000]),
      [
        [0, 3, 2],
        [0, 4, 2.667],
        [1, 3, 1],
        [1, 4, 1.333],
      ],
    );
    assert.equal(choices.of(fakeJob(1, { ...view, index: 1 }), 6).id, choices.of(view, 6).id);
    assert.notEqual(choices.of(view, 3).id, choices.of(view, 6).id);
  });
});
