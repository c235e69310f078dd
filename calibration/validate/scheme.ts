import type { MeasurementTable } from '../measurement.ts';

/** Goals of a scheme as fractions of mean absolute percentage error; null where it sets none. */
export interface SchemeGoal {
  readonly timeMape: number | null;
  readonly powerMape: number | null;
  /** Largest error that any one workload (or other unit of the scheme) may have. */
  readonly worst: number | null;
  /** What the goal says beyond these figures, in words; empty when nothing. */
  readonly more: string;
}

/**
 * One line of a scheme's table. Errors are mean absolute percentage errors on points that the fit
 * did not see, as fractions (0.012 is 1.2 %); null where the line has no such quantity.
 */
export interface SchemeRow {
  /** What was held out, on what data: `V100, 25 applications, alternate clocks`. */
  readonly what: string;
  readonly timeMape: number | null;
  readonly powerMape: number | null;
  /** Error of the worst workload of the line, over time and power. */
  readonly worst: number | null;
  /** The same errors of the naive predictor, which sees the same points. */
  readonly naiveTime: number | null;
  readonly naivePower: number | null;
  /** Figures that others published for the same data or kind of model, in words; empty if none. */
  readonly published: string;
  /** Points that were predicted, and workloads they belong to. */
  readonly points?: number;
  readonly workloads?: number;
  /** Goal of this line where it differs from the scheme's. */
  readonly goal?: SchemeGoal;
}

/** What a held-out scheme found. Pure data: the table and the JSON of it hold the same. */
export interface SchemeResult {
  readonly name: string;
  readonly goal: SchemeGoal;
  readonly rows: readonly SchemeRow[];
  /** What the naive predictor is, how points were held out, what was left out and counted. */
  readonly notes: readonly string[];
}

/** A scheme: held-out errors from a table of measurements, with no reading and no writing. */
export type Scheme<Options extends object = object> = (
  table: MeasurementTable,
  options?: Partial<Options>,
) => SchemeResult;

/** True where the row's errors are within its goal; null when it has no goal to be held to. */
export function meetsGoal(row: SchemeRow, goal: SchemeGoal): boolean | null {
  const own = row.goal ?? goal;
  const pairs: readonly (readonly [number | null, number | null])[] = [
    [row.timeMape, own.timeMape],
    [row.powerMape, own.powerMape],
    [row.worst, own.worst],
  ];
  const held = pairs.flatMap(([error, limit]) =>
    error === null || limit === null ? [] : [error <= limit],
  );
  return held.length === 0 ? null : held.every(Boolean);
}
