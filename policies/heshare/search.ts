import type { Predictor } from '../predictor.ts';
import { BOUND_SLACK, Company, type Seat } from './company.ts';
import type { Grid } from './curves.ts';

/** A point of the grid: share steps in the order of the seats, and the index of the clock. */
export interface GridPoint {
  readonly steps: readonly number[];
  readonly clock: number;
  readonly objective: number;
}

/** Halvings of the range of kappa before the contention is computed to the end. */
const COARSE_STEPS = 9;

/**
 * The best shares and core clock for the residents of one GPU, by exact search of the grid: the
 * least `w * E / Eref + (1 - w) * mean slowdown` (reconstruction of the abstract's adaptive MPS and
 * DVFS settings; objective assumed) at which every slowdown bound and the power cap hold, or null.
 *
 * E / Eref is the power over the power of running the same work alone at the reference clock, one
 * job after the other: `P / sum_i J_i / s_i`, with `J_i` the energy of a step alone and `s_i` the
 * step time here.
 * What is skipped is skipped by bounds that hold for certain: a step without contention is never
 * longer than with it, nor longer at a higher clock or a larger share.
 */
export function searchGrid(
  predictor: Predictor,
  grid: Grid,
  seats: readonly Seat[],
  energyWeight: number,
  unlimited: boolean,
): GridPoint | null {
  return new Search(predictor, grid, seats, energyWeight).run(unlimited);
}

class Search {
  readonly #predictor: Predictor;
  readonly #grid: Grid;
  readonly #company: Company;
  readonly #seats: readonly Seat[];
  readonly #weight: number;
  readonly #n: number;
  readonly #topClock: number;
  /** Share steps of the vector under test, and its step times. */
  readonly #steps: number[];
  readonly #stepS: number[] = [];
  /** Bounds of the step times while the contention is searched for. */
  #lowS: number[] = [];
  #highS: number[] = [];
  #best: GridPoint | null = null;
  #bestObjective = Infinity;

  constructor(predictor: Predictor, grid: Grid, seats: readonly Seat[], energyWeight: number) {
    this.#predictor = predictor;
    this.#grid = grid;
    this.#company = new Company(grid, seats);
    this.#seats = seats;
    this.#weight = energyWeight;
    this.#n = seats.length;
    this.#topClock = grid.clockX.length - 1;
    this.#steps = new Array<number>(seats.length).fill(0);
  }

