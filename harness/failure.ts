import { DecisionError, InputError, InvariantError } from '../sim/errors.ts';
import { placeText } from './user-module.ts';

/** Exit codes of the program (docs: commands). */
export const EXIT = {
  done: 0,
  fault: 1,
  input: 2,
  invariant: 3,
  hardware: 4,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error as plain data, so that it can leave its thread. */
export interface Failure {
  readonly message: string;
  readonly exitCode: ExitCode;
  /** For a fault of ours only: where it happened. */
  readonly stack: string | null;
}

/** What is wrong with the jobs, and so with every run of an experiment, as plain data. */
export type InputFault = Pick<InputError, 'file' | 'line' | 'column' | 'detail'>;

/** Of the invariants, the one that a policy can break: it started no more jobs. */
function isLeftToPolicy({ message }: InvariantError): boolean {
  return /^policy '.*' left jobs over at /.test(message);
}

/**
 * What an error means for the exit code. An impossible decision, jobs that are never started or a
 * crash of a user's own policy are bad input; of a policy of ours they are a broken invariant or a
 * fault.
 */
export function failureOf(error: unknown, policyFile: string | null = null): Failure {
  const ofPolicy = policyFile === null ? EXIT.invariant : EXIT.input;
  if (!(error instanceof Error)) {
    if (policyFile === null) return { message: String(error), exitCode: EXIT.fault, stack: null };
    const message = `${policyFile} the policy threw ${String(error)}, expected an Error`;
    return { message, exitCode: EXIT.input, stack: null };
  }
  const { message } = error;
  if (error instanceof InputError) return { message, exitCode: EXIT.input, stack: null };
  if (error instanceof DecisionError) return { message, exitCode: ofPolicy, stack: null };
  if (error instanceof InvariantError) {
    const exitCode = isLeftToPolicy(error) ? ofPolicy : EXIT.invariant;
    return { message, exitCode, stack: null };
  }
  if (policyFile !== null) {
    const thrown = `${placeText(policyFile, error)} the policy threw ${error.name}: ${message}`;
    return { message: thrown, exitCode: EXIT.input, stack: null };
  }
  return { message, exitCode: EXIT.fault, stack: error.stack ?? null };
}

/** The exit code for several failures: a broken invariant before a fault before bad input. */
export function worstExitCode(failures: readonly Failure[]): ExitCode {
  const order: readonly ExitCode[] = [EXIT.invariant, EXIT.fault, EXIT.hardware, EXIT.input];
  return order.find((code) => failures.some(({ exitCode }) => exitCode === code)) ?? EXIT.done;
}
