import { InputError, nearest } from '../sim/errors.ts';
import { SpecProblem } from './spec.ts';

/** Where in an experiment something stands. */
export type Place = readonly (string | number)[];

/** Runs a step and says where in the experiment its error belongs. */
export async function located<T>(place: Place, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof SpecProblem) throw error;
    // An error that has a place in a file of its own keeps it.
    if (error instanceof InputError && error.file !== 'options') throw error;
    if (error instanceof InputError) throw new SpecProblem(place, error.detail);
    if (error instanceof RangeError || (error as Error).name === 'ClusterProblem') {
      throw new SpecProblem(place, (error as Error).message);
    }
    throw error;
  }
}

/** Refuses a name that is not known. @throws {RangeError} with the nearest name there is */
export function oneOf(kind: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const near = nearest(name, known);
  const hint = near === null ? `expected one of ${known.join(', ')}` : `did you mean '${near}'?`;
  throw new RangeError(`unknown ${kind} '${name}', ${hint}`);
}
