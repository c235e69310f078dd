import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PeerCase } from '../peer.ts';
import { figuresOf, filesIn, recordedRows, withTextIds } from '../recorded-rows.ts';

/** `TRACE.CLUSTER.count.SCHEDULE.job.csv` */
const OUTPUT = /^(.+)\.([^.]+)\.count\.([\w-]+)\.job\.csv$/;
const SAMPLES = 'yarn-gput1000.csv';

async function summariesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(folder, 'SUMMARY.txt'), 'utf8').catch(() => '');
  return new Map(
    text.split('\n').map((line) => {
      const [trace = '', schedule = ''] = line.split(' ');
      return [`${trace} ${schedule}`, line] as const;
    }),
  );
}

/** Outputs recorded from the simulator: all columns of its job.csv, and the figures of its summary. */
export async function recordedCases(folder: string): Promise<readonly PeerCase[]> {
  const files = await filesIn(folder);
  const summaries = await summariesIn(folder);
  const cases: PeerCase[] = [];
  for (const file of files) {
    const [, trace, cluster, policy] = OUTPUT.exec(file) ?? [];
    if (trace === undefined || cluster === undefined || policy === undefined) continue;
    const { columns, rows } = await recordedRows(folder, file);
    const { rc: _rc, ...summary } = figuresOf(summaries.get(`${trace} ${policy}`) ?? '');
    const samples = path.join(folder, SAMPLES);
    cases.push({
      peer: 'tiresias',
      name: `${trace} on ${cluster}, ${policy}`,
      policy,
      inputs: {
        trace: path.join(folder, `${trace}.csv`),
        cluster: path.join(folder, `${cluster}.csv`),
        ...(existsSync(samples) ? { samples } : {}),
      },
      settings: {},
      expected: { columns, rows: withTextIds(rows, 'job_id'), summary, decimals: 4 },
      tolerance: 0,
      note: '',
    });
  }
  return cases;
}
