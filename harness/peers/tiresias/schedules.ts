import { compose, type WalkName } from '../../../policies/compose.ts';
import type { GittinsIndex } from '../../../policies/order/gittins.ts';
import type { Order } from '../../../policies/order/order.ts';
import { previousTies } from '../../../policies/order/previous-ties.ts';
import { ReleasedQueues } from '../../../policies/order/released-queues.ts';
import { smallestGang } from '../../../policies/order/smallest-gang.ts';
import { smallestRemainingService } from '../../../policies/order/srsf.ts';
import { shortestRemaining } from '../../../policies/order/srtf.ts';
import type { Policy } from '../../../policies/policy.ts';
import type { PeerPolicy } from '../peer.ts';

/** Limits of its queues, in GPU-seconds (jobs.py). */
const LIMITS = [3250, 7200];

/** Starvation knobs, and the endings of the names of their schedules. */
const KNOBS: readonly (readonly [ending: string, knob: number])[] = [
  ['05', 0.5],
  ...[1, 2, 4, 8, 10, 100, 1000].map((knob) => [String(knob), knob] as const),
];
const GITTINS_KNOBS: readonly number[] = [1, 2, 4, 8];

/** A schedule of the simulator, made of the parts of the engine's policies. */
export interface Schedule extends PeerPolicy {
  readonly needsSamples: boolean;
  /** Whether its log counts starts under `resume`; it does so where it preempts. */
  readonly preempts: boolean;
  /** Parts for one run. */
  make(gittins: GittinsIndex | null): { readonly policy: Policy; readonly queues?: ReleasedQueues };
}

function plain(name: string, title: string, engine: string, walk: WalkName): Schedule {
  const make = () => ({ policy: compose({ name, walk }) });
  return { name, title, engine, needsSamples: false, preempts: false, make };
}

function preemptive(name: string, title: string, engine: string, order: () => Order): Schedule {
  const make = () => ({
    policy: compose({ name, walk: 'preemptive', order: previousTies(order()) }),
  });
  return { name, title, engine, needsSamples: false, preempts: true, make };
}

function queued(
  name: string,
  title: string,
  engine: string,
  rules: {
    readonly service: 'time' | 'gpu-time';
    readonly knob?: number;
    readonly ranks?: boolean;
  },
): Schedule {
  const { service, knob = 0, ranks = false } = rules;
  return {
    name,
    title,
    engine,
    needsSamples: ranks,
    preempts: true,
    make(gittins) {
      const options = { limits: LIMITS, service, promoteKnob: knob };
      const queues = new ReleasedQueues({ ...options, gittins: ranks ? gittins : null });
      return { policy: compose({ name, walk: 'preemptive', order: queues }), queues };
    },
  };
}

const LATE = 'late falls as released';

/** All schedules that can be replayed, under the names that the simulator gives them. */
export const SCHEDULES: readonly Schedule[] = [
  plain('fifo', 'first come, first served; the head blocks', 'fifo', 'head-of-line'),
  plain('fjf', 'first come, first served; skips jobs that do not fit', 'fifo-fit', 'fit-first'),
  preemptive(
    'sjf',
    'fewest GPUs first, with preemption (not the shortest job)',
    'smallest-first',
    smallestGang,
  ),
  preemptive('shortest', 'shortest remaining time first', 'srtf', shortestRemaining),
  preemptive(
    'shortest-gpu',
    'smallest remaining time x GPUs first',
    'srsf',
    smallestRemainingService,
  ),
  queued('dlas', 'discrete queues by time run', 'tiresias:service=time,demotion=released', {
    service: 'time',
  }),
  queued('dlas-gpu', `discrete queues by GPU time; ${LATE}`, 'tiresias:demotion=released', {
    service: 'gpu-time',
  }),
  ...KNOBS.map(([ending, knob]) =>
    queued(
      `dlas-gpu-${ending}`,
      `dlas-gpu, promoted after waiting ${knob} x the time run`,
      `tiresias:demotion=released,promoteKnob=${knob}`,
      { service: 'gpu-time', knob },
    ),
  ),
  queued(
    'dlas-gpu-gittins',
    'dlas-gpu, each queue by Gittins index',
    'tiresias-g:compat=true,samples=...',
    { service: 'gpu-time', ranks: true },
  ),
  ...GITTINS_KNOBS.map((knob) =>
    queued(
      `dlas-gpu-gittins-${knob}`,
      `dlas-gpu-gittins, promoted after waiting ${knob} x the time run`,
      `tiresias-g:compat=true,promoteKnob=${knob},samples=...`,
      { service: 'gpu-time', knob, ranks: true },
    ),
  ),
];
