import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compose, type WalkName } from '../../../policies/compose.ts';
import { AttainedService } from '../../../policies/order/attained-service.ts';
import { fifo } from '../../../policies/order/fifo.ts';
import { LeastAttained } from '../../../policies/order/least-attained.ts';
import type { Order } from '../../../policies/order/order.ts';
import { shortestService } from '../../../policies/order/qssf.ts';
import { shortestJob } from '../../../policies/order/sjf.ts';
import { smallestGang } from '../../../policies/order/smallest-gang.ts';
import { smallestRemainingService } from '../../../policies/order/srsf.ts';
import { shortestRemaining } from '../../../policies/order/srtf.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { simulate } from '../../../sim/simulate.ts';
import type { DecisionMaker } from '../../../sim/view.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import {
  naiveAttainedService,
  naiveEasy,
  naiveLeastAttained,
  naivePreemptive,
  naiveQueue,
} from '../naive.ts';
import { job, rowsById } from '../schedule.ts';

/** Whole seconds, so that equal schedules are equal to the bit. */
const jobs: fc.Arbitrary<JobSpec[]> = fc
  .array(
    fc.record({
      waitS: fc.integer({ min: 0, max: 40 }),
      gpuCount: fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 6),
      durationS: fc.integer({ min: 1, max: 90 }),
      workload: fc.constantFrom('flat', 'other'),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((drawn) => {
    let submitS = 0;
    return drawn.map(({ waitS, gpuCount, durationS, workload }, i) => {
      submitS += waitS;
      return job(String(i), submitS, gpuCount, durationS, { workload });
    });
  });

const cluster = clusterOf({ nodes: 2, gpusPerNode: 3 });
const profiles = profileSet([flatGpu()], [flatProfile(), flatProfile({ workload: 'other' })]);

function times(specs: readonly JobSpec[], policy: DecisionMaker): unknown {
  const rows = rowsById(simulate(worldOf({ jobs: specs, cluster, profiles }), policy));
  return specs.map(({ id }) => [id, rows[id]?.startS, rows[id]?.endS, rows[id]?.preemptions]);
}

/** Limits that are whole seconds for every gang size above. */
const limits = [24, 60];

function attainedService(service: 'gpu-time' | 'time'): AttainedService {
  return new AttainedService({ limits, service, promoteKnob: 0 });
}

type Case = [walk: WalkName, order: () => Order, naive: () => DecisionMaker, what?: string];

const cases: readonly Case[] = [
  ['head-of-line', fifo, () => naiveQueue(fifo(), 'head-of-line')],
  ['head-of-line', shortestJob, () => naiveQueue(shortestJob(), 'head-of-line')],
  ['fit-first', fifo, () => naiveQueue(fifo(), 'fit-first')],
  ['fit-first', shortestJob, () => naiveQueue(shortestJob(), 'fit-first')],
  ['easy', fifo, naiveEasy],
  ['preemptive', shortestRemaining, () => naivePreemptive(shortestRemaining())],
  ['preemptive', smallestRemainingService, () => naivePreemptive(smallestRemainingService())],
  [
    'preemptive',
    () => attainedService('time'),
    () => naiveAttainedService(limits, false),
    ' by time',
  ],
  [
    'preemptive',
    () => attainedService('gpu-time'),
    () => naiveAttainedService(limits, true),
    ' by GPU time',
  ],
  ['preemptive', smallestGang, () => naivePreemptive(smallestGang())],
  ['preemptive', () => new LeastAttained(7), () => naiveLeastAttained(7)],
  ['head-of-line', shortestService, () => naiveQueue(shortestService(), 'head-of-line')],
];

describe('policies/walk', () => {
  for (const [walk, order, naive, what = ''] of cases) {
    it(`${walk} in order ${order().name}${what} gives the schedule of a full sort at every event`, () => {
      fc.assert(
        fc.property(jobs, (specs) => {
          const policy = compose({ name: 'test', walk, order: order() });
          assert.deepEqual(times(specs, policy), times(specs, naive()));
        }),
        { numRuns: 150 },
      );
    });
  }

  it('easy never starts the head of the queue later than strict order does', () => {
    // The first job that is blocked under strict order has the same start under both.
    fc.assert(
      fc.property(jobs, (specs) => {
        const world = worldOf({ jobs: specs, cluster, profiles });
        const strict = rowsById(simulate(world, compose({ name: 'a', walk: 'head-of-line' })));
        const easy = rowsById(simulate(world, compose({ name: 'b', walk: 'easy' })));
        const blocked = specs.find(({ id, submitS }) => (strict[id]?.startS ?? 0) > submitS);
        if (blocked === undefined) return;
        assert.equal(easy[blocked.id]?.startS, strict[blocked.id]?.startS);
      }),
    );
  });
});
