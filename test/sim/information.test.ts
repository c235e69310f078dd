import assert from 'node:assert/strict';
import { simulate } from '../../sim/simulate.ts';
import type { Information, View } from '../../sim/view.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatJob, worldOf } from '../support/flat.ts';
import { firstInFirstOut, policyOf, scripted, start } from '../support/scripted.ts';

// By hand: a job of 100 s runs from 10 s at half of the SMs. At 50 s it has run 40 s and done 20: an oracle
// says that 80 of 100 s remain. With an estimate that is wrong by a factor f, 100 f - 20 remain.

/** What a policy is told at 50 s of a job that runs from 10 s on half of a GPU. */
function told(information: Information, seed = 1): readonly number[] {
  let seen: readonly number[] = [];
  const policy = scripted(
    [
      [10, (view) => [start(view, 0, [0], 0.5)]],
      [
        50,
        (view) => {
          const { durationS, remainingS, attainedS, waitingS } = view.job(0);
          seen = [durationS, remainingS, attainedS, waitingS];
          return [];
        },
      ],
    ],
    { information },
  );
  simulate(worldOf({ seed }), policy);
  return seen;
}

describe('what a policy is told', () => {
  it('is the duration and the work that remains, from an oracle', () => {
    assert.deepEqual(told({ duration: 'oracle', durationNoise: 0.5 }), [100, 80, 40, 0]);
  });

  it('is an estimate with a lognormal error that the seed decides, and exact without noise', () => {
    assert.deepEqual(told({ duration: 'estimate', durationNoise: 0 }), [100, 80, 40, 0]);
    const noisy: Information = { duration: 'estimate', durationNoise: 0.5 };
    const [durationS, remainingS] = told(noisy);
    assert.notEqual(durationS, 100);
    close(remainingS ?? NaN, Math.max(0, (durationS ?? NaN) - 20));
    assert.deepEqual(told(noisy), told(noisy));
    assert.notDeepEqual(told(noisy, 1), told(noisy, 2));
  });

  it('has an error whose logarithm has the deviation asked for, and mean 0', () => {
    const n = 4000;
    const jobs = Array.from({ length: n }, (_, i) => flatJob({ id: `${i}`, durationS: 1 }));
    const logs: number[] = [];
    const fifo = firstInFirstOut();
    const policy = policyOf(
      (view) => {
        for (const job of view.entered) logs.push(Math.log(job.durationS));
        return fifo.decide(view);
      },
      { information: { duration: 'estimate', durationNoise: 0.3 } },
    );
    const world = worldOf({
      jobs,
      cluster: clusterOf({ gpusPerNode: n }),
      options: { paranoid: false },
    });
    simulate(world, policy);
    const mean = logs.reduce((sum, x) => sum + x, 0) / n;
    const deviation = Math.sqrt(logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n);
    // Four standard errors: 0.3 / sqrt(n) of the mean, 0.3 / sqrt(2 n) of the deviation.
    assert.ok(Math.abs(mean) < (4 * 0.3) / Math.sqrt(n), `mean ${mean}`);
    assert.ok(Math.abs(deviation - 0.3) < (4 * 0.3) / Math.sqrt(2 * n), `deviation ${deviation}`);
  });

  it('is the same estimate at every look, and for every policy of a seed', () => {
    const estimates = (name: string, preempts: boolean): number[] => {
      const seen: number[] = [];
      const jobs = ['a', 'b', 'c'].map((id, i) => flatJob({ id, submitS: 10 * i }));
      const policy = scripted(
        [0, 5, 10, 20].map((atS) => [
          atS,
          function* (view: View) {
            if (atS === 0) yield start(view, 0, [0]);
            if (atS === 5 && preempts) yield { kind: 'preempt', job: view.job(0) };
            for (const job of view.queue) if (job.index > 0) yield start(view, job.index, [0]);
            for (const job of view.active) seen[job.index] ??= job.durationS;
            for (const job of view.active) assert.equal(job.durationS, seen[job.index]);
            if (atS === 20) for (const job of view.queue) yield start(view, job.index, [0]);
          },
        ]),
        { name, information: { duration: 'estimate', durationNoise: 1 } },
      );
      simulate(worldOf({ jobs }), policy);
      return seen;
    };
    assert.deepEqual(estimates('one', false), estimates('other', true));
  });

  it('is no duration where the policy declares none: a look is an error that names it', () => {
    for (const field of ['durationS', 'remainingS'] as const) {
      const policy = policyOf(
        (view) => {
          assert.equal(view.queue.first?.[field], null);
          return [];
        },
        { name: 'nosy', information: { duration: 'none', durationNoise: 0 } },
      );
      assert.throws(() => simulate(worldOf({}), policy), {
        name: 'DecisionError',
        message:
          "policy 'nosy' asked for the duration of job 'a' but declares that it is told none; declare duration 'estimate' or 'oracle'",
      });
    }
  });

  it('is nothing of jobs that are yet to come, are done, or do not exist', () => {
    const jobs = [flatJob({ durationS: 10 }), flatJob({ id: 'b', submitS: 50 })];
    const look = (atS: number, index: number): void => {
      const policy = scripted([
        [0, (view) => [start(view, 0, [0])]],
        [
          atS,
          function* (view) {
            if (view.job(index).state === 'queued') yield start(view, index, [0]);
          },
        ],
        [60, (view) => [...view.queue].map(({ index: queued }) => start(view, queued, [0]))],
      ]);
      simulate(worldOf({ jobs }), policy);
    };
    const message = /a look at job number .* refused: it is not in the queue or on a gpu now/;
    for (const [atS, index] of [
      [5, 1],
      [20, 0],
      [5, 2],
      [5, -1],
      [5, 0.5],
      [5, NaN],
    ] as const) {
      assert.throws(
        () => {
          look(atS, index);
        },
        { name: 'DecisionError', message },
      );
    }
    look(5, 0);
    look(50, 1);
  });

  it('is how long a job has waited in the queue since it entered it last', () => {
    const waits: number[] = [];
    const policy = scripted([
      [
        7,
        (view) => {
          waits.push(view.job(0).waitingS);
          return [start(view, 0, [0])];
        },
      ],
      [20, (view) => [{ kind: 'preempt', job: view.job(0) }]],
      [
        25,
        (view) => {
          const job = view.job(0);
          waits.push(job.waitingS, job.attainedS, job.preemptions);
          return [start(view, 0, [0])];
        },
      ],
    ]);
    simulate(worldOf({}), policy);
    assert.deepEqual(waits, [7, 5, 13, 1]);
  });
});
