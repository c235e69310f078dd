import assert from 'node:assert/strict';
import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import { simulate } from '../../sim/simulate.ts';
import type { View } from '../../sim/view.ts';
import { clusterOf, flatJob, worldOf } from '../support/flat.ts';
import { firstInFirstOut, policyOf, scripted, start } from '../support/scripted.ts';

// By hand, one GPU: a runs 0..100; b arrives at 100, at the very instant at which a is done. The policy is
// asked once at 100, sees a among those that left, b among those that entered, and the GPU free.

describe('simulate: order of events', () => {
  it('handles all events of an instant, then asks the policy once', () => {
    const jobs = [
      flatJob(),
      flatJob({ id: 'b', submitS: 100 }),
      flatJob({ id: 'c', submitS: 100, durationS: 50 }),
    ];
    const seen: unknown[] = [];
    const fifo = firstInFirstOut();
    const policy = policyOf(
      (view) => {
        seen.push([
          view.nowS,
          view.left.map(({ id }) => id).join(),
          view.entered.map(({ id }) => id).join(),
          view.cluster.freeGpuTotal,
        ]);
        return fifo.decide(view);
      },
      { mode: 'exclusive' },
    );
    simulate(worldOf({ jobs }), policy);
    assert.deepEqual(seen, [
      [0, '', 'a', 1],
      [100, 'a', 'b,c', 1],
      [200, 'b', '', 1],
    ]);
  });

  it('asks once for any number of arrivals at one instant', () => {
    const jobs = Array.from({ length: 50 }, (_, i) => flatJob({ id: `${i}`, submitS: 7 }));
    const times: number[] = [];
    const fifo = firstInFirstOut();
    const policy = policyOf((view) => {
      times.push(view.nowS);
      return fifo.decide(view);
    });
    simulate(worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 50 }) }), policy);
    assert.deepEqual(times, [7]);
  });

  it('calls back at the time asked for, once for each time', () => {
    const times: number[] = [];
    const policy = policyOf(function* (view: View): Generator<Decision> {
      times.push(view.nowS);
      if (view.nowS === 0) {
        for (const atS of [30, 10, 10, 1e-9]) yield { kind: 'call-back', atS };
        yield start(view, 0, [0]);
      }
    });
    simulate(worldOf({}), policy);
    assert.deepEqual(times, [0, 1e-9, 10, 30]);
  });

  it('asks again when something happens by its own decision, at the same instant or later', () => {
    // A job without work is done at the instant at which it starts.
    const jobs = [flatJob({ durationS: 0 }), flatJob({ id: 'b', durationS: 0 })];
    const seen: unknown[] = [];
    const policy = policyOf(function* (view) {
      seen.push([view.nowS, view.left.map(({ id }) => id).join()]);
      const job = view.queue.first;
      if (job !== null && view.active.size === 0) yield { kind: 'start', job, gpus: [0] };
    });
    const { summary } = simulate(worldOf({ jobs }), policy);
    assert.deepEqual(seen, [
      [0, ''],
      [0, 'a'],
    ]);
    assert.equal(summary.makespanS, 0);
  });

  it('never lets time run back, for policy or observer', () => {
    const jobs = Array.from({ length: 30 }, (_, i) =>
      flatJob({ id: `${i}`, submitS: Math.floor(i / 3), durationS: (i * 7) % 11 }),
    );
    let lastS = 0;
    const follow = (nowS: number): void => {
      assert.ok(nowS >= lastS);
      lastS = nowS;
    };
    const fifo = firstInFirstOut();
    const policy = policyOf((view) => {
      follow(view.nowS);
      return fifo.decide(view);
    });
    simulate(worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 3 }) }), policy, {
      gpuState: ({ fromS }) => {
        follow(fromS);
      },
    });
  });

  it('reports at the next ask what happened by a decision, to the queue and from the GPUs', () => {
    // Without checkpoint time a preempted job is queued at once, while the policy still decides.
    const seen: unknown[] = [];
    const steps = new Map([
      [0, 'start'],
      [10, 'preempt'],
      [20, 'start'],
    ]);
    const policy = policyOf(function* (view): Generator<Decision> {
      const names = (jobs: Iterable<JobView>): string => [...jobs].map(({ id }) => id).join();
      seen.push([view.nowS, names(view.entered), names(view.left)]);
      const step = steps.get(view.nowS);
      if (view.nowS === 0) for (const atS of [10, 20, 30]) yield { kind: 'call-back', atS };
      if (step === 'start') yield start(view, 0, [0]);
      if (step === 'preempt') yield { kind: 'preempt', job: view.job(0) };
    });
    simulate(worldOf({}), policy);
    assert.deepEqual(seen, [
      [0, 'a', ''],
      [10, '', ''],
      [20, 'a', 'a'],
      [30, '', ''],
    ]);
  });

  it('keeps the queue in the order of submission, and a preempted job takes its old place', () => {
    const jobs = ['a', 'b', 'c'].map((id) => flatJob({ id }));
    const queues: string[] = [];
    const note = (view: View): Decision[] => {
      queues.push([...view.queue].map(({ id }) => id).join(''));
      assert.equal(view.queue.first?.id, queues.at(-1)?.[0]);
      return [];
    };
    const policy = scripted([
      [0, (view) => [...note(view), start(view, 0, [0])]],
      [10, (view) => [...note(view), { kind: 'preempt', job: view.job(0) }]],
      [20, (view) => [...note(view), start(view, 1, [0]), start(view, 2, [0])]],
      [30, (view) => [...note(view), start(view, 0, [0])]],
    ]);
    simulate(worldOf({ jobs, options: { costs: { checkpoint: 2 } } }), policy);
    assert.deepEqual(queues, ['abc', 'bc', 'abc', 'a']);
  });

  it('lists active jobs in the order in which they got their GPUs', () => {
    const jobs = ['a', 'b', 'c'].map((id) => flatJob({ id }));
    let active = '';
    let walked = '';
    const policy = scripted([
      [0, (view) => [2, 0, 1].map((index) => start(view, index, [0]))],
      [
        10,
        (view) => {
          active = [...view.active].map(({ id }) => id).join('');
          for (let job = view.active.first; job !== null; job = view.active.after(job)) {
            walked += job.id;
          }
          assert.equal(view.active.size, 3);
          return [];
        },
      ],
    ]);
    simulate(worldOf({ jobs }), policy);
    assert.deepEqual([active, walked], ['cab', 'cab']);
  });

  it('lets jobs leave queue and active list while these are walked', () => {
    const jobs = ['a', 'b', 'c'].map((id) => flatJob({ id }));
    const policy = scripted([
      [
        0,
        function* (view) {
          for (const job of view.queue) yield { kind: 'start', job, gpus: [0] };
          assert.equal(view.queue.size, 0);
        },
      ],
      [
        10,
        function* (view) {
          for (const job of view.active) yield { kind: 'preempt', job };
          assert.equal(view.active.size, 0);
        },
      ],
      [20, (view) => [...view.queue].map((job) => ({ kind: 'start', job, gpus: [0] }) as const)],
    ]);
    assert.equal(simulate(worldOf({ jobs }), policy).summary.preemptions, 3);
  });
});

