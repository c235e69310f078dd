/** What competes for GPUs in rounds: a job alone, or two jobs that share GPUs. */
export interface Combination {
  /** GPUs that it takes. */
  readonly gang: number;
}

/** Fraction of the time that a combination is to run on each type; null for one that was not there. */
export type SharesOf<C> = (combination: C) => ArrayLike<number> | null;

/** Priority of a combination that has not run yet is its share times this. */
const NEVER_RUN = 1e9;

class Account<C> {
  readonly combination: C;
  /** By type: time received since the last reset, and time due over all resets less received. */
  readonly timeS: Float64Array;
  readonly deficitS: Float64Array;
  readonly priority: Float64Array;
  share: ArrayLike<number> | null = null;

  constructor(combination: C, types: number, timeS: number) {
    this.combination = combination;
    this.timeS = new Float64Array(types).fill(timeS);
    this.deficitS = new Float64Array(types);
    this.priority = new Float64Array(types);
  }
}

/**
 * The books of Gavel's round mechanism: how long each combination has run on each type since the last
 * reset, and in which order the next round takes them. Priority is the share that a combination is to
 * have over the fraction of the type's time that it has had. A reset gives every combination half a
 * round and carries what it is owed over as a deficit (released code: `_reset_time_run_so_far` and
 * `_update_priorities` of scheduler.py; Narayanan et al., OSDI 2020, section 5).
 */
export class TimeShares<C> {
  readonly #types: number;
  readonly #initialS: number;
  readonly #accounts = new Map<C, Account<C>>();
  /** Time that all combinations of a type have received since the last reset. */
  readonly #typeTimeS: Float64Array;

  constructor(types: number, roundS: number) {
    this.#types = types;
    this.#initialS = roundS / 2;
    this.#typeTimeS = new Float64Array(types);
  }

  get size(): number {
    return this.#accounts.size;
  }

  /** Opens an account with half a round, or with `timeS`. */
  add(combination: C, timeS = this.#initialS): void {
    this.#accounts.set(combination, new Account(combination, this.#types, timeS));
  }

  remove(combination: C): void {
    this.#accounts.delete(combination);
  }

  has(combination: C): boolean {
    return this.#accounts.has(combination);
  }

  /** Whether the combination was there when shares were set last. */
  hasShare(combination: C): boolean {
    return (this.#accounts.get(combination)?.share ?? null) !== null;
  }

  /** Priority that {@link order} found last. */
  priority(combination: C, type: number): number {
    return this.#accounts.get(combination)?.priority[type] ?? 0;
  }

  /** Books time on a type; nothing for a combination that is gone. */
  receive(combination: C, type: number, timeS: number): void {
    const account = this.#accounts.get(combination);
    if (account === undefined) return;
    account.timeS[type] = (account.timeS[type] as number) + timeS;
    this.#typeTimeS[type] = (this.#typeTimeS[type] as number) + timeS;
  }

  /** Closes the books of the last `elapsedS` seconds. */
  reset(elapsedS: number): void {
    this.#typeTimeS.fill(0);
    for (const { timeS, deficitS, share } of this.#accounts.values()) {
      for (let type = 0; type < this.#types; type += 1) {
        const received = (timeS[type] as number) - this.#initialS;
        const due = share === null ? 0 : (share[type] as number) * elapsedS;
        deficitS[type] = (deficitS[type] as number) + (due - received);
        timeS[type] = this.#initialS;
        this.#typeTimeS[type] = (this.#typeTimeS[type] as number) + this.#initialS;
      }
    }
  }

  setShares(sharesOf: SharesOf<C>): void {
    for (const account of this.#accounts.values()) account.share = sharesOf(account.combination);
  }

  /**
   * Combinations in the order in which a round takes them on a type: by priority, deficit and share,
   * the highest first; ties in the order in which they came.
   */
  order(type: number): C[] {
    const accounts = [...this.#accounts.values()];
    for (const account of accounts) account.priority[type] = this.#priority(account, type);
    accounts.sort(
      (a, b) =>
        (b.priority[type] as number) - (a.priority[type] as number) ||
        (b.deficitS[type] as number) - (a.deficitS[type] as number) ||
        (b.share?.[type] ?? 0) - (a.share?.[type] ?? 0),
    );
    return accounts.map(({ combination }) => combination);
  }

  #priority({ share, timeS }: Account<C>, type: number): number {
    const due = share?.[type] ?? 0;
    if (due === 0) return 0;
    const typeTimeS = this.#typeTimeS[type] as number;
    const fraction = typeTimeS === 0 ? 0 : (timeS[type] as number) / typeTimeS;
    return fraction > 0 ? due / fraction : due * NEVER_RUN;
  }
}
