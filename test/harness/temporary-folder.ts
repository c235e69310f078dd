import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of its own for each test of a suite, removed after it. */
export function temporaryFolder(): { readonly path: string; file(name: string): string } {
  let current = '';
  beforeEach(() => {
    current = mkdtempSync(path.join(tmpdir(), 'heshare-test-'));
  });
  afterEach(() => {
    rmSync(current, { recursive: true, force: true });
  });
  return {
    get path() {
      return current;
    },
    file: (name) => path.join(current, name),
  };
}
