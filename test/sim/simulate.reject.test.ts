import assert from 'node:assert/strict';
import type { Decision } from '../../sim/decisions.ts';
import { simulate } from '../../sim/simulate.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { type policyOf, scripted, start } from '../support/scripted.ts';

/** Turns a queued job away, found by its number. */
function reject(index: number, reason = 'late') {
  return (view: Parameters<Parameters<typeof policyOf>[0]>[0]): Decision[] => [
    { kind: 'reject', job: view.job(index), reason },
  ];
}

describe('simulate: jobs that the policy turns away', () => {
  const jobs = ['a', 'b', 'c', 'd'].map((id) => flatJob({ id }));

  it('are rejected for good, and counted by the reason that it gives', () => {
    const seen: [string, number][] = [];
    const policy = scripted([
      [0, (view) => [start(view, 0, [0]), ...reject(1)(view)]],
      [
        30,
        function* (view) {
          const [job] = [...view.queue];
          yield* reject(2)(view);
          yield* reject(3, 'no room')(view);
          seen.push([job?.state ?? '', view.queue.size]);
        },
      ],
    ]);
    const result = simulate(worldOf({ jobs }), policy);
    assert.deepEqual(result.summary.jobs, {
      submitted: 4,
      done: 1,
      failed: 0,
      rejected: 3,
      rejectedByReason: { 'policy: late': 2, 'policy: no room': 1 },
    });
    assert.deepEqual(seen, [['rejected', 0]]);
    const row = result.jobRow(3);
    assert.equal(row.reason, "turned away by policy 'test': no room");
    assert.deepEqual([row.state, row.startS, row.endS, row.jctS], ['rejected', NaN, NaN, NaN]);
    assert.deepEqual([row.queueS, row.runS, row.energyJ, row.gpus], [30, 0, 0, []]);
  });

  it('demand nothing of the cluster any more', () => {
    // b is demanded 0..50 beside a: contention of a is 150 / 100, as if b had left.
    const world = worldOf({ jobs: jobs.slice(0, 2) });
    const { fairness } = simulate(
      world,
      scripted([
        [0, (view) => [start(view, 0, [0])]],
        [50, reject(1)],
      ]),
    ).summary;
    close(fairness.worstRho, 100 / (100 * 1.5));
  });

  it('miss the deadline that they had, which a job that could never run does not', () => {
    const bound = [
      flatJob({ deadlineS: 1000 }),
      flatJob({ id: 'b', deadlineS: 1000 }),
      flatJob({ id: 'c', deadlineS: 1000, gpuCount: 9 }),
      flatJob({ id: 'd' }),
    ];
    const policy = scripted([
      [0, (view) => [start(view, 0, [0]), ...reject(1)(view), ...reject(3)(view)]],
    ]);
    assert.equal(simulate(worldOf({ jobs: bound }), policy).summary.sloViolations, 1);
  });

  it('must wait, must never have started, and must be given a reason', () => {
    const refuses = (message: RegExp, ...steps: Parameters<typeof scripted>[0]): void => {
      assert.throws(() => simulate(worldOf({ jobs: [flatJob()] }), scripted(steps)), {
        name: 'DecisionError',
        message,
      });
    };
    refuses(
      /reject of job 'a' refused: the job is running, expected queued/,
      [0, (view) => [start(view, 0, [0])]],
      [10, reject(0)],
    );
    refuses(
      /reject of job 'a' refused: the job has started before/,
      [0, (view) => [start(view, 0, [0])]],
      [10, (view) => [{ kind: 'preempt', job: view.job(0) }, ...reject(0)(view)]],
    );
    refuses(/reason is empty, expected a text/, [0, reject(0, '')]);
    refuses(/reason is undefined, expected a text/, [
      0,
      (view) => [{ kind: 'reject', job: view.job(0) } as unknown as Decision],
    ]);
    refuses(/reject refused: the job is not one of this run, or has finished/, [
      0,
      (view) => [...reject(0)(view), ...reject(0)(view)],
    ]);
    refuses(/start refused: the job is not one of this run, or has finished/, [
      0,
      function* (view) {
        const job = view.job(0);
        yield { kind: 'reject', job, reason: 'late' };
        yield { kind: 'start', job, gpus: [0] };
      },
    ]);
  });

  it('are told from those that have run by the view', () => {
    const seen: boolean[] = [];
    const look = (view: Parameters<Parameters<typeof policyOf>[0]>[0]): Decision[] => {
      seen.push(view.job(0).hasStarted);
      return [];
    };
    const policy = scripted([
      [0, (view) => [...look(view), start(view, 0, [0])]],
      [10, (view) => [...look(view), { kind: 'preempt', job: view.job(0) }]],
      [20, (view) => [...look(view), start(view, 0, [0])]],
    ]);
    simulate(worldOf({}), policy);
    assert.deepEqual(seen, [false, true, true]);
  });
});

