import assert from 'node:assert/strict';
import type { JobSpec } from '../../sim/job.ts';
import { simulate } from '../../sim/simulate.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { firstInFirstOut, scripted, start } from '../support/scripted.ts';

// By hand: at each doubling of the GPUs in a node 0.8 of the throughput is kept, of the nodes 0.5.
// Speedups in one node: 1, 1.6, 2.56 for 1, 2, 4 GPUs.

const SCALING = { withinNode: 0.8, acrossNodes: 0.5 };
const PROFILES = profileSet([flatGpu()], [flatProfile({ scaling: SCALING })]);

function worldWith(job: Partial<JobSpec>, gpusPerNode: number, nodes = 1, profiles = PROFILES) {
  const jobs = [flatJob({ minGpus: 1, maxGpus: 8, ...job })];
  return worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode, nodes }) });
}

/** When a job of 100 s is done on these GPUs, and its energy. */
function ending(
  gpuCount: number,
  gpus: readonly number[],
  gpusPerNode: number,
  nodes = 1,
): [endS: number, energyJ: number, slowdown: number] {
  const world = worldWith({ gpuCount }, gpusPerNode, nodes);
  const { endS, energyJ, slowdown } = simulate(
    world,
    scripted([[0, (view) => [start(view, 0, gpus)]]]),
  ).jobRow(0);
  return [endS, energyJ, slowdown];
}

