import { at } from './linear-algebra.ts';
import { ridge } from './ridge.ts';

/** What is known of a job alone: GPU and memory utilisation as fractions (`nvidia-smi`). */
export interface SoloUtilisation {
  readonly utilisation: number;
  readonly bandwidth: number;
}

/** Speed of one job beside another, over its speed alone. */
export interface UtilisationSpeed {
  readonly me: SoloUtilisation;
  readonly other: SoloUtilisation;
  readonly speed: number;
}

/** Predicts the speed of one job beside another from what is known of both alone. */
export type UtilisationPredictor = (me: SoloUtilisation, other: SoloUtilisation) => number;

/**
 * The speed as a linear function of both jobs' GPU and memory utilisations alone, by least squares
 * (calibration C7, Lucid). It knows no physics: the yardstick for a model that does.
 */
export function fitLinearInUtilisation(rows: readonly UtilisationSpeed[]): UtilisationPredictor {
  const features = (me: SoloUtilisation, other: SoloUtilisation): number[] => [
    1,
    me.utilisation,
    other.utilisation,
    me.bandwidth,
    other.bandwidth,
  ];
  const table = rows.map(({ me, other }) => features(me, other));
  const columns = [0, 1, 2, 3, 4].map((j) => table.map((row) => at(row, j)));
  const found = ridge(
    columns,
    rows.map(({ speed }) => speed),
    columns.map(() => 0),
  );
  return (me, other) =>
    features(me, other).reduce((sum, value, j) => sum + value * at(found, j), 0);
}
