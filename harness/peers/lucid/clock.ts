import type { Ticket, VirtualCluster } from './virtual-cluster.ts';

/** What a policy does at a second, after the clock has let jobs arrive. */
export interface TickPolicy {
  /** Ends and advances running jobs, before arrivals. */
  advance(nowS: number): void;
  /** Decides, after arrivals. */
  decide(nowS: number, arrived: readonly Ticket[]): void;
  /** The next second at which anything may change without an arrival. */
  nextS(nowS: number): number;
  /** Catches running jobs up over seconds that are skipped, all of them without a decision. */
  skip(seconds: number): void;
}

/** The lists that all of its policies keep. */
export class Lists {
  readonly cluster: VirtualCluster;
  waiting: Ticket[] = [];
  running: Ticket[] = [];

  constructor(cluster: VirtualCluster) {
    this.cluster = cluster;
  }

  starts(ticket: Ticket): void {
    ticket.status = 'runs';
    this.waiting = this.waiting.filter((other) => other !== ticket);
    this.running.push(ticket);
  }

  ends(ticket: Ticket, nowS: number): void {
    ticket.status = 'ended';
    ticket.endS = nowS;
    this.cluster.release(ticket);
    this.running = this.running.filter((other) => other !== ticket);
  }
}

/**
 * The clock of the simulator: every second, ends and progress, then arrivals, then decisions. Seconds at
 * which nothing can happen are skipped. Ends when all jobs have ended, or when nothing will happen.
 *
 * @param tickets in order of submission
 */
export function runClock(lists: Lists, policy: TickPolicy, tickets: readonly Ticket[]): void {
  let next = 0;
  for (let nowS = 0; ; ) {
    policy.advance(nowS);
    const arrived: Ticket[] = [];
    for (let ticket = tickets[next]; ticket?.job.submitS === nowS; ticket = tickets[next]) {
      ticket.status = 'waits';
      arrived.push(ticket);
      lists.waiting.push(ticket);
      next += 1;
    }
    policy.decide(nowS, arrived);
    const toS = Math.min(policy.nextS(nowS), tickets[next]?.job.submitS ?? Infinity);
    if (toS === Infinity) return;
    policy.skip(toS - nowS - 1);
    nowS = toS;
  }
}
