import { mean } from './errors.ts';
import { at } from './linear-algebra.ts';

/**
 * The simplest of several candidates that is as good as the best within one standard error of the
 * best's mean error over the folds of a cross-validation (Breiman and others 1984, section 3.4.3).
 *
 * @param errors errors of each candidate by fold; candidates from the simplest on
 * @returns index of the candidate
 */
export function simplestWithinOneError(errors: readonly (readonly number[])[]): number {
  const means = errors.map(mean);
  const best = Math.min(...means);
  const folds = at(errors, means.indexOf(best));
  const squares = folds.map((error) => (error - best) ** 2);
  const variance = folds.length < 2 ? 0 : (mean(squares) * folds.length) / (folds.length - 1);
  const limit = best + Math.sqrt(variance / folds.length);
  return means.findIndex((value) => value <= limit);
}
