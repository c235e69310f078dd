import { type ProgramRow, solveRows } from './rows.ts';

/** A way to run a job: so many GPUs of a type. */
export interface Configuration {
  readonly type: number;
  readonly gpus: number;
}

/** A round of Sia: what each job could run as, and how well. */
export interface SiaRound {
  readonly configurations: readonly Configuration[];
  /** GPUs by type. */
  readonly capacity: readonly number[];
  /**
   * By job, then configuration: goodput over the least of the job's valid configurations; a
   * configuration that it cannot use has 0.01.
   */
  readonly speeds: readonly (readonly number[])[];
  /** By job: the configuration that it runs as now, or null; null where no job has run yet. */
  readonly previous: readonly (number | null)[] | null;
  /** By job: what a change of configuration leaves of its speed, in (0, 1]. */
  readonly restartFactors: readonly number[] | null;
  /** Configurations that the factor weighs: of the same type, as released, or all. */
  readonly penaltyScope: 'same-type' | 'all';
}

/** What the released allocator uses (SOSP 2023 artifact, `mip.py`). */
export interface SiaWeights {
  /** Exponent of the speeds; below 0 favours fairness. */
  readonly fairness: number;
  /** Cost of a job that gets nothing. */
  readonly idleCost: number;
  /** Cost of each entry of the allocation that changes. */
  readonly changeCost: number;
}
export const SIA_WEIGHTS: SiaWeights = { fairness: -0.5, idleCost: 1.1, changeCost: 0.01 };

/** Largest cost of a configuration. */
const COST_LIMIT = 200;

/** Cost of running at a speed: the speed to the power of the fairness, rounded to cents as released. */
export function costOf(speed: number, fairness: number): number {
  return Math.min(roundToCents(speed ** fairness), COST_LIMIT);
}

export interface SiaChoice {
  readonly objective: number;
  /** By job: its configuration, or null. */
  readonly chosen: readonly (number | null)[];
}

/** Costs by job and configuration. */
export function costsOf(round: SiaRound, fairness: number): readonly (readonly number[])[] {
  return round.speeds.map((speeds, job) => {
    const previous = round.previous?.[job] ?? null;
    const factor = round.restartFactors?.[job] ?? 1;
    return speeds.map((speed, index) => {
      const weighed = isPenalised(round, previous, index) ? speed * factor : speed;
      return costOf(weighed, fairness);
    });
  });
}

function isPenalised(round: SiaRound, previous: number | null, index: number): boolean {
  if (previous === null || previous === index) return false;
  const typeOf = (configuration: number) => round.configurations[configuration]?.type;
  return round.penaltyScope === 'all' || typeOf(previous) === typeOf(index);
}

/** Half a cent goes to the even one, as NumPy rounds. */
function roundToCents(value: number): number {
  const scaled = value * 100;
  const low = Math.floor(scaled);
  const rest = scaled - low;
  if (rest === 0.5) return (low % 2 === 0 ? low : low + 1) / 100;
  return Math.round(scaled) / 100;
}

/** Net cost of a configuration over that of idling, of a job that has `previous` now. */
export function netCostOf(
  cost: number,
  configuration: number,
  previous: number | null,
  { idleCost, changeCost }: SiaWeights,
): number {
  if (previous === null) return cost - idleCost;
  // |x - previous| of a binary x is x, or 1 - x for the configuration that it has.
  return cost - idleCost + (previous === configuration ? -changeCost : changeCost);
}

/**
 * At most one configuration a job within the GPUs of each type, of least summed cost, plus what idle jobs
 * and changes cost (Sia, SOSP 2023, equation 3; with a fairness below 0 it is a minimum). Exact.
 *
 * @throws {SolveError} when the solver does not end at the optimum
 */
export function solveSia(round: SiaRound, weights: SiaWeights = SIA_WEIGHTS): SiaChoice {
  let constant = 0;
  const rows = costsOf(round, weights.fairness).map((costs, job): ProgramRow => {
    const previous = round.previous?.[job] ?? null;
    constant += weights.idleCost + (previous === null ? 0 : weights.changeCost);
    const options = costs.map((cost, index) => {
      const { type, gpus } = round.configurations[index] as Configuration;
      return { type, gpus, cost: netCostOf(cost, index, previous, weights) };
    });
    return { copies: 1, options };
  });
  const { objective, counts } = solveRows('sia round', rows, round.capacity, true);
  return {
    objective: objective + constant,
    chosen: counts.map((ofJob) => {
      const index = ofJob.findIndex((count) => count > 0.5);
      return index < 0 ? null : index;
    }),
  };
}
