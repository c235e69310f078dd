import { InputError } from '../../sim/errors.ts';

/** The error for a compressed file or archive that ends too early. */
export function cutOff(path: string, kind: string): InputError {
  const detail = `is cut off: the ${kind} data end too early; fetch or copy the file again`;
  return new InputError(path, null, null, detail);
}

/** The error for a compressed file or archive whose content is not what it should be. */
export function damaged(path: string, kind: string, what: string): InputError {
  const detail = `is damaged: ${what} in the ${kind} data; fetch or copy the file again`;
  return new InputError(path, null, null, detail);
}
