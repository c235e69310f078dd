import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Measurement, MeasurementTable } from '../../../calibration/measurement.ts';
import { InputError } from '../../../sim/errors.ts';
import { TemporaryFolder } from '../temporary-folder.ts';

/** Files that exist while a test file runs; names may hold folders. */
export class Files {
  readonly #folder = new TemporaryFolder();

  get path(): string {
    return this.#folder.path;
  }

  /** Writes a file, its folders included, and returns its full path. */
  write(name: string, content: string | Uint8Array): string {
    mkdirSync(path.join(this.#folder.path, path.dirname(name)), { recursive: true });
    return this.#folder.write(name, content);
  }

  remove(): void {
    this.#folder.remove();
  }
}

/** Expects an `InputError` whose message matches. */
export function refuses(read: () => unknown, message: RegExp): void {
  assert.throws(read, (error) => {
    assert.ok(error instanceof InputError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

/** A row without what is null, none or false, for short expectations. */
export function said(row: Measurement | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row ?? {}).filter(
      ([, value]) =>
        value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** Points read are points kept plus points left out, and the rows are those kept. */
export function addsUp({ rows, report }: MeasurementTable): void {
  const dropped = Object.values(report.dropped).reduce((sum, count) => sum + count, 0);
  assert.equal(report.kept, rows.length);
  assert.equal(report.rowsRead, report.kept + dropped);
}

const data = process.env.HESHARE_DATA;

/** Folder of the downloaded calibration sets, or null where there is none. */
export const CALIBRATION_DATA =
  data !== undefined && existsSync(path.join(data, 'calibration'))
    ? path.join(data, 'calibration')
    : null;
