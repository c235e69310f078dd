import { mean as meanOf, sampleStandardDeviation } from 'simple-statistics';
import { studentTCritical } from './student-t.ts';

/** Confidence of every interval that is printed. */
export const CONFIDENCE = 0.95;

/** A mean over seeds and, from two seeds on, the half width of its interval. */
export interface Estimate {
  readonly n: number;
  readonly mean: number;
  /** Half width of the two-sided Student t interval; null for a single value, which has none. */
  readonly halfWidth: number | null;
}

/** Mean of the values with its t interval. @throws {RangeError} on no values */
export function estimate(values: readonly number[], confidence: number = CONFIDENCE): Estimate {
  const n = values.length;
  if (n === 0) throw new RangeError('an estimate needs at least one value');
  const mean = meanOf([...values]);
  if (n === 1) return { n, mean, halfWidth: null };
  const standardError = sampleStandardDeviation([...values]) / Math.sqrt(n);
  return { n, mean, halfWidth: studentTCritical(confidence, n - 1) * standardError };
}

/**
 * Relative change against the reference, paired by seed: the estimate of `value / reference - 1`
 * over the seeds. Pairing takes out what a seed does to both. Null when a reference is 0 where the
 * value is not, because no ratio exists then.
 * @throws {RangeError} when the two do not have the same number of values
 */
export function relativeChange(
  values: readonly number[],
  reference: readonly number[],
  confidence: number = CONFIDENCE,
): Estimate | null {
  if (values.length !== reference.length) {
    throw new RangeError(`${values.length} values cannot be paired with ${reference.length}`);
  }
  if (values.length === 0) return null;
  const changes: number[] = [];
  for (const [i, value] of values.entries()) {
    const base = reference[i] as number;
    if (base === 0 && value !== 0) return null;
    changes.push(base === 0 ? 0 : value / base - 1);
  }
  return estimate(changes, confidence);
}
