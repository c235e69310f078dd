import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Source or built, whichever runs; not the declarations of the built code. */
const CODE = /(?<!\.d)\.[jt]s$/;

let known: string | null = null;

/**
 * What version of the code that reads traces this is: a hash of the code itself, so that no change to an
 * importer can go with results of the version before it.
 */
export function codeVersion(): string {
  if (known !== null) return known;
  const folder = path.resolve(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => CODE.test(name))
    .toSorted();
  const hash = createHash('sha256');
  for (const name of files) {
    hash.update(`${name}\0`);
    hash.update(readFileSync(path.join(folder, name)));
    hash.update('\0');
  }
  known = hash.digest('hex');
  return known;
}
