import { mayJoin, type Packable } from '../../../policies/sharing/lucid-rule.ts';
import { InputError } from '../../../sim/errors.ts';
import { Lists, type TickPolicy } from './clock.ts';
import { NODE_GPUS } from './inputs.ts';
import type { Ticket, VirtualCluster } from './virtual-cluster.ts';

/** Memory of a GPU in MiB (RTX 3090). */
const MEMORY_MIB = 24_576;

/** What the packing knows of jobs. */
export interface PackingFacts {
  /** By number of the job. */
  packable(ticket: Ticket): Packable;
  /** Speeds of two jobs on the same GPUs, each relative to alone. */
  speeds(job: Ticket, resident: Ticket): readonly [number, number];
}

/**
 * Lucid (policy/lucid.py), with sharing on all the time and no profiler in front: in order of priority,
 * skipping; a job that a node can hold joins the first running job that may be joined, whether or not
 * GPUs are free, else it is placed. Work is taken off by the measured speed, second by second, and a
 * job ends a second late.
 *
 * In the released code the look for the survivor of a pair finds the job that was placed first: when
 * that one ends, it restores its own speed and the survivor stays slow. It takes a survivor whose id is
 * 0 for none. Both are replayed under `compat`.
 */
export class LucidPolicy extends Lists implements TickPolicy {
  readonly #facts: PackingFacts;
  readonly #tickets: readonly Ticket[];
  readonly #compat: boolean;
  #changed = false;

  constructor(
    cluster: VirtualCluster,
    facts: PackingFacts,
    tickets: readonly Ticket[],
    compat: boolean,
  ) {
    super(cluster);
    this.#facts = facts;
    this.#tickets = tickets;
    this.#compat = compat;
    for (const ticket of tickets) ticket.priority = facts.packable(ticket).priority;
  }

  advance(nowS: number): void {
    for (const ticket of [...this.running]) {
      if (ticket.remain > 0) {
        ticket.remain -= ticket.rate;
        continue;
      }
      if (!ticket.exclusive) this.#restore(ticket);
      this.ends(ticket, nowS);
      this.#changed = true;
    }
  }

  decide(nowS: number, arrived: readonly Ticket[]): void {
    if (arrived.length === 0 && !this.#changed) return;
    this.#changed = false;
    this.waiting.sort((a, b) => a.priority - b.priority);
    for (const ticket of [...this.waiting]) {
      const resident = ticket.job.gpuCount <= NODE_GPUS ? this.#residentFor(ticket) : null;
      if (resident !== null) this.#join(ticket, resident);
      else if (!this.cluster.place(ticket)) continue;
      ticket.startS = nowS;
      ticket.queueS += nowS - ticket.job.submitS;
      this.starts(ticket);
    }
  }

  nextS(nowS: number): number {
    return this.running.length > 0 ? nowS + 1 : Infinity;
  }

  skip(): void {
    // Seconds are skipped only while nothing runs.
  }

  #residentFor(ticket: Ticket): Ticket | null {
    const job = this.#facts.packable(ticket);
    const found = this.running.find(
      (other) => other.exclusive && mayJoin(job, this.#facts.packable(other), MEMORY_MIB),
    );
    return found ?? null;
  }

  #join(ticket: Ticket, resident: Ticket): void {
    const [speed, residentSpeed] = this.#facts.speeds(ticket, resident);
    ticket.rate = speed;
    resident.rate = residentSpeed;
    ticket.exclusive = false;
    resident.exclusive = false;
    this.cluster.placeOn(ticket, resident.gpus);
  }

  /** Gives the survivor of a pair its whole speed back, or whom the released code takes for it. */
  #restore(ending: Ticket): void {
    const pair = this.cluster.residents(ending.gpus[0] as number);
    const found = this.#compat ? pair[0] : pair.find((index) => index !== ending.index);
    const survivor = found === undefined ? undefined : this.#tickets[found];
    if (survivor === undefined) return;
    if (this.#compat && Number(survivor.job.id) === 0) {
      const detail = `job '0' shares GPUs: the released simulator fails on this id; give it another one, or --set compat=false`;
      throw new InputError('--trace', null, null, detail);
    }
    survivor.exclusive = true;
    survivor.rate = 1;
  }
}
