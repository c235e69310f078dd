import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { InputError } from '../sim/errors.ts';
import { RUNS_FROM_SOURCE } from './program.ts';

interface Registers {
  register(): unknown;
}

let registered = false;

/** Whether this Node takes types out by itself. */
function nodeTakesTypesOut(): boolean {
  const { typescript } = process.features as { readonly typescript?: unknown };
  return Boolean(typescript);
}

/** Address of an entry of tsx as it is installed at a place, by its own list of entries. */
function tsxEntry(place: string, entry: string): string {
  const file = createRequire(place).resolve('tsx/package.json');
  const { exports } = JSON.parse(readFileSync(file, 'utf8')) as {
    exports: Record<string, { import: { default: string } }>;
  };
  const target = exports[entry]?.import.default ?? entry;
  return pathToFileURL(path.join(path.dirname(file), target)).href;
}

/** Puts tsx, as it is installed at a place, to work in this thread; false when it is not there. */
async function registerTsx(place: string): Promise<boolean> {
  try {
    // Both: a file is one or the other kind of module by the package.json that it lies under.
    for (const entry of ['./cjs/api', './esm/api']) {
      ((await import(tsxEntry(place, entry))) as Registers).register();
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a `.ts` file importable in this thread: by Node itself where it can, else by tsx, that of
 * this package or the one that is installed beside the file. Other files need nothing.
 * @throws {InputError} when there is neither
 */
export async function prepareTypeScript(file: string): Promise<void> {
  const loaded = RUNS_FROM_SOURCE && isMainThread;
  const ready = registered || loaded || !/\.[cm]?ts$/.test(file) || nodeTakesTypesOut();
  if (ready) return;
  registered = (await registerTsx(import.meta.filename)) || (await registerTsx(path.resolve(file)));
  if (registered) return;
  throw new InputError(
    file,
    null,
    null,
    'a .ts policy needs tsx (npm install tsx) or Node 22.18 and later; or compile it to .js',
  );
}
