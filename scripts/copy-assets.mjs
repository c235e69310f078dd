// Copies what tsc does not emit (profiles, experiment files) into dist/ at the same relative paths.
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');

const assets = [
  { folder: 'calibration/profiles', recursive: true, extension: '.json' },
  { folder: 'harness/experiments', recursive: false, extension: '.yaml' },
];

/** @param {unknown} error */
const isMissing = (error) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

for (const { folder, recursive, extension } of assets) {
  let entries;
  try {
    entries = await readdir(path.join(root, folder), { recursive, withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) continue;
    throw error;
  }
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith(extension)) continue;
    const source = path.join(entry.parentPath, entry.name);
    const target = path.join(dist, path.relative(root, source));
    await mkdir(path.dirname(target), { recursive: true });
    await cp(source, target);
  }
}

try {
  await chmod(path.join(dist, 'cli/main.js'), 0o755);
} catch (error) {
  if (!isMissing(error)) throw error;
}
