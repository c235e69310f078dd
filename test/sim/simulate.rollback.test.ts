import assert from 'node:assert/strict';
import type { Decision } from '../../sim/decisions.ts';
import { Outages } from '../../sim/outages.ts';
import { simulate } from '../../sim/simulate.ts';
import type { View } from '../../sim/view.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatJob, worldOf } from '../support/flat.ts';
import { firstInFirstOut, policyOf, scripted, start } from '../support/scripted.ts';

// What a job keeps when something happens to it while it changes its share or moves. Checkpoints take
// 4 s, starts nothing and restarts 10 s; failures come at the times that the seed gives.

const COSTS = { start: 0, checkpoint: 4, restart: 10 };
const MTBF_S = 1000;

/** A seed with which GPU `first` fails first, at a good time, and nothing else for a long time. */
function outageOf(first: number, gpus: number) {
  for (let seed = 1; seed < 10_000; seed += 1) {
    const outages = new Outages(gpus, MTBF_S, 20, 0, seed, 'gpu-failures');
    const atS = outages.nextS(first, 0);
    const repairS = outages.repairS(first);
    const others = Array.from({ length: gpus }, (_, gpu) => outages.nextS(gpu, atS + repairS));
    const early = Array.from({ length: gpus }, (_, gpu) =>
      gpu === first
        ? Infinity
        : new Outages(gpus, MTBF_S, 20, 0, seed, 'gpu-failures').nextS(gpu, 0),
    );
    if (atS > 60 && atS < 200 && Math.min(...others, ...early) > 1000)
      return { seed, atS, repairS };
  }
  throw new Error('no such seed');
}

function failingWorld(seed: number, durationS: number, gpus: number) {
  return worldOf({
    seed,
    jobs: [flatJob({ durationS })],
    cluster: clusterOf({ nodes: gpus }),
    options: { costs: COSTS, failures: { gpuMtbfS: MTBF_S, gpuRepairS: 20 } },
  });
}

const halve = (view: View): Decision[] => [{ kind: 'set-share', job: view.job(0), share: 0.5 }];

describe('simulate: a change of share', () => {
  const world = worldOf({ options: { costs: COSTS } });

  it('costs a checkpoint and a restart', () => {
    // 40 s done, checkpoint 40..44, restart 44..54, 60 s of work at half speed.
    const shares: number[] = [];
    const look = (view: View): Decision[] => {
      shares.push(view.cluster.shares[0]?.[0] ?? NaN);
      return [];
    };
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [40, halve],
      [43, look],
      [45, look],
    ]);
    const result = simulate(world, policy);
    const row = result.jobRow(0);
    assert.equal(row.endS, 54 + 120);
    close(result.summary.energyJ.transition, 14 * 50);
    assert.deepEqual([row.restarts, row.preemptions], [1, 0]);
    assert.deepEqual(shares, [1, 0.5]);
  });

  it('followed by a preemption keeps the work of its checkpoint, which is paid once', () => {
    // Preempted at 49, in the restart: nothing ran since the checkpoint. Again from 60: restart until
    // 70, then the 60 s that are left.
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [40, halve],
      [49, (view) => [{ kind: 'preempt', job: view.job(0) }]],
      [60, (view) => [start(view, 0, [0])]],
    ]);
    const result = simulate(world, policy);
    const row = result.jobRow(0);
    assert.equal(row.endS, 130);
    close(result.summary.energyJ.transition, (4 + 5 + 10) * 50);
    assert.deepEqual([row.restarts, row.preemptions, row.queueS], [2, 1, 11]);
    // While the checkpoint is being written the job is on its way already.
    assert.throws(
      () =>
        simulate(
          world,
          scripted([
            [0, (view) => [start(view, 0, [0])]],
            [40, halve],
            [42, (view) => [{ kind: 'preempt', job: view.job(0) }]],
          ]),
        ),
      /preempt of job 'a' refused: the job is checkpointing/,
    );
  });

  it('loses what was done since the last checkpoint to a failure, and nothing before it', () => {
    const { seed, atS, repairS } = outageOf(0, 1);
    const endAfter = (shareS: number): number => {
      const fifo = firstInFirstOut();
      let isDone = false;
      const policy = policyOf(function* (view) {
        if (view.nowS === 0) yield { kind: 'call-back', atS: shareS };
        if (view.nowS === shareS && !isDone) {
          isDone = true;
          yield* halve(view);
        }
        yield* fifo.decide(view);
      });
      const row = simulate(failingWorld(seed, 300, 1), policy).jobRow(0);
      assert.equal(row.restarts, shareS + 4 < atS ? 2 : 1);
      return row.endS;
    };
    // In the restart: the checkpoint of 9 s before holds. While it is written: all is lost.
    const inRestart = atS - 9;
    close(endAfter(inRestart), atS + repairS + 10 + 300 - inRestart);
    close(endAfter(atS - 3), atS + repairS + 10 + 300);
  });
});

