import { Lists, type TickPolicy } from './clock.ts';
import type { Ticket, VirtualCluster } from './virtual-cluster.ts';

/** What a preemption adds to the remaining time of a job (policy.py `ckpt_overhead`). */
const OVERHEAD = { gpus: 8, smallS: 40, largeS: 60 };

/** Service above which a job is in the low queue, in GPU-seconds, and seconds between decisions. */
export interface TiresiasRules {
  readonly threshold: number;
  readonly intervalS: number;
}

/**
 * The policies that preempt (policy/srtf.py, tiresias.py): running and waiting jobs in one order get
 * GPUs by count, those that lose theirs are preempted, and those that get some are placed, which may
 * still fail. A job ends a second late: what is left is looked at before it is taken off.
 */
abstract class PreemptivePolicy extends Lists implements TickPolicy {
  advance(nowS: number): void {
    for (const ticket of [...this.running]) {
      if (ticket.remain === 0) this.ends(ticket, nowS);
      else this.progress(ticket, 1);
    }
  }

  abstract decide(nowS: number, arrived: readonly Ticket[]): void;
  abstract nextS(nowS: number): number;

  skip(seconds: number): void {
    for (const ticket of this.running) this.progress(ticket, seconds);
  }

  protected progress(ticket: Ticket, seconds: number): void {
    ticket.remain -= seconds;
  }

  /** The second at which the first running job ends. */
  protected firstEndS(nowS: number): number {
    return Math.min(...this.running.map(({ remain }) => nowS + remain + 1));
  }

  protected choose(inOrder: readonly Ticket[], nowS: number): void {
    let quota = this.cluster.gpuCount;
    const starting: Ticket[] = [];
    const stopping: Ticket[] = [];
    for (const ticket of inOrder) {
      if (ticket.job.gpuCount <= quota) {
        quota -= ticket.job.gpuCount;
        if (ticket.status === 'waits') starting.push(ticket);
      } else if (ticket.status === 'runs') stopping.push(ticket);
    }
    for (const ticket of stopping) this.#preempt(ticket, nowS);
    for (const ticket of starting) this.#start(ticket, nowS);
  }

  #preempt(ticket: Ticket, nowS: number): void {
    const { gpus, smallS, largeS } = OVERHEAD;
    ticket.checkpoints += 1;
    ticket.checkpointS = nowS;
    ticket.status = 'waits';
    ticket.remain += ticket.job.gpuCount <= gpus ? smallS : largeS;
    this.cluster.release(ticket);
    this.running = this.running.filter((other) => other !== ticket);
    this.waiting.push(ticket);
  }

  #start(ticket: Ticket, nowS: number): void {
    if (!this.cluster.place(ticket)) return;
    if (ticket.checkpoints === 0) {
      ticket.startS = nowS;
      ticket.queueS = nowS - ticket.job.submitS;
    } else {
      ticket.queueS += nowS - ticket.checkpointS;
    }
    this.starts(ticket);
  }
}

/** Shortest remaining time first, every second. */
export class SrtfPolicy extends PreemptivePolicy {
  decide(nowS: number): void {
    if (this.waiting.length === 0) return;
    const inOrder = [...this.waiting, ...this.running].sort((a, b) => a.remain - b.remain);
    this.choose(inOrder, nowS);
  }

  nextS(nowS: number): number {
    return this.waiting.length > 0 ? nowS + 1 : this.firstEndS(nowS);
  }
}

/** Two queues by attained GPU time, first come first served in each, every so many seconds. */
export class TiresiasPolicy extends PreemptivePolicy {
  readonly #rules: TiresiasRules;

  constructor(cluster: VirtualCluster, rules: TiresiasRules) {
    super(cluster);
    this.#rules = rules;
  }

  protected override progress(ticket: Ticket, seconds: number): void {
    super.progress(ticket, seconds);
    ticket.priority += ticket.job.gpuCount * seconds;
  }

  decide(nowS: number, arrived: readonly Ticket[]): void {
    for (const ticket of arrived) ticket.priority = 0;
    if (nowS % this.#rules.intervalS !== 0) return;
    const inLow = ({ priority }: Ticket) => priority > this.#rules.threshold;
    const bySubmission = (a: Ticket, b: Ticket) => a.job.submitS - b.job.submitS;
    const all = [...this.running, ...this.waiting].sort(bySubmission);
    this.choose([...all.filter((ticket) => !inLow(ticket)), ...all.filter(inLow)], nowS);
  }

  nextS(nowS: number): number {
    const { intervalS } = this.#rules;
    const decisionS =
      this.waiting.length > 0 ? (Math.floor(nowS / intervalS) + 1) * intervalS : Infinity;
    return Math.min(decisionS, this.firstEndS(nowS));
  }
}