  run(unlimited: boolean): GridPoint | null {
    const { wholeSteps, maxSteps } = this.#grid;
    const allFixed = this.#seats.every(({ fixedSteps }) => fixedSteps > 0);
    const canBeWhole = this.#seats.every(
      ({ fixedSteps }) => fixedSteps === 0 || fixedSteps === wholeSteps,
    );
    if (canBeWhole && (unlimited || allFixed || maxSteps >= this.#n * wholeSteps)) {
      this.#steps.fill(wholeSteps);
      if (!this.#tryMeasuredPair()) this.#tryVector();
      if (allFixed) return this.#best;
    }
    const minRest = this.#minRest();
    if (minRest !== null) this.#enumerate(0, 0, allFixed ? Infinity : maxSteps, minRest);
    return this.#best;
  }

  /** Least steps that the seats from i on need, or null when one cannot keep its bound. */
  #minRest(): number[] | null {
    const rest = new Array<number>(this.#n + 1).fill(0);
    for (let i = this.#n - 1; i >= 0; i -= 1) {
      const least = this.#leastSteps(i);
      if (least === 0) return null;
      rest[i] = (rest[i + 1] as number) + least;
    }
    return rest;
  }

  /** Least steps at which a seat can keep its bound, or 0 when it cannot. */
  #leastSteps(i: number): number {
    const { fixedSteps } = this.#seats[i] as Seat;
    const from = fixedSteps > 0 ? fixedSteps : 1;
    const to = fixedSteps > 0 ? fixedSteps : this.#grid.wholeSteps;
    for (let steps = from; steps <= to; steps += 1) {
      const stepS = this.#company.freeStepS(i, steps, this.#topClock);
      if (this.#company.keepsBound(i, stepS)) return steps;
    }
    return 0;
  }

  #enumerate(i: number, sum: number, maxSum: number, minRest: readonly number[]): void {
    if (i === this.#n) {
      const isWhole = this.#steps.every((steps) => steps === this.#grid.wholeSteps);
      if (!isWhole || !this.#tryMeasuredPair()) this.#tryVector();
      return;
    }
    const { curve, fixedSteps } = this.#seats[i] as Seat;
    const { wholeSteps } = this.#grid;
    const after = minRest[i + 1] as number;
    const least = (minRest[i] as number) - after;
    // More than a workload can use changes nothing while all shares are honoured.
    const useful = maxSum <= wholeSteps ? Math.max(least, curve.usefulSteps) : wholeSteps;
    const most = fixedSteps > 0 ? fixedSteps : useful;
    for (let steps = least; steps <= most && sum + steps + after <= maxSum; steps += 1) {
      this.#steps[i] = steps;
      this.#enumerate(i + 1, sum + steps, maxSum, minRest);
    }
  }

  /** Tries all clocks for two residents without limits when the pair was measured. */
  #tryMeasuredPair(): boolean {
    if (this.#n !== 2) return false;
    const { typeIndex, clocksMhz, powerCapW } = this.#grid;
    const residents = this.#seats.map(({ curve }) => ({ profile: curve.profile, share: 1 }));
    if (!this.#predictor.evaluate(typeIndex, residents).pairMeasured) return false;
    for (let c = this.#topClock; c >= 0; c -= 1) {
      const clockMhz = clocksMhz[c] as number;
      const point = this.#predictor.evaluate(typeIndex, residents, { clockMhz, powerCapW });
      if (point.throttled) continue;
      if (point.stepS.every((stepS, i) => this.#company.keepsBound(i, stepS))) {
        this.#consider(c, point.stepS);
      }
    }
    return true;
  }

  /** Tries all clocks for the shares under test, from the highest down. */
  #tryVector(): void {
    const company = this.#company;
    const scarce = company.share(this.#steps);
    for (let c = this.#topClock; c >= 0; c -= 1) {
      if (scarce) company.contend(c);
      let used = 0;
      for (let i = 0; i < this.#n; i += 1) {
        const stepS = scarce
          ? company.stepS(i, c, 1)
          : company.freeStepS(i, this.#steps[i] as number, c);
        // At a lower clock, and under memory contention, the step is longer still.
        if (!company.keepsBound(i, stepS)) return;
        this.#stepS[i] = stepS;
        used += company.bandwidth(i, stepS);
      }
      if (used <= 1 || this.#n === 1) this.#consider(c, this.#stepS);
      else if (!this.#isHopelessUnderContention(c)) {
        company.bandwidthAt(c, company.kappa(c), this.#stepS);
        if (this.#stepS.every((stepS, i) => company.keepsBound(i, stepS))) {
          this.#consider(c, this.#stepS);
        }
      }
    }
  }

  /** Narrows kappa down until what is known of it rules the point out, or for COARSE_STEPS. */
  #isHopelessUnderContention(clock: number): boolean {
    let low = 1;
    let high = Infinity;
    this.#lowS = [...this.#stepS];
    this.#highS = this.#lowS.map(() => Infinity);
    for (let step = 0; step < COARSE_STEPS; step += 1) {
      if (this.#isHopeless(clock)) return true;
      const kappa = high === Infinity ? low * 2 : (low + high) / 2;
      const stepS: number[] = [];
      if (this.#company.bandwidthAt(clock, kappa, stepS) > 1) {
        low = kappa;
        this.#lowS = stepS;
      } else {
        high = kappa;
        this.#highS = stepS;
      }
    }
    return this.#isHopeless(clock);
  }

  /** Whether steps of at least `lowS` and at most `highS` break a bound or lose for certain. */
  #isHopeless(clock: number): boolean {
    let leastW = this.#grid.contextW[clock] as number;
    let mostAloneW = 0;
    let slowdown = 0;
    for (let i = 0; i < this.#n; i += 1) {
      const { curve } = this.#seats[i] as Seat;
      const lowS = this.#lowS[i] as number;
      if (!this.#company.keepsBound(i, lowS)) return true;
      const dynamicJ = (curve.dynamicW[clock] as number) * (curve.soloS[clock] as number);
      leastW += dynamicJ / (this.#highS[i] as number);
      mostAloneW += (curve.aloneW * curve.aloneS) / lowS;
      slowdown += lowS / curve.uncappedS;
    }
    return this.#objective(leastW, mostAloneW, slowdown) >= this.#bestObjective;
  }

  /** Takes the point if its power is within the cap and it beats the best so far. */
  #consider(clock: number, stepS: readonly number[]): void {
    let powerW = this.#grid.contextW[clock] as number;
    let dynamicW = 0;
    let allowedW = 0;
    let aloneW = 0;
    let slowdown = 0;
    for (let i = 0; i < this.#n; i += 1) {
      const { curve } = this.#seats[i] as Seat;
      const s = stepS[i] as number;
      const watts = ((curve.dynamicW[clock] as number) * (curve.soloS[clock] as number)) / s;
      powerW += watts;
      dynamicW += watts;
      allowedW += watts * curve.profile.capFraction;
      aloneW += (curve.aloneW * curve.aloneS) / s;
      slowdown += s / curve.uncappedS;
    }
    const capFraction = dynamicW === 0 ? 1 : allowedW / dynamicW;
    if (powerW > this.#grid.powerCapW * capFraction * (1 + BOUND_SLACK)) return;
    const objective = this.#objective(powerW, aloneW, slowdown);
    if (objective >= this.#bestObjective) return;
    this.#bestObjective = objective;
    this.#best = { steps: [...this.#steps], clock, objective };
  }

  /** `w * E / Eref + (1 - w) * mean slowdown`, from the sum of slowdowns. */
  #objective(powerW: number, aloneW: number, slowdown: number): number {
    return (this.#weight * powerW) / aloneW + ((1 - this.#weight) * slowdown) / this.#n;
  }
}
