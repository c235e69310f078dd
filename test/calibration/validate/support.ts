import assert from 'node:assert/strict';
import path from 'node:path';
import { readMeasurements } from '../../../calibration/datasets/read-measurements.ts';
import {
  type MeasurementFields,
  measurement,
} from '../../../calibration/datasets/table-builder.ts';
import type { MeasurementTable } from '../../../calibration/measurement.ts';
import type { SchemeResult, SchemeRow } from '../../../calibration/validate/scheme.ts';

/** A table of made rows. */
export function tableOf(rows: readonly Partial<MeasurementFields>[]): MeasurementTable {
  return {
    rows: rows.map((row, i) =>
      measurement({
        gpuType: 'G',
        workload: 'w',
        source: 'made',
        row: `made.csv:${i + 2}`,
        ...row,
      }),
    ),
    report: {
      files: ['made.csv'],
      rowsRead: rows.length,
      kept: rows.length,
      dropped: {},
      flagged: {},
      options: {},
      assumed: [],
    },
  };
}

/** The row of a result whose text matches. */
export function rowOf({ rows }: Pick<SchemeResult, 'rows'>, what: RegExp): SchemeRow {
  return (
    rows.find((row) => what.test(row.what)) ??
    assert.fail(`no row ${what.source} in: ${rows.map((row) => row.what).join('; ')}`)
  );
}

const data = process.env.HESHARE_DATA;

/** Where the measurement sets are, which are not ours to ship; null when it is not said. */
export const dataFolder = data === undefined ? null : path.join(data, 'calibration');

/** `describe` where the sets are; a skipped one that says why elsewhere. */
export function describeWithData(title: string, body: (folder: string) => void): void {
  if (dataFolder === null) {
    describe.skip(`${title} (skipped: HESHARE_DATA names no folder of measurement sets)`, () => {
      it('holds its goals', () => undefined);
    });
  } else {
    describe(title, () => {
      body(dataFolder);
    });
  }
}

/** The measurements of one set. */
export function readSet(folder: string, set: string): MeasurementTable {
  return readMeasurements([path.join(folder, set)]);
}
