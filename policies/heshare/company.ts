import { memoryContention, smMet } from '../../sim/gpu/contention.ts';
import { busyPart } from '../../sim/gpu/evaluate.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import type { Curve, Grid } from './curves.ts';

/** A resident of the GPU that is tuned. */
export interface Seat {
  readonly curve: Curve;
  /** Largest step time allowed over the step time alone at full clock, no power limit in the way. */
  readonly maxSlowdown: number;
  /** Share steps that it keeps, or 0 when they may be chosen. */
  readonly fixedSteps: number;
}

/** Slack for bounds that are met exactly, relative. */
export const BOUND_SLACK = 1e-9;

/**
 * Step times of the residents of one GPU: the equations of `evaluateGpu` under `mps`, taken apart so
 * that what does not depend on a share or clock is computed once.
 */
export class Company {
  readonly seats: readonly Seat[];
  readonly #grid: Grid;
  readonly #clocks: number;
  readonly #limitS: number[] = [];
  /** Interference on the GPU's part of the step. */
  readonly #factor: number[] = [];
  /** Of the vector under test: what each can use of its share, what it gets of that, the product. */
  readonly #demands: number[] = [];
  readonly #met: number[] = [];
  readonly #shares: number[] = [];

  constructor(grid: Grid, seats: readonly Seat[]) {
    this.#grid = grid;
    this.#clocks = grid.clockX.length;
    this.seats = seats;
    let aggressiveness = 0;
    for (const { curve } of seats) aggressiveness += curve.profile.interference.aggressiveness;
    for (const { curve, maxSlowdown } of seats) {
      const { interference } = curve.profile;
      const others = aggressiveness - interference.aggressiveness;
      this.#factor.push(seats.length === 1 ? 1 : 1 + interference.sensitivity * others);
      this.#limitS.push(curve.uncappedS * maxSlowdown * (1 + BOUND_SLACK));
    }
  }

  /** Whether a step of seat i keeps its slowdown bound. */
  keepsBound(i: number, stepS: number): boolean {
    return stepS <= (this.#limitS[i] as number);
  }

  /** Step of seat i when neither memory nor SMs are contended: never longer than what comes out. */
  freeStepS(i: number, steps: number, clock: number): number {
    const { curve } = this.seats[i] as Seat;
    const gpuPartS = curve.gpuPartS[steps * this.#clocks + clock] as number;
    return curve.profile.time.hostS + (this.#factor[i] as number) * gpuPartS;
  }

  /**
   * Sets the shares for {@link stepS}: granted as they are, or less where the SM demands exceed the
   * GPU; then {@link contend} must follow. @returns whether they do
   */
  share(steps: readonly number[]): boolean {
    let total = 0;
    for (let i = 0; i < this.seats.length; i += 1) {
      const { smDemand } = (this.seats[i] as Seat).curve.profile;
      const share = (steps[i] as number) / this.#grid.wholeSteps;
      const demand = Math.min(share, smDemand);
      this.#demands[i] = demand;
      this.#shares[i] = demand;
      total += demand;
    }
    return total > 1;
  }

  /** Sets what is left of the shares at a clock where the SM demands exceed the GPU. */
  contend(clock: number): void {
    const x = this.#grid.clockX[clock] as number;
    const busy = this.seats.map(({ curve }, i) =>
      busyPart(curve.profile, this.#demands[i] as number, x),
    );
    smMet(this.#demands, busy, this.#met);
    for (let i = 0; i < busy.length; i += 1) {
      this.#shares[i] = (this.#demands[i] as number) * (this.#met[i] as number);
    }
  }

  /** Step of seat i at a memory contention. */
  stepS(i: number, clock: number, kappa: number): number {
    const { profile } = (this.seats[i] as Seat).curve;
    const x = this.#grid.clockX[clock] as number;
    const share = this.#shares[i] as number;
    const factor = this.#factor[i] as number;
    return stepTimeS(profile.time, profile.smDemand, x, 1, share, kappa, factor);
  }

  /** Bandwidth that a job uses with this step, as a fraction of the GPU's. */
  bandwidth(i: number, stepS: number): number {
    const { curve } = this.seats[i] as Seat;
    return (curve.profile.bandwidthDemand * curve.uncappedS) / stepS;
  }

  /** Bandwidth that all use at a memory contention; writes the steps. */
  bandwidthAt(clock: number, kappa: number, stepS: number[]): number {
    let used = 0;
    for (let i = 0; i < this.seats.length; i += 1) {
      const s = this.stepS(i, clock, kappa);
      stepS[i] = s;
      used += this.bandwidth(i, s);
    }
    return used;
  }

  /** The contention that comes about at a clock. */
  kappa(clock: number): number {
    const scratch: number[] = [];
    return memoryContention((kappa) => this.bandwidthAt(clock, kappa, scratch), 1);
  }
}
