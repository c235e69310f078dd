import type { FileHead } from './csv/byte-source.ts';
import { strictNumber } from './csv/row.ts';
import { headerNames } from './csv/table.ts';
import { recogniseTable } from './importers/pai-tables.ts';

/** A published file that lies next to traces and is none. */
interface OtherTable {
  /** Names that its first line has. */
  readonly columns: readonly string[];
  /** Whether it has no other columns. */
  readonly only?: boolean;
  /** What it is, and what it is for. */
  readonly what: string;
}

const NODES = 'a list of machines: it describes a cluster';
const PAI_SENSOR = 'the use of GPUs by instances of PAI (pai_sensor_table)';
const PAI_METRIC = 'the use of machines of PAI (pai_machine_metric)';

const OTHER_TABLES: readonly OtherTable[] = [
  { columns: ['job_id', 'priority'], only: true, what: 'run times that Lucid predicted' },
  { columns: ['time', 'submit_gpu_job', 'pred_gpu_job'], what: 'arrivals that Lucid predicted' },
  { columns: ['time', 'submit_job_all', 'start_job_all'], what: 'counts of jobs by 10 minutes' },
  { columns: ['', 'num'], only: true, what: 'the nodes of each virtual cluster of Lucid' },
  { columns: ['vc', 'node num'], only: true, what: 'the nodes of each virtual cluster' },
  { columns: ['date', 'total'], what: 'the GPUs of each virtual cluster by day' },
  {
    columns: ['model1', 'model2', 'speed1', 'speed2'],
    what: 'speeds of jobs in pairs: measurements',
  },
  { columns: ['model', 'dataset', 'batchsize', 'speed'], what: 'speeds of jobs: measurements' },
  { columns: ['num_switch', 'num_node_p_switch', 'num_gpu_p_node'], what: NODES },
  { columns: ['sn', 'cpu_milli', 'gpu', 'model'], what: NODES },
  { columns: ['gpu_model', 'gpu_capacity_num', 'node_name'], what: NODES },
  { columns: ['machineId', 'number of GPUs'], what: NODES },
  { columns: ['duration'], only: true, what: 'a sample of run times, for a Gittins index' },
  { columns: ['runtime'], only: true, what: 'a sample of run times' },
  { columns: ['power_w', 'cdf_pct'], what: 'a distribution of GPU power' },
  { columns: ['gpu_node_power_w', 'gpu_node_cdf_pct'], what: 'a distribution of server power' },
  { columns: ['id', 'job_num', 'gpu_job_num'], what: 'a summary of whole clusters' },
  { columns: ['worker_name', 'gpu_wrk_util', 'avg_gpu_wrk_mem'], what: PAI_SENSOR },
  { columns: ['worker_name', 'machine_gpu', 'machine_load_1'], what: PAI_METRIC },
];

/** What a table of Alibaba PAI v2020, which have no header, is where it has no jobs. */
function paiTable(head: FileHead, cells: readonly string[]): string | null {
  if (recogniseTable(head)?.table === 'pai_machine_spec') return NODES;
  if (cells.length === 16 && cells[5]?.startsWith('/dev/nvidia') === true) return PAI_SENSOR;
  const numbers = cells.slice(2).filter((cell) => strictNumber(cell) !== null).length;
  return cells.length === 12 && numbers >= 8 ? PAI_METRIC : null;
}

const GAVEL_CLUSTER = /^\s*\{\s*"[^"]*"\s*:\s*\[\s*"\d+(?::\d+)*"/;

/** What a file is that is known not to be a trace of jobs, by how it starts; null when it is not known. */
export function knownTable(head: FileHead): string | null {
  if (GAVEL_CLUSTER.test(head.text)) return 'a cluster of Gavel, in GPUs of each type';
  const found = headerNames(head.firstLine);
  const there = new Set(found);
  const match = OTHER_TABLES.find(
    ({ columns, only = false }) =>
      columns.every((name) => there.has(name)) && (!only || found.length === columns.length),
  );
  return match?.what ?? paiTable(head, found);
}
