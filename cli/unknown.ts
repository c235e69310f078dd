import { InputError, nearest } from '../sim/errors.ts';

/**
 * The item with this name.
 * @throws {InputError} that reads `policy 'fifoo' is unknown, did you mean 'fifo'?`
 */
export function named<T extends { readonly name: string }>(
  kind: string,
  items: readonly T[],
  name: string,
): T {
  const found = items.find((item) => item.name === name);
  if (found !== undefined) return found;
  const names = items.map((item) => item.name);
  const near = nearest(name, names);
  const hint = near === null ? `expected one of ${names.join(', ')}` : `did you mean '${near}'?`;
  throw new InputError(`${kind} '${name}'`, null, null, `is unknown, ${hint}`);
}

/**
 * Runs the step that a word stands for where no subcommand is named; when it fails and the word is
 * near a subcommand, the error names that one.
 */
export async function orSubcommand<T>(
  command: string,
  subcommands: readonly string[],
  word: string,
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const near = nearest(word, subcommands);
    if (near === null || !(error instanceof InputError)) throw error;
    const detail = `is unknown, did you mean '${command} ${near}'?`;
    throw new InputError(`'${command} ${word}'`, null, null, detail);
  }
}
