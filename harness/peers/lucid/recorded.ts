import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PeerCase } from '../peer.ts';
import { figuresOf, filesIn, recordedRows, withTextIds } from '../recorded-rows.ts';

/** `TRACE.nNODES.POLICY.csv` */
const OUTPUT = /^(.+)\.n(\d+)\.(\w+)\.csv$/;

async function summariesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(folder, 'SUMMARY.txt'), 'utf8').catch(() => '');
  return new Map(
    text.split('\n').map((line) => {
      const [, trace, nodes, policy] = /^(.+)\.csv nodes=(\d+) (\w+) /.exec(line) ?? [];
      return [`${trace} ${nodes} ${policy}`, line] as const;
    }),
  );
}

/**
 * Outputs recorded from the simulator. Policy lucid is recorded as released, so it needs the pair table
 * of the artifact, which is looked for in the data folder (`--set pairs=FILE`).
 */
export async function recordedCases(folder: string): Promise<readonly PeerCase[]> {
  const summaries = await summariesIn(folder);
  const outputs = path.join(folder, 'out');
  const cases: PeerCase[] = [];
  for (const file of await filesIn(outputs)) {
    const [, trace, nodes, policy] = OUTPUT.exec(file) ?? [];
    if (trace === undefined || nodes === undefined || policy === undefined) continue;
    const { columns, rows } = await recordedRows(outputs, file);
    const { nodes: _nodes, ...summary } = figuresOf(
      summaries.get(`${trace} ${nodes} ${policy}`) ?? '',
    );
    cases.push({
      peer: 'lucid',
      name: `${trace} on ${nodes} nodes, ${policy}`,
      policy,
      inputs: { trace: path.join(folder, `${trace}.csv`), cluster: `${nodes}x8` },
      settings: {},
      expected: { columns, rows: withTextIds(rows, 'job_id'), summary, decimals: 4 },
      tolerance: 0,
      note: '',
    });
  }
  return cases;
}
