import type { MeasurementTable } from '../measurement.ts';
import type { MeasurementOptions } from './options.ts';
import { TableBuilder } from './table-builder.ts';

/** The beginning of what a format is recognised by. */
export interface FileHead {
  readonly path: string;
  readonly text: string;
  /** Cells of the first line. */
  readonly header: readonly string[];
}

/** A reader of one file format. */
export interface MeasurementFormat {
  readonly name: string;
  readonly about: string;
  /** Columns without which a CSV file is not of this format; empty for other kinds of file. */
  readonly columns: readonly string[];
  /** Whether a file is of this format, by its content. */
  readonly detect: (head: FileHead) => boolean;
  /** Reads files into the table that is being built. @throws {InputError} */
  readonly read: (builder: TableBuilder, files: readonly string[]) => void;
}

/** Whether a CSV header has all of a format's columns. */
export function hasColumns(columns: readonly string[]): (head: FileHead) => boolean {
  return ({ header }) => columns.every((name) => header.includes(name));
}

/** The table of some files of one format. */
export function tableOf(
  format: Pick<MeasurementFormat, 'read'>,
  files: readonly string[],
  options?: MeasurementOptions,
): MeasurementTable {
  const builder = new TableBuilder(options);
  format.read(builder, files);
  return builder.table();
}
