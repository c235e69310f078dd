import { InputError } from '../sim/errors.ts';

/** Reads the value of a flag. @throws {InputError} naming the flag, where the step throws any error */
export function ofFlag<T>(flag: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(flag, null, null, (error as Error).message);
  }
}
