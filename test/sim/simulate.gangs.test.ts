import assert from 'node:assert/strict';
import { simulate } from '../../sim/simulate.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { firstInFirstOut, scripted, start } from '../support/scripted.ts';

// By hand: `slow` takes 2 s for the step that takes `flat` 1 s, at 100 W of dynamic power. A gang of one
// on each goes at the speed of the slow one: 100 s of work on flat take 200 s. The flat GPU waits half
// of the time: 50 + 250 / 2 = 175 W; the slow one draws 50 + 100 W. Together 200 s * 325 W = 65,000 J.

const TWO_TYPES = profileSet(
  [flatGpu(), flatGpu({ name: 'slow' })],
  [
    flatProfile(),
    flatProfile({
      gpuType: 'slow',
      time: { hostS: 0, memoryS: 0, coreS: 2, q: 1 },
      power: { memoryW: 0, coreW: 100 },
      capFraction: 1,
    }),
  ],
);

describe('simulate: gangs', () => {
  it('run at the speed of the slowest member, and members that wait draw less', () => {
    const world = worldOf({
      jobs: [flatJob({ gpuCount: 2 })],
      profiles: TWO_TYPES,
      cluster: clusterOf({}, { gpuType: 'slow' }),
    });
    const powers = new Map<number, number>();
    const result = simulate(world, firstInFirstOut(), {
      gpuState: ({ gpu, fromS, powerW }) => {
        if (fromS === 0) powers.set(gpu, powerW);
      },
    });
    assert.equal(result.jobRow(0).endS, 200);
    assert.deepEqual(
      [...powers],
      [
        [0, 175],
        [1, 150],
      ],
    );
    close(result.jobRow(0).energyJ, 65_000);
    assert.deepEqual(result.jobRow(0).gpuTypes, ['flat', 'slow']);
    // Alone on the same GPUs it would take as long.
    assert.equal(result.jobRow(0).slowdown, 1);
  });

  it('take work in seconds on the type that the trace names', () => {
    const cluster = clusterOf({}, { gpuType: 'slow' });
    const jobs = [
      flatJob({ referenceGpu: 'slow', gpuTypes: ['flat'] }),
      flatJob({ id: 'b', gpuTypes: ['slow'] }),
    ];
    const result = simulate(worldOf({ jobs, profiles: TWO_TYPES, cluster }), firstInFirstOut());
    assert.deepEqual([result.jobRow(0).endS, result.jobRow(1).endS], [50, 200]);
    assert.deepEqual([result.jobRow(0).slowdown, result.jobRow(1).slowdown], [1, 1]);
  });

  it('keep their throughput on as few nodes as they need, and lose some for each doubling', () => {
    // Four members on nodes of two: on two nodes 100 s; on four, one doubling, at 0.8 of the speed
    // 125 s; on three 0.8 ** log2(1.5). The power of the members falls with the speed.
    const endOn = (gpus: readonly number[]): [number, number] => {
      const world = worldOf({
        jobs: [flatJob({ gpuCount: 4 })],
        profiles: profileSet(
          [flatGpu()],
          [flatProfile({ scaling: { withinNode: 0.9, acrossNodes: 0.8 } })],
        ),
        cluster: clusterOf({ nodes: 4, gpusPerNode: 2 }),
      });
      const { endS, energyJ } = simulate(
        world,
        scripted([[0, (view) => [start(view, 0, gpus)]]]),
      ).jobRow(0);
      return [endS, energyJ];
    };
    assert.deepEqual(endOn([0, 1, 2, 3]), [100, 100 * 4 * 300]);
    const [spreadS, spreadJ] = endOn([0, 2, 4, 6]);
    close(spreadS, 125);
    close(spreadJ, 125 * 4 * (50 + 250 * 0.8));
    const [threeS, threeJ] = endOn([0, 1, 2, 4]);
    close(threeS, 100 / 0.8 ** Math.log2(1.5));
    close(threeJ, threeS * 4 * 50 + 100 * 4 * 250);
  });

  it('wait for a member that shares its GPU, while the company there feels full demand', () => {
    // a on GPUs 0 and 1, b joins GPU 1: both at half speed there. a's member on GPU 0 draws
    // 50 + 125 W; GPU 1 draws 50 + 125 + 125 W.
    const world = worldOf({
      jobs: [flatJob({ gpuCount: 2 }), flatJob({ id: 'b', submitS: 50, durationS: 25 })],
      cluster: clusterOf({ gpusPerNode: 2 }),
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0, 1])]],
      [50, (view) => [start(view, 1, [1])]],
    ]);
    const result = simulate(world, policy);
    // b ends at 100; a has done 75 by then and ends at 125.
    assert.deepEqual([result.jobRow(0).endS, result.jobRow(1).endS], [125, 100]);
    close(result.jobRow(1).energyJ, 50 * (125 + 25));
    close(result.jobRow(0).energyJ, 75 * 600 + 50 * (125 + 50 + 125 + 25));
    close(result.jobRow(0).slowdown, 1.25);
  });

  it('slow down together when the clock of one member falls', () => {
    const world = worldOf({
      jobs: [flatJob({ gpuCount: 2 })],
      cluster: clusterOf({ nodes: 2 }),
      options: { costs: { clockTransition: 0 } },
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0, 1])]],
      [50, () => [{ kind: 'set-clock', gpu: 1, clockMhz: 500 }]],
    ]);
    const row = simulate(world, policy).jobRow(0);
    assert.equal(row.endS, 150);
    // GPU 0 waits half of the time (50 + 125 W), GPU 1 runs at half clock (50 + 125 W).
    close(row.energyJ, 50 * 600 + 100 * 350);
  });

  it('may ask for a part of each GPU: of its SMs, its memory, its place in the queue of fairness', () => {
    // Two gangs of halves on the same two GPUs: each runs its 100 s, on 8 of the 16 GiB and at half of
    // the dynamic power; a third finds no memory. Together they demand just the two GPUs there are.
    const half = (id: string) => flatJob({ id, gpuCount: 2, share: 0.5 });
    const world = worldOf({ jobs: [half('a'), half('b')], cluster: clusterOf({ gpusPerNode: 2 }) });
    const free: number[] = [];
    const policy = scripted([
      [
        0,
        function* (view) {
          yield start(view, 0, [0, 1]);
          free.push(view.cluster.freeMemoryGib(0), view.job(1).memoryGib(0));
          yield start(view, 1, [1, 0]);
          free.push(view.cluster.freeMemoryGib(0), view.cluster.freeMemoryGib(1));
        },
      ],
    ]);
    const result = simulate(world, policy);
    assert.deepEqual(free, [8, 8, 0, 0]);
    for (const index of [0, 1]) {
      const row = result.jobRow(index);
      assert.equal(row.endS, 100);
      close(row.energyJ, 100 * 2 * (125 + 25));
      // Against whole GPUs.
      close(row.slowdown, 2);
    }
    close(result.summary.fairness.worstRho, 1);
    close(result.summary.fairness.jain, 1);
    close(result.summary.gpuUtilisation, 1);
    const third = worldOf({
      jobs: [half('a'), half('b'), half('c')],
      cluster: clusterOf({ gpusPerNode: 2 }),
    });
    const crowd = scripted([[0, (view) => [0, 1, 2].map((index) => start(view, index, [0, 1]))]]);
    assert.throws(() => simulate(third, crowd), /gpu 0 has 0 GiB free, the job needs 8 GiB/);
  });

  it('of parts are rejected where not one of enough GPUs has the memory that they state', () => {
    const world = worldOf({
      jobs: [
        flatJob({ gpuCount: 2, share: 0.5, memoryGib: 17 }),
        flatJob({ id: 'b', gpuCount: 3, share: 0.5 }),
      ],
      cluster: clusterOf({ gpusPerNode: 2 }),
    });
    const { jobs } = simulate(world, firstInFirstOut()).summary;
    assert.deepEqual(jobs.rejectedByReason, { memory: 1, too_many_gpus: 1 });
  });

  it('run faster than asked for on larger parts, and may take another on each GPU', () => {
    const world = worldOf({
      jobs: [flatJob({ gpuCount: 2, share: 0.25 })],
      cluster: clusterOf({ gpusPerNode: 2 }),
    });
    const endWith = (share: number | readonly number[]): number =>
      simulate(world, scripted([[0, (view) => [start(view, 0, [0, 1], share)]]])).jobRow(0).endS;
    assert.deepEqual([endWith(0.25), endWith(0.5), endWith([1, 0.5])], [100, 50, 50]);
  });

  it('are one job each, however many members they have', () => {
    const jobs = [flatJob({ gpuCount: 4 }), flatJob({ id: 'b', gpuCount: 1, durationS: 50 })];
    const { summary } = simulate(
      worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 5 }) }),
      firstInFirstOut(),
    );
    assert.equal(summary.jobs.done, 2);
    assert.equal(summary.jctS.mean, 75);
  });
});