describe('simulate: a migration whose target fails', () => {
  it('is called off: the job goes on where it is, for the price of its checkpoint', () => {
    const { seed, atS } = outageOf(1, 2);
    const states: string[] = [];
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [atS - 3, (view) => [{ kind: 'migrate', job: view.job(0), gpus: [1] }]],
      [
        atS + 2,
        (view) => {
          const job = view.job(0);
          states.push(job.state, String(job.gpus), String(view.cluster.residents[1]?.length));
          return [];
        },
      ],
    ]);
    const result = simulate(failingWorld(seed, 300, 2), policy);
    const row = result.jobRow(0);
    close(row.endS, 304);
    assert.deepEqual(states, ['running', '0', '0']);
    assert.deepEqual([row.restarts, row.gpus, result.summary.failures], [0, [0], 0]);
    close(row.energyJ, 300 * 300);
    // Context power on both GPUs until the failure, then on the one that is held.
    close(result.summary.energyJ.transition, 50 * (3 + 4));
  });

  it('leaves a checkpoint that counts, and a job that may be preempted meanwhile', () => {
    const { seed, atS } = outageOf(1, 2);
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [atS - 2, (view) => [{ kind: 'migrate', job: view.job(0), gpus: [1] }]],
      [atS + 1, (view) => [{ kind: 'preempt', job: view.job(0) }]],
      [atS + 10, (view) => [start(view, 0, [0])]],
    ]);
    const row = simulate(failingWorld(seed, 300, 2), policy).jobRow(0);
    close(row.endS, atS + 10 + 10 + 300 - (atS - 2));
    close(row.queueS, 8);
  });

  it('fails with the job where a GPU fails that it holds', () => {
    const { seed, atS, repairS } = outageOf(0, 2);
    const fifo = firstInFirstOut();
    const policy = policyOf(function* (view) {
      if (view.nowS === 0) yield { kind: 'call-back', atS: atS - 2 };
      const job = view.active.first;
      if (view.nowS === atS - 2 && job !== null) yield { kind: 'migrate', job, gpus: [1] };
      yield* fifo.decide(view);
    });
    const result = simulate(failingWorld(seed, 300, 2), policy);
    // Free again at once, GPU 1 gets the job, which starts over.
    close(result.jobRow(0).endS, atS + 10 + 300);
    assert.ok(repairS > 0);
    assert.deepEqual([result.summary.failures, result.jobRow(0).gpus], [1, [1]]);
  });

  it('is not touched by a fault of a client on a GPU that is only reserved', () => {
    // b on GPU 1 faults again and again; a writes its checkpoint to go there all the time.
    const world = worldOf({
      jobs: [flatJob({ durationS: 1000 }), flatJob({ id: 'b', durationS: 1000 })],
      cluster: clusterOf({ nodes: 2 }),
      options: {
        costs: { start: 0, restart: 0, checkpoint: 300 },
        failures: { clientMtbfS: 100, maxFailures: 3 },
      },
    });
    let failuresOfB = 0;
    const policy = policyOf(function* (view) {
      for (const job of view.left) {
        if (job.id !== 'b' || job.state !== 'queued') continue;
        const a = view.active.first;
        if (a?.state !== 'checkpointing') continue;
        failuresOfB += 1;
        assert.deepEqual(view.cluster.residents[1], [a.index]);
      }
      for (const job of view.queue) {
        yield { kind: 'start', job, gpus: [job.id === 'a' ? 0 : 1] };
        if (job.id === 'a') yield { kind: 'migrate', job, gpus: [1] };
      }
    });
    simulate(world, policy);
    assert.ok(failuresOfB > 0);
  });
});

describe('simulate: failures under different policies', () => {
  it('come at the same times, whatever sleeps or stays in repair', () => {
    // Node 1 sleeps or not; the outages of node 0 and its GPU are the same.
    const outagesOf0 = (sleeps: boolean): [number, boolean][] => {
      const seen: [number, boolean][] = [];
      const fifo = firstInFirstOut();
      const world = worldOf({
        jobs: [flatJob({ durationS: 3000, gpuTypes: ['flat'] })],
        cluster: clusterOf({ nodes: 3 }),
        options: {
          checkpointIntervalS: 5,
          costs: { checkpoint: 0 },
          failures: { gpuMtbfS: 300, gpuRepairS: 30, nodeMtbfS: 800, nodeRepairS: 50 },
        },
      });
      const policy = policyOf(function* (view) {
        const up = view.cluster.isAvailable(0);
        if (view.nowS < 2000 && seen.at(-1)?.[1] !== up) seen.push([view.nowS, up]);
        if (sleeps && view.nowS > 0 && view.nowS < 1500) {
          const state = view.cluster.nodeState(1);
          const isEmpty = view.cluster.residents[1]?.length === 0;
          if (state === 'on' && isEmpty) yield { kind: 'sleep', node: 1 };
        }
        yield* fifo.decide(view);
      });
      simulate(world, policy);
      return seen;
    };
    const awake = outagesOf0(false);
    assert.ok(awake.length > 6, `${awake.length} changes`);
    assert.deepEqual(outagesOf0(true), awake);
  });
});
