import assert from 'node:assert/strict';
import type { ClusterSpec } from '../../sim/cluster/cluster.ts';
import type { SimulationResult } from '../../sim/result.ts';
import { simulate } from '../../sim/simulate.ts';
import type { DecisionMaker } from '../../sim/view.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatJob, worldOf } from '../support/flat.ts';
import { firstInFirstOut, policyOf, scripted, start } from '../support/scripted.ts';

// By hand, a job of 100 s, a checkpoint of 1 s after each 10 s of running, and a GPU that fails at 35 s
// and is repaired at 50 s: it runs 0..10, 11..21, 22..32 and from 33 on; its checkpoints are written at
// 11, 22 and 33. The 2 s since then are lost, 70 s are left at 50 s: 7 runs of 10 s with 6 checkpoints
// between them, done at 50 + 70 + 6 = 126 s. `replay` below does this for the failures that a seed gives.

interface Outage {
  readonly fromS: number;
  readonly toS: number;
}

/** What a run on one GPU must come to, by the outages that were observed. */
function replay(durationS: number, intervalS: number, costS: number, outages: readonly Outage[]) {
  let nowS = 0;
  let leftS = durationS;
  let runningS = 0;
  let checkpointingS = 0;
  let lost = 0;
  for (const { fromS, toS } of [...outages, { fromS: Infinity, toS: Infinity }]) {
    // Runs and checkpoints until it is done or the GPU fails; only written checkpoints count.
    for (;;) {
      const runS = Math.min(intervalS, leftS);
      if (nowS + runS >= fromS) {
        runningS += fromS - nowS;
        break;
      }
      runningS += runS;
      nowS += runS;
      if (runS === leftS) return { endS: nowS, runningS, checkpointingS, lost };
      if (nowS + costS > fromS) {
        checkpointingS += fromS - nowS;
        break;
      }
      checkpointingS += costS;
      nowS += costS;
      leftS -= runS;
    }
    lost += 1;
    nowS = toS;
  }
  throw new Error('unreachable');
}

/** Runs a world and notes when each GPU draws nothing: its outages. */
function observed(
  world: ReturnType<typeof worldOf>,
  policy: DecisionMaker,
): { readonly result: SimulationResult; readonly outages: Outage[][] } {
  const down = new Map<number, number>();
  const outages: Outage[][] = [];
  const result = simulate(world, policy, {
    gpuState: ({ gpu, fromS, powerW }) => {
      outages[gpu] ??= [];
      const sinceS = down.get(gpu);
      if (powerW === 0) {
        if (sinceS === undefined) down.set(gpu, fromS);
      } else if (sinceS !== undefined) {
        outages[gpu].push({ fromS: sinceS, toS: fromS });
        down.delete(gpu);
      }
    },
  });
  for (const [gpu, fromS] of down) outages[gpu]?.push({ fromS, toS: Infinity });
  return { result, outages };
}

