import { InputError } from '../../sim/errors.ts';

/** Refuses an option of a generator that is not above 0 and finite. */
export function checkPositive(name: string, value: number): void {
  if (value > 0 && Number.isFinite(value)) return;
  throw new InputError('options', null, null, `${name}: expected a number above 0, found ${value}`);
}

/** Refuses a number of jobs or GPUs that is not a whole number from 1. */
export function checkCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  const detail = `${name}: expected a whole number from 1, found ${value}`;
  throw new InputError('options', null, null, detail);
}
