import type { JobView } from '../sim/job-view.ts';
import type { Information } from '../sim/view.ts';
import type { Clocks } from './clocks/clocks.ts';
import { fifo } from './order/fifo.ts';
import type { Order } from './order/order.ts';
import { consolidated } from './placement/consolidated.ts';
import type { Placement } from './placement/placement.ts';
import type { Policy } from './policy.ts';
import type { Sharing } from './sharing/sharing.ts';
import { EasyBackfill } from './walk/easy.ts';
import { FitFirst } from './walk/fit-first.ts';
import { headOfLine } from './walk/head-of-line.ts';
import { Preemptive } from './walk/preemptive.ts';
import { Starter } from './walk/starter.ts';
import type { Walk } from './walk/walk.ts';

/**
 * How a policy goes through its queue at each ask:
 * - *head-of-line*: stops at the first job that does not fit
 * - *fit-first*: skips jobs that do not fit
 * - *easy*: head-of-line with backfilling behind a reservation for the head
 * - *preemptive*: fit-first over running and queued jobs together
 */
export type WalkName = 'head-of-line' | 'fit-first' | 'easy' | 'preemptive';

/** The parts of a policy. Parts keep state: make new ones for each policy. */
export interface Composition {
  readonly name: string;
  readonly walk: WalkName;
  /** Order of submission when absent. */
  readonly order?: Order;
  /** Whole GPUs, consolidated on the first type of the cluster that has room, when absent. */
  readonly placement?: Placement;
  /** Every GPU is exclusive when absent. */
  readonly sharing?: Sharing;
  /** Clocks stay as they are (GPUs start at the reference clock) when absent. */
  readonly clocks?: Clocks;
  /** What the policy is told; by default the exact duration if a part reads it, else nothing. */
  readonly information?: Information;
  /** For *easy*: work per second of a job on a type; 1 when absent. */
  readonly speed?: (job: JobView, type: number) => number;
}

/**
 * Builds a policy from parts. It keeps state and serves one run.
 *
 * @throws {RangeError} on parts that do not go together
 */
export function compose(parts: Composition): Policy {
  const order = parts.order ?? fifo();
  const readsDuration = order.readsDuration || parts.walk === 'easy';
  const duration = readsDuration ? 'oracle' : 'none';
  const information = parts.information ?? { duration, durationNoise: 0 };
  const fail = (rule: string): never => {
    throw new RangeError(`policy '${parts.name}': ${rule}`);
  };
  if (readsDuration && information.duration === 'none') {
    fail(`order '${order.name}' with walk '${parts.walk}' needs a duration, but none is told`);
  }
  if (parts.sharing !== undefined && (parts.walk === 'easy' || parts.walk === 'preemptive')) {
    fail(`walk '${parts.walk}' counts whole gpus and cannot be combined with sharing`);
  }
  if (parts.walk === 'easy' && order.bySubmission !== true) {
    fail(`walk 'easy' goes in the order of submission, not in order '${order.name}'`);
  }
  if (parts.walk !== 'preemptive' && order.decided !== undefined) {
    fail(`order '${order.name}' needs walk 'preemptive'`);
  }
  const starter = new Starter(
    parts.placement ?? consolidated(),
    parts.sharing ?? null,
    parts.clocks ?? null,
  );
  const walk = walkOf(parts, order, starter);
  return {
    name: parts.name,
    information,
    mode: parts.sharing?.mode ?? 'exclusive',
    decide: (view) => walk.decide(view),
  };
}

function walkOf(parts: Composition, order: Order, starter: Starter): Walk {
  switch (parts.walk) {
    case 'head-of-line':
      return headOfLine(order, starter);
    case 'fit-first':
      return new FitFirst(order, starter);
    case 'easy':
      return new EasyBackfill(starter, parts.speed ?? (() => 1));
    case 'preemptive':
      return new Preemptive(order, starter);
  }
}
