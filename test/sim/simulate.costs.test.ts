import assert from 'node:assert/strict';
import { simulate } from '../../sim/simulate.ts';
import type { View } from '../../sim/view.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { scripted, start } from '../support/scripted.ts';

// By hand, start 5 s, checkpoint 3 s, restart 7 s: a job of 100 s holds its GPU from 0, runs from 5,
// is preempted at 45 (40 s done), holds the GPU until its checkpoint is written at 48, starts again at
// 60, runs from 67 and is done at 127.
//   running 100 s * 300 W, transition (5 + 3 + 7) s * 50 W = 750 J, idle 12 s * 20 W
//   queue 12 s, holding GPUs 48 + 67 = 115 s, JCT 127 s

const PROFILES = profileSet([flatGpu()], [flatProfile({ startS: 5, checkpointS: 3, restartS: 7 })]);

function preemptFirst(view: View) {
  return [{ kind: 'preempt', job: view.job(0) } as const];
}

describe('simulate: costs of start, checkpoint and restart', () => {
  it('holds GPUs at context power and makes no progress meanwhile', () => {
    const states: string[] = [];
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [45, preemptFirst],
      [
        46,
        (view) => {
          states.push(view.job(0).state, String(view.job(0).gpus), String(view.active.size));
          return [];
        },
      ],
      [60, (view) => [start(view, 0, [0])]],
    ]);
    const result = simulate(worldOf({ profiles: PROFILES }), policy);
    const row = result.jobRow(0);
    assert.deepEqual([row.queueS, row.runS, row.jctS], [12, 115, 127]);
    assert.equal(row.startS, 0);
    close(row.energyJ, 30_000);
    const { energyJ } = result.summary;
    close(energyJ.transition, 750);
    close(energyJ.idle, 240);
    close(energyJ.active, 30_750);
    assert.deepEqual(states, ['checkpointing', '0', '1']);
    close(result.summary.gpuUtilisation, 100 / 127);
  });

  it('takes one number for all jobs instead of the profile, where the options give one', () => {
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [45, preemptFirst],
      [60, (view) => [start(view, 0, [0])]],
    ]);
    const options = { costs: { start: 1, checkpoint: 2, restart: 4 } };
    const result = simulate(worldOf({ profiles: PROFILES, options }), policy);
    // Runs 1..45 and, restarted at 60, 64..120.
    assert.equal(result.jobRow(0).endS, 120);
    close(result.summary.energyJ.transition, 7 * 50);
  });

  it('sends a job that still starts back at once, without a checkpoint', () => {
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [2, preemptFirst],
      [10, (view) => [start(view, 0, [0])]],
    ]);
    const row = simulate(worldOf({ profiles: PROFILES }), policy).jobRow(0);
    // 2 s held, 8 s queued, then a restart of 7 s (it has held GPUs before) and 100 s.
    assert.deepEqual([row.endS, row.queueS, row.runS, row.startS], [117, 8, 109, 0]);
    assert.deepEqual([row.preemptions, row.restarts], [1, 1]);
  });

  it('gives the GPU of a preempted job to another only when the checkpoint is written', () => {
    const world = worldOf({
      profiles: PROFILES,
      jobs: [flatJob(), flatJob({ id: 'b', submitS: 45, durationS: 10 })],
    });
    const policy = scripted(
      [
        [0, (view) => [start(view, 0, [0])]],
        [45, preemptFirst],
        [48, (view) => [start(view, 1, [0])]],
        [63, (view) => [start(view, 0, [0])]],
      ],
      { mode: 'exclusive' },
    );
    const result = simulate(world, policy);
    assert.equal(result.jobRow(1).endS, 63);
    assert.equal(result.jobRow(0).endS, 130);
  });

  it('holds both sets of GPUs while a migrating job writes its checkpoint', () => {
    // Runs on 0 from 5, migrates at 45: both GPUs at 50 W until 48, then a restart on 1 until 55 and
    // 60 s of work: ends at 115. GPU 0 idles from 48, GPU 1 idled until 45.
    const held: string[] = [];
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [45, (view) => [{ kind: 'migrate', job: view.job(0), gpus: [1] }]],
      [
        46,
        (view) => {
          held.push(String([view.cluster.residents[0], view.cluster.residents[1]]));
          held.push(String(view.job(0).gpus), String(view.cluster.freeGpuTotal));
          return [];
        },
      ],
      [
        50,
        (view) => {
          held.push(String(view.job(0).gpus), view.job(0).state, String(view.cluster.freeGpuTotal));
          return [];
        },
      ],
    ]);
    const world = worldOf({ profiles: PROFILES, cluster: clusterOf({ nodes: 2 }) });
    const result = simulate(world, policy);
    const row = result.jobRow(0);
    assert.deepEqual(held, ['0,0', '0', '0', '1', 'starting', '1']);
    assert.deepEqual([row.endS, row.queueS, row.runS], [115, 0, 115]);
    assert.deepEqual([row.preemptions, row.restarts], [0, 1]);
    assert.deepEqual(row.gpus, [1]);
    close(result.summary.energyJ.transition, 50 * (5 + 2 * 3 + 7));
    close(result.summary.energyJ.idle, 20 * (45 + (115 - 48)));
    close(row.energyJ, 30_000);
  });

  it('moves one member of a gang and keeps the other where it is', () => {
    const policy = scripted([
      [0, (view) => [start(view, 0, [0, 1])]],
      [45, (view) => [{ kind: 'migrate', job: view.job(0), gpus: [1, 2], share: [0.5, 1] }]],
    ]);
    const world = worldOf({
      profiles: PROFILES,
      jobs: [flatJob({ gpuCount: 2 })],
      cluster: clusterOf({ gpusPerNode: 3 }),
    });
    const result = simulate(world, policy);
    // The member on GPU 1 now has half of it: the gang goes at half speed from 55 on.
    assert.equal(result.jobRow(0).endS, 55 + 60 / 0.5);
    assert.deepEqual(result.jobRow(0).gpus, [1, 2]);
    close(result.summary.energyJ.transition, 50 * (2 * 5 + 3 * 3 + 2 * 7));
  });

  it('writes periodic checkpoints after each interval of running', () => {
    // Interval 40 s, checkpoint 3 s, start 5 s: runs 5..45, 48..88, 91..111.
    const policy = scripted([[0, (view) => [start(view, 0, [0])]]]);
    const world = worldOf({ profiles: PROFILES, options: { checkpointIntervalS: 40 } });
    const result = simulate(world, policy);
    assert.equal(result.jobRow(0).endS, 111);
    close(result.summary.energyJ.transition, 50 * (5 + 3 + 3));
    assert.deepEqual([result.jobRow(0).preemptions, result.jobRow(0).restarts], [0, 0]);
  });

  it('completes a job that is done at the instant at which its checkpoint is due', () => {
    const policy = scripted([[0, (view) => [start(view, 0, [0])]]]);
    const world = worldOf({ profiles: PROFILES, options: { checkpointIntervalS: 100 } });
    assert.equal(simulate(world, policy).jobRow(0).endS, 105);
  });

  it('lets a periodic checkpoint that is being written serve a preemption', () => {
    // The periodic checkpoint is written 45..48; preempted at 46, the job leaves at 48.
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [46, preemptFirst],
      [60, (view) => [start(view, 0, [0])]],
    ]);
    const world = worldOf({ profiles: PROFILES, options: { checkpointIntervalS: 40 } });
    const row = simulate(world, policy).jobRow(0);
    // Restart until 67, 40 s until the next checkpoint (107..110), 20 s left.
    assert.deepEqual([row.queueS, row.endS], [12, 130]);
    assert.equal(row.preemptions, 1);
  });

  it('takes the costs of the slowest member of a gang over two types, in whatever order', () => {
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'other' })],
      [flatProfile({ startS: 5 }), flatProfile({ gpuType: 'other', startS: 11 })],
    );
    const ends = [
      [0, 1],
      [1, 0],
    ].map((gpus) => {
      const world = worldOf({
        profiles,
        jobs: [flatJob({ gpuCount: 2 })],
        cluster: clusterOf({}, { gpuType: 'other' }),
      });
      return simulate(world, scripted([[0, (view) => [start(view, 0, gpus)]]])).jobRow(0).endS;
    });
    assert.deepEqual(ends, [111, 111]);
  });
});
