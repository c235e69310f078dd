import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { InputError } from '../../sim/errors.ts';
import { type ByteSource, byteSource } from '../../traces/csv/byte-source.ts';
import { type ImportOptions, importSource } from '../../traces/formats.ts';
import { traceJob } from '../../traces/importers/trace-job.ts';
import { type QualityReport, statisticsOf } from '../../traces/report.ts';
import type { ImportedTrace, TraceJob } from '../../traces/workload.ts';

/** Path of a fixture. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

async function* pieces(content: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

/** A file that exists only here, in chunks of a size. */
export async function sourceOf(content: string | Buffer, size = 64): Promise<ByteSource> {
  return await byteSource('t.csv', pieces(content, size));
}

/** Imports such a file. */
export async function importText(
  content: string | Buffer,
  options?: ImportOptions,
): Promise<ImportedTrace> {
  return await importSource(await sourceOf(content), options);
}

/** Waits for an `InputError` and gives its message. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof InputError, `expected an InputError, got ${String(error)}`);
  return error.message;
}

/** A job with defaults. */
export function job(stated: Partial<TraceJob> = {}): TraceJob {
  return traceJob({ id: 'j', submitS: 0, durationS: 60, gpuCount: 1, row: 1, ...stated });
}

/** A report on jobs. */
export function reportOf(jobs: readonly TraceJob[]): QualityReport {
  return {
    format: 'test',
    input: null,
    options: {},
    rowsRead: jobs.length,
    dropped: {},
    badRowExamples: [],
    assumed: [],
    ...statisticsOf(jobs),
  };
}

/** Every row is a job or counted as left out. */
export function assertNothingLost({ report, jobs }: ImportedTrace): void {
  const dropped = Object.values(report.dropped).reduce((sum, count) => sum + count, 0);
  assert.equal(report.rowsRead, report.jobs + dropped);
  assert.equal(report.jobs, jobs.length);
}

/**
 * Folder of downloaded data, or null when HESHARE_DATA is unset; tests of files in it skip then, with the
 * reason in their name.
 */
export const DATA_FOLDER = process.env.HESHARE_DATA ?? null;