describe('simulate: runs that get nowhere', () => {
  it('end with an error that names the jobs, the first ten of them', () => {
    const jobs = Array.from({ length: 12 }, (_, i) => flatJob({ id: `job-${i}` }));
    assert.throws(
      () =>
        simulate(
          worldOf({ jobs }),
          policyOf(() => []),
        ),
      {
        name: 'InvariantError',
        message:
          /^policy 'test' left jobs over at 0 s, nothing more will happen: 12 of 12 jobs: 'job-0' \(queued\), .*'job-9' \(queued\), \.\.\.$/,
      },
    );
  });

  it('end when the policy has itself called back without end', () => {
    const policy = policyOf((view) => [{ kind: 'call-back', atS: view.nowS + 1 }]);
    assert.throws(() => simulate(worldOf({ options: { paranoid: false } }), policy), {
      name: 'InvariantError',
      message: /nothing has changed for 1000000 events: 1 of 1 jobs: 'a' \(queued\)/,
    });
  });

  it('end when the policy plays with nodes and clocks and starts nothing', () => {
    const policy = policyOf(function* (view) {
      const isOn = view.cluster.nodeState(0) === 'on';
      if (isOn) yield { kind: 'sleep', node: 0 };
      else if (view.cluster.nodeState(0) === 'asleep') yield { kind: 'wake', node: 0 };
      yield { kind: 'call-back', atS: view.nowS + 1 };
    });
    assert.throws(() => simulate(worldOf({ options: { paranoid: false } }), policy), {
      name: 'InvariantError',
    });
  });
});

