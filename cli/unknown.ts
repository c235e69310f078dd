import { InputError, nearest } from '../sim/errors.ts';

/** The item with this name. @throws {InputError} with the nearest name there is */
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
  throw new InputError(kind, null, null, `unknown ${kind} '${name}', ${hint}`);
}
