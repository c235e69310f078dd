import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Whether the program runs from its TypeScript source; false in the built package. */
export const RUNS_FROM_SOURCE: boolean = import.meta.url.endsWith('.ts');

/** Folder that holds sim, policies, harness and so on: the repository, or `dist`. */
const codeRoot = path.dirname(import.meta.dirname);

/** Folders whose files decide what a run gives. */
const DECIDING_FOLDERS = ['sim', 'policies', 'traces', 'calibration', 'harness'];

/** Version of the package. */
export function packageVersion(): string {
  for (const folder of [codeRoot, path.dirname(codeRoot)]) {
    const file = path.join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown };
    if (typeof version === 'string') return version;
  }
  return 'unknown';
}

let fingerprint: string | null = null;

/**
 * Hash of the program's own code and data. A finished run is taken up again only when the program
 * that made it is the one that asks, so results never outlive a change of the code.
 */
export function programFingerprint(): string {
  if (fingerprint !== null) return fingerprint;
  const extensions = new Set([RUNS_FROM_SOURCE ? '.ts' : '.js', '.json']);
  const hash = createHash('sha256');
  for (const folder of DECIDING_FOLDERS) {
    const files = readdirSync(path.join(codeRoot, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.toSorted()) {
      if (!extensions.has(path.extname(file))) continue;
      hash.update(`${folder}/${file}\0`).update(readFileSync(path.join(codeRoot, folder, file)));
    }
  }
  fingerprint = hash.digest('hex').slice(0, 16);
  return fingerprint;
}