describe('simulate: elastic gangs', () => {
  it('run by the speedup of their size, each GPU at the power of its part of the speed', () => {
    assert.deepEqual(ending(1, [0], 4), [100, 100 * 300, 1]);
    const [twoS, twoJ] = ending(1, [0, 1], 4);
    close(twoS, 100 / 1.6);
    close(twoJ, (100 / 1.6) * 2 * (50 + 250 * 0.8));
    const [fourS, fourJ, slowdown] = ending(1, [0, 1, 2, 3], 4);
    close(fourS, 100 / 2.56);
    close(fourJ, (100 / 2.56) * 4 * (50 + 250 * 0.64));
    close(slowdown, 1);
  });

  it('have the work of their own gang: smaller ones go on for longer at full power', () => {
    assert.deepEqual(ending(4, [0, 1, 2, 3], 4), [100, 100 * 4 * 300, 1]);
    const [twoS, twoJ] = ending(4, [2, 3], 4);
    close(twoS, (100 * 2.56) / 1.6);
    close(twoJ, 160 * 2 * 300);
    const [oneS, oneJ] = ending(4, [1], 4);
    close(oneS, 256);
    close(oneJ, 256 * 300);
  });

  it('lose more where they grow over nodes, and again where they lie on more than they need', () => {
    // Own gang: two in a node of two. Four on two nodes: 4 * 0.8 * 0.5 = 1.6, as fast as the two.
    const [fourS, fourJ] = ending(2, [0, 1, 2, 3], 2, 4);
    close(fourS, 100);
    close(fourJ, 100 * 4 * (50 + 250 * 0.5));
    const [spreadS] = ending(2, [0, 2, 4, 6], 2, 4);
    close(spreadS, 200);
    const [oneS] = ending(2, [0], 2, 4);
    close(oneS, 160);
  });

  it('may have a size between powers of two', () => {
    const [threeS] = ending(1, [0, 1, 2], 4);
    close(threeS, 100 / (3 * 0.8 ** Math.log2(3)));
  });

  it('keep their work when they move to another size, which costs what any move does', () => {
    // 50 s of work on one GPU, checkpoint 3 s, restart 7 s, then 50 s of work at 2.56 from 60 on; at
    // 70 down to one again: 25.6 s done, 24.4 s left from 80 on.
    const costly = profileSet(
      [flatGpu()],
      [flatProfile({ scaling: SCALING, checkpointS: 3, restartS: 7 })],
    );
    const seen: number[] = [];
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [50, (view) => [{ kind: 'migrate', job: view.job(0), gpus: [0, 1, 2, 3] }]],
      [
        70,
        (view) => {
          seen.push(view.job(0).remainingS, view.cluster.freeGpuTotal);
          return [{ kind: 'migrate', job: view.job(0), gpus: [3] }];
        },
      ],
      [
        81,
        (view) => {
          seen.push(view.job(0).remainingS, view.cluster.freeGpuTotal);
          return [];
        },
      ],
    ]);
    const result = simulate(worldWith({}, 4, 1, costly), policy);
    const row = result.jobRow(0);
    close(row.endS, 80 + 24.4);
    [24.4, 0, 23.4, 3].forEach((expected, i) => {
      close(seen[i] ?? NaN, expected);
    });
    assert.deepEqual([row.gpus, row.restarts], [[3], 2]);
    close(row.energyJ, 50 * 300 + 10 * 4 * (50 + 250 * 0.64) + 24.4 * 300);
    // Every GPU that it holds waits at context power: one, then four reserved, then four again.
    close(result.summary.energyJ.transition, 50 * 4 * (3 + 7 + 3) + 50 * 7);
  });

  it('share GPUs: the slowest member counts, and its mates draw for what they achieve', () => {
    // On two GPUs at 0.5 * 1.6 of the speed while b is on the second: 40 s of work by 50.
    const jobs = [flatJob({ maxGpus: 2 }), flatJob({ id: 'b', durationS: 25 })];
    const world = worldOf({ jobs, profiles: PROFILES, cluster: clusterOf({ gpusPerNode: 2 }) });
    const policy = scripted([[0, (view) => [start(view, 0, [0, 1]), start(view, 1, [1])]]]);
    const row = simulate(world, policy).jobRow(0);
    close(row.endS, 50 + 60 / 1.6);
    // GPU 0 gives 0.4 of what it could, GPU 1 gives 0.8 of its half; then both 0.8.
    close(row.energyJ, 50 * (50 + 250 * 0.4 + 25 + 125 * 0.8) + (60 / 1.6) * 2 * (50 + 250 * 0.8));
  });

  it('are rejected only where their smallest gang is too large for the cluster', () => {
    const jobs = [
      flatJob({ id: 'a', gpuCount: 8, minGpus: 2, maxGpus: 8 }),
      flatJob({ id: 'b', gpuCount: 8, minGpus: 3, maxGpus: 8 }),
    ];
    const world = worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 2 }) });
    const result = simulate(world, scripted([[0, (view) => [start(view, 0, [0, 1])]]]));
    assert.equal(result.jobRow(0).endS, 400);
    assert.equal(result.jobRow(1).state, 'rejected');
    assert.match(result.jobRow(1).reason, /^needs 3 gpus, the cluster has 2/);
  });

  it('show their sizes to the policy, and refuse others', () => {
    const world = worldWith({ gpuCount: 3, minGpus: 2, maxGpus: 4 }, 8);
    const attempt = (gpus: readonly number[]) =>
      simulate(world, scripted([[0, (view) => [start(view, 0, gpus)]]]));
    const sizes: number[][] = [];
    const look = scripted([
      [
        0,
        (view) => {
          const { gpuCount, minGpus, maxGpus } = view.job(0);
          sizes.push([gpuCount, minGpus, maxGpus]);
          return [start(view, 0, [0, 1])];
        },
      ],
    ]);
    assert.equal(simulate(world, look).summary.jobs.done, 1);
    assert.deepEqual(sizes, [[3, 2, 4]]);
    assert.throws(() => attempt([0]), /1 gpus given, the job needs 2 to 4/);
    assert.throws(() => attempt([0, 1, 2, 3, 4]), /5 gpus given, the job needs 2 to 4/);
    assert.equal(attempt([0, 1, 2, 3]).summary.jobs.done, 1);
  });

  it('of policies that know no sizes run with their own gang', () => {
    const world = worldWith({ gpuCount: 2 }, 4);
    assert.equal(simulate(world, firstInFirstOut()).jobRow(0).endS, 100);
  });
});
