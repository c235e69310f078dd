import { InputError } from '../../../sim/errors.ts';
import { GPUS, TIME_S } from '../../../traces/csv/row.ts';
import type { IdealJob, NodeCounts } from '../ideal-world.ts';
import { isNodeCounts, nodeCounts } from '../node-counts.ts';
import { readTable } from '../table-file.ts';

const JOB_COLUMNS = ['job_id', 'num_gpu', 'submit_time', 'duration'];
const CLUSTER_COLUMNS = ['num_switch', 'num_node_p_switch', 'num_gpu_p_node'];

/**
 * Jobs of a trace of the simulator, sorted by submission as it sorts them. Its durations are cut to
 * whole seconds; it knows no fractions of a second.
 */
export async function readJobs(path: string): Promise<readonly IdealJob[]> {
  const rows = await readTable(path, JOB_COLUMNS, (row) => ({
    id: row.text('job_id'),
    submitS: row.integer('submit_time', TIME_S),
    gpuCount: row.integer('num_gpu', { min: 1, max: GPUS.max }),
    durationS: Math.trunc(row.decimal('duration', { min: 1, max: TIME_S.max })),
  }));
  return rows.map(({ item }) => item).sort((a, b) => a.submitS - b.submitS);
}

/** A cluster from its file (one line of counts), or from a word. */
export async function readCluster(word: string): Promise<NodeCounts> {
  if (isNodeCounts(word)) return nodeCounts(word, '');
  if (!/\.(csv|txt)$/i.test(word)) return nodeCounts(word, 'a file like n2g4.csv');
  const count = { min: 1, max: 1e6 };
  const rows = await readTable(word, CLUSTER_COLUMNS, (row) => ({
    nodes: row.integer('num_switch', count) * row.integer('num_node_p_switch', count),
    gpusPerNode: row.integer('num_gpu_p_node', count),
  }));
  const [first, second] = rows;
  if (second !== undefined) {
    throw new InputError(word, second.line, null, 'expected one line of counts, found another');
  }
  if (first === undefined) throw new InputError(word, null, null, 'has no line of counts');
  return first.item;
}

/** Service of past jobs, in GPU-seconds: the column `duration`, as in its yarn-gput1000.csv. */
export async function readSamples(path: string): Promise<readonly number[]> {
  const rows = await readTable(path, ['duration'], (row) =>
    row.integer('duration', { min: 1, max: TIME_S.max }),
  );
  return rows.map(({ item }) => item);
}
