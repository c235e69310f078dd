import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../sim/errors.ts';
import { prepareTypeScript } from './typescript.ts';

type Module = Readonly<Record<string, unknown>>;

const { cache } = createRequire(import.meta.url);

/** Counts imports: each gets an address of its own, so that none shares the state of another. */
let imports = 0;

/** First line and column of an error that lie in the user's file. */
function placeIn(file: string, error: Error): [line: number, column: number] | null {
  const text = `${error.stack ?? ''}\n${error.message}`;
  const name = path.basename(file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const match = new RegExp(`${name}(?:\\?import=\\d+)?:(\\d+):(\\d+)`).exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2])];
}

/** `file:line:col` of an error that lies in the user's file, or just the file. */
export function placeText(file: string, error: Error): string {
  return [file, ...(placeIn(file, error) ?? [])].join(':');
}

/** A CommonJS module that was a module before its types were taken out is one again. */
function unwrapped(module: Module): Module {
  const inner = module.default as Module | null | undefined;
  return inner?.__esModule === true ? inner : module;
}

/**
 * Imports a user's own `.ts` or `.js` file, afresh each time: what one run leaves in its variables is
 * not there in the next (what the files that it imports keep, is).
 * @throws {InputError} when it cannot be found, parsed or run to its end
 */
export async function importUserModule(file: string): Promise<Module> {
  const absolute = path.resolve(file);
  await prepareTypeScript(file);
  for (const known of Object.keys(cache)) {
    if (known.startsWith(absolute)) Reflect.deleteProperty(cache, known);
  }
  imports += 1;
  try {
    return unwrapped((await import(`${pathToFileURL(absolute).href}?import=${imports}`)) as Module);
  } catch (error) {
    if (!(error instanceof Error)) {
      throw new InputError(file, null, null, `cannot be loaded: threw ${String(error)}`);
    }
    const [line, column] = placeIn(file, error) ?? [null, null];
    const [message = ''] = error.message.split('\n');
    throw new InputError(file, line, column, `cannot be loaded: ${message}`);
  }
}
