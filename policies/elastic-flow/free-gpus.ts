/** GPUs that a job has from one time to another. */
export interface Piece {
  readonly fromS: number;
  readonly toS: number;
  readonly gpus: number;
}

/** What a plan has to know of a job. */
export interface Demand {
  /** Work left, in seconds at a speed of 1. */
  readonly remainingS: number;
  readonly deadlineS: number;
  /** Gangs that it can have, ascending. */
  readonly levels: readonly number[];
  /** Work per second with a gang. */
  speed(gpus: number): number;
}

/** The least that a job must have to be done in time. */
export interface MinimumShare {
  /** Largest gang of its plan. */
  readonly quota: number;
  /** In order of time. */
  readonly pieces: readonly Piece[];
}

/**
 * GPUs of a type that are free over time: steps, from now on. Jobs are planned into it one after the other,
 * each as late as its deadline allows.
 */
export class FreeGpus {
  readonly #slotS: number;
  /** When each step begins, ascending, the first now; and GPUs free in it. */
  readonly #fromS: number[];
  readonly #free: number[];

  /** @param slotS planned starts are on whole slots from now */
  constructor(nowS: number, gpus: number, slotS: number) {
    this.#slotS = slotS;
    this.#fromS = [nowS];
    this.#free = [gpus];
  }

  /**
   * The minimum satisfactory share of a job (ElasticFlow, ASPLOS 2023, algorithm 1): the smallest of its
   * gangs such that with never more than that many GPUs, going back from its deadline through what is free,
   * it is done in time. Null when even the largest is not enough. O(gangs x steps before its deadline).
   *
   * @param fromS when it can start at the earliest; the beginning when absent
   */
  minimumShare(demand: Demand, fromS = -Infinity): MinimumShare | null {
    for (const quota of demand.levels) {
      const pieces = this.#fill(demand, quota, fromS);
      if (pieces !== null) return { quota, pieces };
    }
    return null;
  }

  /** Takes what a plan uses. */
  take({ pieces }: MinimumShare): void {
    for (const { fromS, toS, gpus } of pieces) {
      const end = this.#splitAt(toS);
      const steps = this.#fromS.length;
      const first = this.#splitAt(fromS);
      const last = end + this.#fromS.length - steps;
      const free = this.#free;
      for (let step = first; step < last; step += 1) free[step] = (free[step] as number) - gpus;
      this.#joinAt(last);
      this.#joinAt(first);
    }
  }

  /** Makes one step of two that have as many GPUs free. */
  #joinAt(step: number): void {
    if (step === 0 || this.#free[step] !== this.#free[step - 1]) return;
    this.#fromS.splice(step, 1);
    this.#free.splice(step, 1);
  }

  #fill(demand: Demand, quota: number, earliestS: number): Piece[] | null {
    const { levels } = demand;
    const begins = this.#fromS;
    const free = this.#free;
    const startS = begins[0] as number;
    const pieces: Piece[] = [];
    let left = demand.remainingS;
    let toS = demand.deadlineS;
    for (let step = begins.length - 1; step >= 0 && left > 0; step -= 1) {
      const beginS = Math.max(begins[step] as number, earliestS);
      if (beginS >= toS) continue;
      const gpus = largestWithin(levels, Math.min(quota, free[step] as number));
      if (gpus > 0) {
        const perS = demand.speed(gpus);
        const latestS = toS - left / perS;
        left -= perS * (toS - beginS);
        const slots = Math.floor((latestS - startS) / this.#slotS);
        const fromS = left > 0 ? beginS : Math.max(beginS, startS + slots * this.#slotS);
        pieces.push({ fromS, toS, gpus });
      }
      toS = beginS;
    }
    return left > 0 ? null : pieces.reverse();
  }

  /** The step that begins at a time, made by splitting another where there is none. */
  #splitAt(timeS: number): number {
    const begins = this.#fromS;
    let step = begins.length;
    while (step > 0 && (begins[step - 1] as number) > timeS) step -= 1;
    if (begins[step - 1] === timeS) return step - 1;
    begins.splice(step, 0, timeS);
    this.#free.splice(step, 0, this.#free[step - 1] as number);
    return step;
  }
}

/** The largest of ascending levels that is at most `limit`; 0 when there is none. */
function largestWithin(levels: readonly number[], limit: number): number {
  let largest = 0;
  for (const level of levels) {
    if (level > limit) break;
    largest = level;
  }
  return largest;
}