// By hand: a runs 0..100 at 300 W on GPU 0 of two nodes with hosts of 60 W; node 1 idles at 20 W. Whatever
// the nodes do after 100, the run ends there: 100 s * (300 + 20 + 2 * 60) W = 44,000 J.

describe('simulate: the horizon', () => {
  const impossible = flatJob({ id: 'b', submitS: 500, gpuCount: 9 });
  const unwanted = flatJob({ id: 'b', submitS: 500 });
  const options = { hostPowerW: 60, pricePerKwh: { startsS: [0, 50, 300], values: [1, 2, 100] } };
  const cluster = clusterOf({ nodes: 2 });
  const cost = ((50 * 1 + 50 * 2) * 440) / 3.6e6;

  it('ends with the last job that ran, however long after it others are rejected', () => {
    for (const last of [impossible, unwanted]) {
      const world = worldOf({ jobs: [flatJob(), last], cluster, options });
      const policy = scripted([
        [0, (view) => [start(view, 0, [0])]],
        [200, () => [{ kind: 'sleep', node: 1 }]],
        [400, () => [{ kind: 'wake', node: 1 }]],
        ...(last === unwanted ? [[500, reject(1)] as const] : []),
      ]);
      const { summary } = simulate(world, policy);
      assert.equal(summary.jobs.rejected, 1);
      close(summary.energyJ.total, 44_000);
      close(summary.energyJ.idle, 2000);
      close(summary.energyJ.host, 12_000);
      close(summary.meanPowerW, 440);
      close(summary.gpuUtilisation, 0.5);
      close(summary.energyCost, cost);
      assert.equal(summary.makespanS, 100);
      assert.ok(summary.conservationError <= 1e-12);
    }
  });

  it('cuts the measured part, too', () => {
    const measured = (fromS: number, toS: number) => {
      const world = worldOf({
        jobs: [flatJob(), impossible],
        cluster,
        options: { ...options, measure: { fromS, toS } },
      });
      return simulate(world, scripted([[0, (view) => [start(view, 0, [0])]]])).summary;
    };
    close(measured(60, 450).energyJ.total, 40 * 440);
    close(measured(60, 450).energyCost, (40 * 2 * 440) / 3.6e6);
    close(measured(60, 450).meanPowerW, 440);
    close(measured(20, 80).energyJ.total, 60 * 440);
    const after = measured(150, 450);
    assert.deepEqual([after.energyJ.total, after.energyCost, after.meanPowerW], [0, 0, 0]);
  });

  it('goes on where a job runs after a rejection, and pays the idle time between', () => {
    const jobs = [flatJob(), { ...impossible, submitS: 200 }, flatJob({ id: 'c', submitS: 300 })];
    const world = worldOf({ jobs });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [300, (view) => [start(view, 2, [0])]],
    ]);
    const { summary } = simulate(world, policy);
    close(summary.energyJ.total, 200 * 300 + 200 * 20);
    assert.equal(summary.makespanS, 400);
  });

  it('ends with a job that failed for good, like with one that is done', () => {
    const world = worldOf({
      jobs: [flatJob({ durationS: 1e6 }), { ...impossible, submitS: 50_000 }],
      options: { failures: { gpuMtbfS: 1000, gpuRepairS: 10, maxFailures: 0 } },
    });
    const result = simulate(world, scripted([[0, (view) => [start(view, 0, [0])]]]));
    close(result.summary.energyJ.total, 300 * result.jobRow(0).endS);
  });

  it('is empty where no job ever ran', () => {
    const { summary } = simulate(
      worldOf({ jobs: [flatJob(), unwanted] }),
      scripted([
        [0, reject(0)],
        [500, reject(1)],
      ]),
    );
    assert.deepEqual([summary.energyJ.total, summary.meanPowerW, summary.makespanS], [0, 0, 0]);
  });

  it('counts a context that is kept only up to its end', () => {
    const world = worldOf({
      jobs: [flatJob(), impossible],
      profiles: profileSet([flatGpu()], [flatProfile()]),
      options: { contextHoldS: 50 },
    });
    const { energyJ } = simulate(world, scripted([[0, (view) => [start(view, 0, [0])]]])).summary;
    assert.deepEqual([energyJ.contextIdle, energyJ.idle], [0, 0]);
    close(energyJ.total, 30_000);
  });
});
