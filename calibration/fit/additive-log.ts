import { mean } from './errors.ts';
import { at } from './linear-algebra.ts';
import { ridge } from './ridge.ts';

/** Speed of one workload beside another, over its speed alone. */
export interface PairSpeed {
  readonly workload: string;
  readonly other: string;
  readonly speed: number;
}

/** Predicts the speed of one workload beside another. */
export type PairPredictor = (workload: string, other: string) => number;

/**
 * Fits `log(speed) = c + u(workload) + v(other)` by least squares with the penalty
 * `ridge * (|u|^2 + |v|^2)`: own sensitivity and the other's aggressiveness, drawn towards none
 * (calibration C7, where ridge 1 is used on Gavel's pairs). `c` is the mean. A workload that was not
 * seen has u = v = 0; no speed exceeds 1, that alone.
 *
 * @throws {RangeError} when a speed is not positive
 */
export function fitAdditiveLog(rows: readonly PairSpeed[], penalty = 1): PairPredictor {
  const logs = rows.map(({ speed }) => {
    if (!(speed > 0)) throw new RangeError(`expected a speed above 0, found ${speed}`);
    return Math.log(speed);
  });
  const centre = mean(logs);
  const names = [...new Set(rows.flatMap(({ workload, other }) => [workload, other]))].sort();
  const index = new Map(names.map((name, i) => [name, i]));
  const indicator = (nameOf: (row: PairSpeed) => string): number[][] =>
    names.map((name) => rows.map((row) => (nameOf(row) === name ? 1 : 0)));
  const columns = [...indicator(({ workload }) => workload), ...indicator(({ other }) => other)];
  const found = ridge(
    columns,
    logs.map((log) => log - centre),
    columns.map(() => penalty),
  );
  const term = (name: string, offset: number): number => {
    const i = index.get(name);
    return i === undefined ? 0 : at(found, offset + i);
  };
  return (workload, other) =>
    Math.min(1, Math.exp(centre + term(workload, 0) + term(other, names.length)));
}
