import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PeerCase, PeerRow } from '../peer.ts';
import { filesIn } from '../recorded-rows.ts';
import { GAVEL_RULES } from './rules.ts';

/** `TRACE.cVPK.POLICY.txt`, with the GPUs of v100, p100 and k80 for VPK. */
const OUTPUT = /^(.+)\.c(\d)(\d)(\d)\.(\w+)\.txt$/;
const THROUGHPUTS = 'throughputs_subset.json';
const TIED =
  'jobs that look alike to the rule, or worker types, get shares that differ by the rounding of its solver, and that decides who runs first';

/** What the simulator printed at its end. */
function parseOutput(text: string) {
  const rows = [...text.matchAll(/^Job (\d+)[^:\n]*: ([\d.]+)$/gm)].map(
    ([, job, time]): PeerRow => ({ job: Number(job), completion_time: Number(time) }),
  );
  const figure = (pattern: RegExp): number => Number(pattern.exec(text)?.[1]);
  const leases = /Extended leases .* \((\d+)\/(\d+)\)/.exec(text);
  return {
    rows,
    summary: {
      total_duration: figure(/^Total duration: ([\d.]+)/m),
      average_completion_time: figure(/^Average job completion time: ([\d.]+)/m),
      utilization: figure(/^Cluster utilization: ([\d.]+)/m),
      leases_extended: Number(leases?.[1] ?? 0),
      lease_opportunities: Number(leases?.[2] ?? 0),
    },
  };
}

/** Outputs recorded from the simulator: completion times of all jobs, and all figures printed. */
export async function recordedCases(folder: string): Promise<readonly PeerCase[]> {
  const files = await filesIn(folder);
  const cases: PeerCase[] = [];
  for (const file of files) {
    const [, trace = '', v100, p100, k80, policy = ''] = OUTPUT.exec(file) ?? [];
    const rule = GAVEL_RULES.find(({ name }) => name === policy);
    if (rule === undefined) continue;
    const output = parseOutput(await readFile(path.join(folder, file), 'utf8'));
    const cluster = `${v100}:${p100}:${k80}`;
    cases.push({
      peer: 'gavel',
      name: `${trace} on ${cluster}, ${policy}`,
      policy,
      inputs: {
        trace: path.join(folder, `${trace}.trace`),
        cluster,
        ...(files.includes(THROUGHPUTS) ? { throughputs: path.join(folder, THROUGHPUTS) } : {}),
      },
      settings: {},
      expected: rule.isTied
        ? {
            columns: [],
            rows: [],
            summary: { average_completion_time: output.summary.average_completion_time },
            decimals: 3,
          }
        : {
            columns: ['job', 'completion_time'],
            rows: output.rows,
            summary: output.summary,
            decimals: 3,
          },
      tolerance: rule.isTied ? 0.1 : 0,
      note: rule.isTied ? TIED : '',
    });
  }
  return cases;
}
