import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder that exists while a test file runs. */
export class TemporaryFolder {
  readonly path = mkdtempSync(path.join(tmpdir(), 'heshare-test-'));

  /** Writes a file and returns its full path. */
  write(name: string, content: string | Uint8Array): string {
    const file = path.join(this.path, name);
    writeFileSync(file, content);
    return file;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