describe('simulate: failures', () => {
  it('replays the case worked out by hand', () => {
    const { endS, lost } = replay(100, 10, 1, [{ fromS: 35, toS: 50 }]);
    assert.deepEqual([endS, lost], [126, 1]);
  });

  it('rolls a job back to its last checkpoint and charges it all that it ran', () => {
    let failures = 0;
    for (let seed = 1; seed <= 20; seed += 1) {
      const world = worldOf({
        seed,
        options: {
          checkpointIntervalS: 10,
          costs: { checkpoint: 1 },
          failures: { gpuMtbfS: 60, gpuRepairS: 15 },
        },
      });
      const { result, outages } = observed(world, firstInFirstOut());
      const row = result.jobRow(0);
      const expected = replay(100, 10, 1, outages[0] ?? []);
      close(row.endS, expected.endS, 1e-12, 'end:');
      close(row.energyJ, expected.runningS * 300, 1e-12, 'energy:');
      close(result.summary.energyJ.transition, expected.checkpointingS * 50, 1e-9, 'transition:');
      assert.equal(result.summary.failures, expected.lost);
      assert.equal(row.restarts, expected.lost);
      // A GPU that is down draws nothing, and it never idles otherwise: FIFO restarts it at once.
      assert.equal(result.summary.energyJ.idle, 0);
      close(row.queueS + row.runS, row.jctS, 1e-12);
      failures += expected.lost;
    }
    assert.ok(failures > 20, `only ${failures} failures were tried`);
  });

  it('starts a job over where it has no checkpoint', () => {
    const world = worldOf({ seed: 3, options: { failures: { gpuMtbfS: 60, gpuRepairS: 15 } } });
    const { result, outages } = observed(world, firstInFirstOut());
    const expected = replay(100, Infinity, 0, outages[0] ?? []);
    assert.ok(expected.lost > 0);
    close(result.jobRow(0).endS, expected.endS, 1e-12);
    close(result.jobRow(0).energyJ, expected.runningS * 300, 1e-12);
  });

  it('gives a gang up after its failures, charged on every GPU up to that instant', () => {
    const world = worldOf({
      seed: 5,
      jobs: [flatJob({ gpuCount: 4, durationS: 1e6 })],
      cluster: clusterOf({ gpusPerNode: 4 }),
      options: { failures: { gpuMtbfS: 400, maxFailures: 0 } },
    });
    const { summary, ...result } = simulate(world, firstInFirstOut());
    const row = result.jobRow(0);
    assert.equal(row.state, 'failed');
    assert.deepEqual(
      [summary.jobs.submitted, summary.jobs.done, summary.jobs.failed, summary.failures],
      [1, 0, 1, 1],
    );
    assert.ok(row.endS > 0 && row.endS < 1e6);
    close(row.energyJ, 4 * 300 * row.endS, 1e-12);
    close(summary.energyJ.total, row.energyJ, 1e-12);
  });

  it('retries as often as it may', () => {
    const world = worldOf({
      jobs: [flatJob({ durationS: 1e6 })],
      options: { failures: { gpuMtbfS: 50, maxFailures: 3 } },
    });
    const { summary } = simulate(world, firstInFirstOut());
    assert.deepEqual([summary.failures, summary.restarts, summary.jobs.failed], [4, 3, 1]);
  });

  it('takes all GPUs of a node down together, and the hosts with them', () => {
    const cluster: ClusterSpec = clusterOf({ nodes: 3, gpusPerNode: 2 });
    const jobs = Array.from({ length: 6 }, (_, i) => flatJob({ id: `${i}`, durationS: 500 }));
    const world = worldOf({
      jobs,
      cluster,
      options: { hostPowerW: 10, failures: { nodeMtbfS: 800, nodeRepairS: 40 } },
    });
    const { result, outages } = observed(world, firstInFirstOut());
    for (const node of [0, 1, 2]) assert.deepEqual(outages[2 * node], outages[2 * node + 1]);
    const { makespanS, energyJ, jobs: counts } = result.summary;
    let downS = 0;
    for (const node of [0, 1, 2]) {
      for (const { fromS, toS } of outages[2 * node] ?? []) {
        downS += Math.min(toS, makespanS) - fromS;
      }
    }
    assert.ok(downS > 0);
    assert.equal(counts.done, 6);
    close(energyJ.host, 10 * (3 * makespanS - downS));
  });

  it('takes every MPS client of a GPU down with one, and none on other GPUs', () => {
    // a and b on GPU 0, c on GPU 1; only clients fail.
    const jobs = ['a', 'b', 'c'].map((id) => flatJob({ id, durationS: 1e5 }));
    const world = worldOf({
      jobs,
      cluster: clusterOf({ gpusPerNode: 2 }),
      options: { failures: { clientMtbfS: 30_000, maxFailures: 2 } },
    });
    const homes = [0, 0, 1];
    const leavings: string[] = [];
    const policy = policyOf(function* (view) {
      if (view.left.length > 0) leavings.push(view.left.map(({ id }) => id).join(''));
      for (const job of view.queue) yield start(view, job.index, [homes[job.index] ?? 0]);
    });
    const { summary } = simulate(world, policy);
    assert.equal(summary.jobs.done + summary.jobs.failed, 3);
    assert.ok(leavings.length > 1);
    // While both are there, a and b go together; c goes alone.
    for (const together of leavings) assert.ok(['ab', 'c'].includes(together), together);
  });

  it('takes one client down alone where the GPU is time-sliced', () => {
    const jobs = ['a', 'b'].map((id) => flatJob({ id, durationS: 1e5 }));
    const world = worldOf({ jobs, options: { failures: { clientMtbfS: 30_000, maxFailures: 1 } } });
    const leavings: string[] = [];
    const policy = policyOf(
      function* (view) {
        if (view.left.length > 0) leavings.push(view.left.map(({ id }) => id).join(''));
        for (const job of view.queue) yield start(view, job.index, [0]);
      },
      { mode: 'time-slice' },
    );
    simulate(world, policy);
    assert.ok(leavings.length > 1);
    assert.ok(leavings.every((ids) => ids.length === 1));
  });

  it('fails a job that starts, writes a checkpoint or migrates like one that runs', () => {
    // Both the source and the target of a migration may fail while the checkpoint is written.
    for (let seed = 1; seed <= 20; seed += 1) {
      const world = worldOf({
        seed,
        jobs: [flatJob({ durationS: 200 })],
        cluster: clusterOf({ nodes: 2 }),
        options: {
          costs: { start: 5, restart: 5, checkpoint: 20 },
          failures: { gpuMtbfS: 150, gpuRepairS: 10 },
        },
      });
      const policy = policyOf(function* (view) {
        for (const job of view.queue) {
          const gpu = [0, 1].find((free) => view.cluster.isFree(free));
          if (gpu !== undefined) yield { kind: 'start', job, gpus: [gpu] };
        }
        for (const job of view.active) {
          const to = 1 - (job.gpus[0] ?? 0);
          if (job.state === 'running' && job.attainedS > 0 && view.cluster.isFree(to)) {
            yield { kind: 'migrate', job, gpus: [to] };
          } else if (job.state === 'running') yield { kind: 'call-back', atS: view.nowS + 30 };
        }
      });
      const { summary } = simulate(world, policy);
      assert.equal(summary.jobs.done, 1);
    }
  });

  it('forgets the checkpoint in whose writing a job failed', () => {
    // Fails while it writes a periodic checkpoint, is started again and then preempted: it must leave.
    let tried = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const world = worldOf({
        seed,
        options: {
          checkpointIntervalS: 20,
          costs: { checkpoint: 20, restart: 0 },
          failures: { gpuMtbfS: 70, gpuRepairS: 1 },
        },
      });
      let before = '';
      let isArmed = false;
      let mustLeave = false;
      const policy = policyOf(function* (view) {
        const job = view.queue.first ?? view.active.first;
        if (job === null) return;
        if (mustLeave && job.state !== 'checkpointing') {
          assert.equal(job.state, 'queued', `seed ${seed}`);
          mustLeave = false;
        }
        if (job.state === 'running' && isArmed) {
          isArmed = false;
          mustLeave = true;
          tried += 1;
          yield { kind: 'preempt', job };
        } else if (job.state === 'queued' && view.cluster.isFree(0)) {
          // Started after it failed in a checkpoint: it is preempted 5 s later.
          isArmed ||= before === 'checkpointing' && job.preemptions === 0;
          yield { kind: 'start', job, gpus: [0] };
          yield { kind: 'call-back', atS: view.nowS + 5 };
        }
        if (job.state !== 'queued') before = job.state;
      });
      assert.equal(simulate(world, policy).summary.jobs.done, 1);
    }
    assert.ok(tried > 5, `tried ${tried} times`);
  });

  it('ends the context of a GPU that fails', () => {
    // Whatever happens after the job is done, with an endless hold the GPU is at 50 W (context) until it
    // first fails, then at 0 W, then at 20 W (idle): no context is left after a repair.
    const world = worldOf({
      seed: 2,
      jobs: [flatJob({ durationS: 1 }), flatJob({ id: 'b', submitS: 5000, durationS: 1 })],
      options: { contextHoldS: 4000, failures: { gpuMtbfS: 300, gpuRepairS: 50 } },
    });
    const powers: number[] = [];
    simulate(world, firstInFirstOut(), {
      gpuState: ({ fromS, powerW }) => {
        if (fromS > 1 && fromS < 4900) powers.push(powerW);
      },
    });
    const states = powers.filter((powerW, i) => powerW !== powers[i - 1]);
    assert.deepEqual(states.slice(0, 3), [0, 20, 0]);
    assert.ok(!states.includes(50));
  });

  it('fails no GPU of a node that is asleep, nor the node', () => {
    const world = worldOf({
      jobs: [flatJob({ durationS: 2000 })],
      cluster: clusterOf({ nodes: 2 }),
      options: {
        checkpointIntervalS: 1,
        costs: { checkpoint: 0 },
        failures: { gpuMtbfS: 100, nodeMtbfS: 100, gpuRepairS: 1, nodeRepairS: 1 },
      },
    });
    const powers: number[] = [];
    const policy = policyOf(function* (view) {
      if (view.cluster.nodeState(1) === 'on') yield { kind: 'sleep', node: 1 };
      const job = view.queue.first;
      if (job !== null && view.cluster.isFree(0)) yield { kind: 'start', job, gpus: [0] };
    });
    const { summary } = simulate(world, policy, {
      gpuState: ({ gpu, powerW }) => {
        if (gpu === 1) powers.push(powerW);
      },
    });
    assert.deepEqual(powers, [20, 5]);
    assert.ok(summary.failures > 10);
  });

  it('draws the same failures of GPUs and nodes whether or not clients fail too', () => {
    const outagesWith = (clientMtbfS: number): Outage[] => {
      const world = worldOf({
        jobs: [flatJob({ durationS: 3000 })],
        options: {
          checkpointIntervalS: 5,
          costs: { checkpoint: 0 },
          failures: { gpuMtbfS: 500, gpuRepairS: 100, clientMtbfS },
        },
      });
      return (observed(world, firstInFirstOut()).outages[0] ?? []).slice(0, 4);
    };
    assert.deepEqual(outagesWith(200), outagesWith(Infinity));
  });

  it('gives a run up that a policy leaves waiting, however many failures go on', () => {
    const world = worldOf({
      options: { paranoid: false, failures: { gpuMtbfS: 10, gpuRepairS: 10 } },
    });
    assert.throws(
      () =>
        simulate(
          world,
          policyOf(() => []),
        ),
      (error: Error) => error.name === 'InvariantError' && error.message.includes("'a' (queued)"),
    );
  });

  it('gives a run up in which nothing will be repaired any more', () => {
    const world = worldOf({
      jobs: [flatJob({ durationS: 1e9 })],
      options: { failures: { gpuMtbfS: 10, gpuRepairS: Infinity } },
    });
    assert.throws(() => simulate(world, scripted([[0, (view) => [start(view, 0, [0])]]])), {
      name: 'InvariantError',
    });
  });
});
