import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { PeerCase } from '../peer.ts';
import { filesIn } from '../recorded-rows.ts';

/** `TRACE.results.json` */
const OUTPUT = /^(.+)\.results\.json$/;

const runs = z.array(
  z.object({
    num_gpus: z.number(),
    num_nodes: z.number(),
    sort_node_policy: z.number(),
    alloc_policy: z.number(),
    num_done: z.number(),
    avg_jct: z.number(),
    avg_wait: z.number(),
    makespan: z.number(),
    jobs: z.array(z.object({ job_id: z.number(), jct: z.number(), node: z.number() })),
  }),
);

/** Names of its alloc_policy numbers (utils.py). */
const POLICIES: Readonly<Record<number, string>> = {
  0: 'SJF',
  1: 'SJU',
  2: 'SJG',
  4: 'SJGG',
  8: 'FIFO',
};

/** Outputs recorded from the simulator: every instance, and the figures of its summary. */
export async function recordedCases(folder: string): Promise<readonly PeerCase[]> {
  const cases: PeerCase[] = [];
  for (const file of await filesIn(folder)) {
    const [, trace] = OUTPUT.exec(file) ?? [];
    if (trace === undefined) continue;
    const text = await readFile(path.join(folder, file), 'utf8');
    for (const run of runs.parse(JSON.parse(text))) {
      const { num_gpus: gpus, num_nodes: nodes, sort_node_policy: nodeOrder } = run;
      const policy = POLICIES[run.alloc_policy] ?? String(run.alloc_policy);
      const { num_done, avg_jct, avg_wait, makespan } = run;
      cases.push({
        peer: 'alibaba2020',
        name: `${trace} on ${nodes} nodes with ${gpus} GPUs, node order ${nodeOrder}, ${policy}`,
        policy,
        inputs: { trace: path.join(folder, `${trace}.csv`), cluster: `${nodes}x${gpus / nodes}` },
        settings: { nodeOrder },
        expected: {
          columns: ['job_id', 'jct', 'node'],
          rows: run.jobs,
          summary: { num_done, avg_jct, avg_wait, makespan },
        },
        tolerance: 0,
        note: '',
      });
    }
  }
  return cases;
}
