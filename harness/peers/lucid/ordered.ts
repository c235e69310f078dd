import { expectedService } from '../../../policies/order/qssf.ts';
import { Lists, type TickPolicy } from './clock.ts';
import type { Ticket, VirtualCluster } from './virtual-cluster.ts';

/** Sorts the waiting jobs of a second; `arrived` are among them. */
type Sort = (waiting: Ticket[], arrived: readonly Ticket[]) => void;

/** Key of a job for `qssf`: the expected duration that the estimator gives, times GPUs. */
export type Estimate = (ticket: Ticket) => number;

const byDuration = (a: Ticket, b: Ticket) => a.job.durationS - b.job.durationS;
const byGpus = (a: Ticket, b: Ticket) => a.job.gpuCount - b.job.gpuCount;
const byPriority = (a: Ticket, b: Ticket) => a.priority - b.priority;
const bySubmission = (a: Ticket, b: Ticket) => a.job.submitS - b.job.submitS;

/** Sorted lists keep the order that they had among equals. */
export const SORTS = {
  fifo: (): Sort => (waiting) => waiting.sort(bySubmission),
  sjf: (): Sort => (waiting) => waiting.sort(byDuration),
  /** Jobs that come while none waits are sorted by their GPUs alone; others get their estimate. */
  qssf:
    (estimateS: Estimate): Sort =>
    (waiting, arrived) => {
      waiting.sort(byGpus);
      if (waiting.length <= arrived.length) return;
      for (const ticket of waiting) {
        const { gpuCount } = ticket.job;
        if (ticket.priority !== -1) continue;
        ticket.priority = expectedService({ durationS: estimateS(ticket), gpuCount });
      }
      waiting.sort(byPriority);
    },
} as const;

/**
 * The policies that do not preempt (policy/fifo.py, sjf.py, qssf.py): in order, up to the first job that
 * does not fit; a job ends exactly after its duration.
 */
export class OrderedPolicy extends Lists implements TickPolicy {
  readonly #sort: Sort;
  #sortsAgain = false;

  constructor(cluster: VirtualCluster, sort: Sort) {
    super(cluster);
    this.#sort = sort;
  }

  advance(nowS: number): void {
    for (const ticket of [...this.running]) {
      if (endOf(ticket) === nowS) this.ends(ticket, nowS);
    }
  }

  decide(nowS: number, arrived: readonly Ticket[]): void {
    this.#sort(this.waiting, arrived);
    for (const ticket of [...this.waiting]) {
      if (!this.cluster.place(ticket)) break;
      ticket.startS = nowS;
      ticket.queueS = nowS - ticket.job.submitS;
      this.starts(ticket);
    }
    this.#sortsAgain = arrived.length > 0 && this.waiting.length > 0;
  }

  nextS(nowS: number): number {
    if (this.#sortsAgain) return nowS + 1;
    return Math.min(...this.running.map(endOf));
  }

  skip(): void {
    // Nothing is counted by seconds here.
  }
}

function endOf({ startS, job }: Ticket): number {
  return (startS ?? Infinity) + job.durationS;
}
