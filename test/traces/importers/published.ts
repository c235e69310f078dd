import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ImportedTrace } from '../../../traces/workload.ts';
import { DATA_FOLDER } from '../support.ts';

/** Statistics of a published file, computed by others from the file itself. */
export interface ExpectedSpread {
  readonly n: number;
  readonly min: number;
  readonly median: number;
  readonly mean: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

interface Expected {
  readonly rows: number;
  readonly scale_factor_hist: Readonly<Record<string, number>>;
  readonly num_gpu_hist: Readonly<Record<string, number>>;
  readonly duration_s: ExpectedSpread;
  readonly last_submit_s: number;
  readonly gpu_milli_gt0_hist: Readonly<Record<string, number>>;
  readonly gpu_sharing_rows: number;
  readonly one_full_gpu_rows: number;
  readonly multi_gpu_rows: number;
  readonly total_gpu_request: number;
  readonly pod_phase_gpu_rows: Readonly<Record<string, number>>;
  readonly 'gpu_hours(scheduled rows, milli-weighted)': number;
  readonly gpus: number;
  readonly gpus_by_model: Readonly<Record<string, number>>;
  readonly gpus_by_type: Readonly<Record<string, number>>;
  readonly machines_by_type: Readonly<Record<string, number>>;
  readonly cpu_cores: number;
  readonly empty_model: number;
  readonly roles: Readonly<Record<string, number>>;
  readonly gpus_requested: number;
  readonly models: Readonly<Record<string, number>>;
  readonly ContextTokens: ExpectedSpread;
  readonly GeneratedTokens: ExpectedSpread;
  readonly ts: readonly [string, string];
  readonly first: string;
  readonly last: string;
  readonly total_2020_09_01: number;
  readonly row_sum_equals_total: boolean;
  readonly num_gpus_hist: Readonly<Record<string, number>>;
  readonly pct_single_gpu: number;
  readonly gpu_hours: number;
  readonly vcs: number;
  readonly sorted: boolean;
  readonly rows_after_pollux_filter: number;
}

/** A suite on downloaded data; skipped, with the reason in its name, when there is none. */
export function publishedSuite(title: string, suite: () => void): void {
  if (DATA_FOLDER === null) describe.skip(`${title} (skipped: HESHARE_DATA is unset)`, suite);
  else describe(title, suite);
}

/** Path of a file in the folder of published traces. */
export function published(name: string): string {
  return path.join(DATA_FOLDER ?? '', 'traces', name);
}

/** What is expected of a published file. */
export function expectedOf(name: string): Expected {
  const text = readFileSync(published('expected.json'), 'utf8');
  const all = JSON.parse(text) as Readonly<Record<string, Expected>>;
  return all[name] ?? assert.fail(`nothing expected of ${name}`);
}

/** The same statistics of values; a percentile is the value at that part of the sorted list. */
export function spread(values: readonly number[]): ExpectedSpread {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  const at = (index: number) => sorted[Math.min(index, n - 1)] ?? Number.NaN;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / n;
  return {
    n,
    min: at(0),
    median: (at(Math.floor((n - 1) / 2)) + at(Math.ceil((n - 1) / 2))) / 2,
    mean: Math.round(mean * 10_000) / 10_000,
    p90: at(Math.floor(0.9 * n)),
    p99: at(Math.floor(0.99 * n)),
    max: at(n - 1),
  };
}

/** Jobs per model. */
export function modelCounts({ jobs }: ImportedTrace): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { model } of jobs) counts[model ?? ''] = (counts[model ?? ''] ?? 0) + 1;
  return counts;
}