describe('simulate: observers', () => {
  it('are told what each GPU does from when on', () => {
    const jobs = [flatJob(), flatJob({ id: 'b', submitS: 50, durationS: 25 })];
    const states: unknown[] = [];
    const policy = scripted([
      [
        0,
        (view) => [
          { kind: 'set-clock', gpu: 0, clockMhz: 500 },
          { kind: 'set-cap', gpu: 1, powerCapW: 175 },
          start(view, 0, [0], 0.5),
        ],
      ],
      [50, (view) => [start(view, 1, [1])]],
    ]);
    const world = worldOf({
      jobs,
      cluster: clusterOf({ gpusPerNode: 2 }),
      options: { costs: { clockTransition: 0 } },
    });
    simulate(world, policy, {
      gpuState: ({ gpu, fromS, residents, shares, clockMhz, powerW }) =>
        states.push([fromS, gpu, residents.join(), shares.join(), clockMhz, powerW]),
    });
    const [first, second, ...rest] = states;
    assert.deepEqual(
      [first, second],
      [
        [0, 0, '', '', 1000, 20],
        [0, 1, '', '', 1000, 20],
      ],
    );
    // The cap of an idle GPU changes nothing yet; the throttled clock shows under load.
    assert.deepEqual(
      rest.map((state) =>
        (state as number[]).map((v) => (typeof v === 'number' ? Math.round(v) : v)),
      ),
      [
        [0, 0, 'a', '0.5', 500, 113],
        [0, 1, '', '', 1000, 20],
        [50, 1, 'b', '1', 500, 175],
        [100, 1, '', '', 1000, 20],
        [400, 0, '', '', 500, 20],
      ],
    );
  });

  it('get the time of each call of the policy from the clock that they bring', () => {
    let nowMs = 0;
    const calls: number[] = [];
    const fifo = firstInFirstOut();
    const policy = policyOf((view) => {
      nowMs += 5;
      return fifo.decide(view);
    });
    const jobs = [flatJob(), flatJob({ id: 'b', submitS: 50 })];
    const { summary } = simulate(worldOf({ jobs }), policy, {
      stopwatchMs: () => (nowMs += 1),
      decided: (elapsedMs) => calls.push(elapsedMs),
    });
    assert.deepEqual(calls, [6, 6, 6]);
    assert.equal(summary.decisions.asked, calls.length);
  });

  it('get progress up to the end, rejected jobs counted', () => {
    const reports: [number, number][] = [];
    const jobs = [flatJob(), flatJob({ id: 'b', gpuCount: 2 })];
    simulate(worldOf({ jobs }), firstInFirstOut(), {
      progress: (finished, total) => reports.push([finished, total]),
    });
    assert.deepEqual(reports, [[2, 2]]);
  });

  it('change no result', () => {
    const jobs = [flatJob(), flatJob({ id: 'b', submitS: 50 })];
    const plain = simulate(worldOf({ jobs }), firstInFirstOut());
    const watched = simulate(worldOf({ jobs }), firstInFirstOut(), {
      gpuState: () => undefined,
      progress: () => undefined,
      stopwatchMs: () => 0,
      decided: () => undefined,
    });
    assert.deepEqual(watched.summary, plain.summary);
  });
});
