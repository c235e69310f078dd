import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { JOB_COLUMNS, jobsCsv } from '../../harness/jobs-csv.ts';
import type { JobRow, SimulationResult } from '../../sim/result.ts';
import { madeSummary } from './made-runs.ts';

function resultOf(rows: readonly JobRow[]): SimulationResult {
  return {
    policy: 'fifo',
    summary: madeSummary(1, 1),
    jobCount: rows.length,
    jobRow: (index) => rows[index] as JobRow,
  };
}

const ROW: JobRow = {
  id: 'a',
  submitS: 0.1 + 0.2,
  startS: Number.NaN,
  endS: Number.NaN,
  state: 'rejected',
  gpus: [0, 12],
  gpuTypes: ['V100', 'P100'],
  workload: 'unit',
  queueS: 0,
  jctS: Number.NaN,
  runS: 0,
  preemptions: 0,
  restarts: 0,
  slowdown: Number.NaN,
  energyJ: 1e-7,
  reason: 'too many',
};

describe('harness/jobs-csv', () => {
  it('writes the columns of the contract, numbers to read back exactly, NaN as nothing', () => {
    const text = [...jobsCsv(resultOf([ROW]))].join('');
    assert.equal(
      text,
      `${JOB_COLUMNS.join(',')}\na,0.30000000000000004,,,rejected,0 12,V100 P100,unit,0,,0,0,0,,1e-7\n`,
    );
  });

  it('quotes ids that hold commas, quotes or line ends, so that they read back the same', () => {
    const ids = ['a,b', 'say "x"', 'two\nlines', ' =1+1'];
    const text = [...jobsCsv(resultOf(ids.map((id) => ({ ...ROW, id }))))].join('');
    const rows = parse<Record<string, string>>(text, { columns: true });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ids,
    );
  });

  it('gives the same text in many pieces as in one', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ ...ROW, id: `job-${i}` }));
    const pieces = [...jobsCsv(resultOf(rows))];
    assert.ok(pieces.length > 2);
    assert.equal(pieces.join('').trimEnd().split('\n').length, rows.length + 1);
  });
});
