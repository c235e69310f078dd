import type { RateSeries } from '../options.ts';
import type { SimulationState } from '../state.ts';
import { EVENT } from '../time/calendar.ts';
import type { LedgerTotals } from './ledger.ts';

const JOULES_PER_KWH = 3.6e6;

/** What the books say at the end of a run. */
export interface Books {
  readonly whole: LedgerTotals;
  /** Energy charged to jobs over the whole run, booked on their side. */
  readonly jobsJ: number;
  /** The measured part: all of the run unless the options say otherwise. */
  readonly measured: LedgerTotals;
  readonly fromS: number;
  readonly toS: number;
  readonly energyCost: number;
  readonly carbonGram: number;
}

/** The books at an instant. */
interface Reading {
  readonly totals: LedgerTotals;
  readonly energyCost: number;
  readonly carbonGram: number;
}

const TARGET = { price: 0, carbon: 1, from: 2, to: 3 } as const;

/** Instants at which the books are read: steps of price and carbon, ends of the measured part. */
export class Boundaries {
  readonly #state: SimulationState;
  readonly #price: RateMeter;
  readonly #carbon: RateMeter;
  #from: Reading | null = null;
  #to: Reading | null = null;
  /** The books at {@link SimulationState.lastFinishS}, where they were wanted after it. */
  #end: { readonly atS: number; readonly reading: Reading } | null = null;

  /** @throws {RangeError} on a series or a measured part that is out of order */
  constructor(state: SimulationState) {
    this.#state = state;
    const { pricePerKwh, carbonGramPerKwh, measure } = state.options;
    this.#price = new RateMeter('pricePerKwh', pricePerKwh, state.nowS);
    this.#carbon = new RateMeter('carbonGramPerKwh', carbonGramPerKwh, state.nowS);
    this.#scheduleStep(this.#price, TARGET.price);
    this.#scheduleStep(this.#carbon, TARGET.carbon);
    if (measure === null) return;
    if (!(measure.fromS < measure.toS)) {
      throw new RangeError(
        `measure: from ${measure.fromS} s to ${measure.toS} s, expected from < to`,
      );
    }
    const { calendar } = state;
    calendar.schedule(Math.max(measure.fromS, state.nowS), EVENT.boundary, TARGET.from);
    calendar.schedule(Math.max(measure.toS, state.nowS), EVENT.boundary, TARGET.to);
  }

  reached(target: number): void {
    if (this.#state.ledger.isMarked) this.#readEnd();
    const reading = this.#read();
    if (target === TARGET.from) this.#from = reading;
    else if (target === TARGET.to) this.#to = reading;
    else {
      const meter = target === TARGET.price ? this.#price : this.#carbon;
      meter.step();
      this.#scheduleStep(meter, target);
    }
  }

  #read(): Reading {
    const totals = this.#state.ledger.totals(this.#state.nowS);
    const totalJ = totals.gpuJ + totals.hostJ;
    return {
      totals,
      energyCost: this.#price.close(totalJ),
      carbonGram: this.#carbon.close(totalJ),
    };
  }

  /** The books where the last job ended: a rejection after that is no part of the run. */
  #readEnd(): Reading {
    const { ledger, nowS, lastFinishS } = this.#state;
    if (nowS === lastFinishS) return this.#read();
    if (this.#end?.atS !== lastFinishS) {
      const totals = ledger.marked();
      const totalJ = totals.gpuJ + totals.hostJ;
      const energyCost = this.#price.at(totalJ);
      const carbonGram = this.#carbon.at(totalJ);
      this.#end = { atS: lastFinishS, reading: { totals, energyCost, carbonGram } };
    }
    return this.#end.reading;
  }

  /** Closes the books of a run whose jobs are all final. */
  close(): Books {
    const { jobs, lastFinishS, options, startS } = this.#state;
    const whole = this.#readEnd();
    let jobsJ = 0;
    for (const energyJ of jobs.energyJ) jobsJ += energyJ;
    const { fromS, toS } = options.measure ?? { fromS: startS, toS: lastFinishS };
    const to = this.#to !== null && toS < lastFinishS ? this.#to : whole;
    const from = fromS < lastFinishS ? this.#from : null;
    const measured = options.measure === null ? whole : difference(to, from);
    return {
      whole: whole.totals,
      jobsJ,
      measured: measured.totals,
      fromS: Math.max(fromS, startS),
      toS: Math.min(toS, lastFinishS),
      energyCost: measured.energyCost,
      carbonGram: measured.carbonGram,
    };
  }

  #scheduleStep(meter: RateMeter, target: number): void {
    const atS = meter.nextStepS;
    if (atS < Infinity) this.#state.calendar.schedule(atS, EVENT.boundary, target);
  }
}

/** Energy times a rate that steps over time. */
class RateMeter {
  readonly #series: RateSeries;
  #index = 0;
  #bookedJ = 0;
  #sum = 0;

  constructor(name: string, series: RateSeries, startS: number) {
    const { startsS, values } = series;
    const ordered = startsS.every((s, i) => i === 0 || s > (startsS[i - 1] as number));
    if (startsS.length === 0 || startsS.length !== values.length || !ordered) {
      throw new RangeError(
        `${name}: expected as many values as ascending start times, at least one`,
      );
    }
    this.#series = series;
    while (this.nextStepS <= startS) this.#index += 1;
  }

  get nextStepS(): number {
    return this.#series.startsS[this.#index + 1] ?? Infinity;
  }

  /** The next rate holds for what is booked from now on. */
  step(): void {
    this.#index += 1;
  }

  /** Books the energy up to now at the rate that held. @returns the sum so far */
  close(totalJ: number): number {
    this.#sum += this.#sinceBooked(totalJ);
    this.#bookedJ = totalJ;
    return this.#sum / JOULES_PER_KWH;
  }

  /** The sum when the energy was `totalJ`, at the rate that holds now; books nothing. */
  at(totalJ: number): number {
    return (this.#sum + this.#sinceBooked(totalJ)) / JOULES_PER_KWH;
  }

  #sinceBooked(totalJ: number): number {
    return (totalJ - this.#bookedJ) * (this.#series.values[this.#index] as number);
  }
}

/** What was booked between two readings; nothing when the first was never taken. */
function difference(to: Reading, from: Reading | null): Reading {
  const { totals, energyCost, carbonGram } = from ?? to;
  return {
    totals: {
      gpuJ: to.totals.gpuJ - totals.gpuJ,
      idleJ: to.totals.idleJ - totals.idleJ,
      contextIdleJ: to.totals.contextIdleJ - totals.contextIdleJ,
      transitionJ: to.totals.transitionJ - totals.transitionJ,
      hostJ: to.totals.hostJ - totals.hostJ,
      busyGpuS: to.totals.busyGpuS - totals.busyGpuS,
    },
    energyCost: to.energyCost - energyCost,
    carbonGram: to.carbonGram - carbonGram,
  };
}
