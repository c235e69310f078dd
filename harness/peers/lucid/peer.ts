import { InputError } from '../../../sim/errors.ts';
import { NODE_COUNTS_FORMAT } from '../node-counts.ts';
import type { Peer, PeerRow, ReplayRequest, ReplayResult } from '../peer.ts';
import { mean, total } from '../sums.ts';
import type { Placed } from '../table-file.ts';
import { type Lists, runClock, type TickPolicy } from './clock.ts';
import { estimateOf, packingFacts } from './facts.ts';
import {
  type LucidJob,
  readClusters,
  readEstimates,
  readJobs,
  readPairs,
  readSingles,
  type VirtualClusterSpec,
} from './inputs.ts';
import { OrderedPolicy, SORTS } from './ordered.ts';
import { LucidPolicy } from './packing.ts';
import { SrtfPolicy, TiresiasPolicy } from './preemptive.ts';
import { recordedCases } from './recorded.ts';
import { type Ticket, ticketOf, VirtualCluster } from './virtual-cluster.ts';

const COLUMNS = ['job_id', 'start', 'end', 'queue', 'ckpt', 'nodes'] as const;
const DURATIONS = 'durations';
const NONE = 'none';

type Replayed = Lists & TickPolicy;

/** Makes the policy of one virtual cluster. */
type Make = (cluster: VirtualCluster, tickets: readonly Ticket[]) => Replayed;

function fileOf(inputs: ReplayRequest['inputs'], name: string): string {
  const file = inputs[name] ?? NONE;
  if (file !== NONE) return file;
  const detail = `policy 'lucid' needs the measurements of the Lucid artifact`;
  throw new InputError(`--set ${name}=FILE`, null, null, detail);
}

async function makerOf({ policy, inputs, settings }: ReplayRequest): Promise<Make> {
  const estimates =
    inputs.estimates === DURATIONS ? null : await readEstimates(inputs.estimates ?? '');
  switch (policy) {
    case 'fifo':
    case 'sjf':
      return (cluster) => new OrderedPolicy(cluster, SORTS[policy]());
    case 'qssf':
      return (cluster) =>
        new OrderedPolicy(
          cluster,
          SORTS.qssf(({ job }) => estimateOf(job, estimates)),
        );
    case 'srtf':
      return (cluster) => new SrtfPolicy(cluster);
    case 'tiresias': {
      const rules = {
        threshold: Number(settings.threshold),
        intervalS: Number(settings.intervalS),
      };
      return (cluster) => new TiresiasPolicy(cluster, rules);
    }
    default: {
      const singlesPath = fileOf(inputs, 'singles');
      const pairsPath = fileOf(inputs, 'pairs');
      const [singles, pairs] = [await readSingles(singlesPath), await readPairs(pairsPath)];
      const tables = { singles, singlesPath, pairs, pairsPath, estimates };
      const compat = settings.compat === true;
      return (cluster, tickets) =>
        new LucidPolicy(cluster, packingFacts(tickets, tables), tickets, compat);
    }
  }
}

function ticketsOf(
  trace: string,
  jobs: readonly Placed<LucidJob>[],
  { name }: VirtualClusterSpec,
  cluster: VirtualCluster,
): readonly Ticket[] {
  const mine = jobs.filter(({ item }) => name === null || item.vc === name);
  for (const { item, line } of mine) {
    if (cluster.holds(item.gpuCount)) continue;
    const detail = `job '${item.id}' needs ${item.gpuCount} GPUs, the cluster has ${cluster.gpuCount}: it would never end`;
    throw new InputError(trace, line, null, detail);
  }
  return mine.map(({ item }, index) => ticketOf(item, index));
}

function rowOf(ticket: Ticket): PeerRow {
  return {
    job_id: ticket.job.id,
    start: ticket.startS,
    end: ticket.endS,
    queue: ticket.queueS,
    ckpt: ticket.checkpoints,
    nodes: ticket.places,
  };
}

async function replay(request: ReplayRequest): Promise<ReplayResult> {
  const { trace = '', cluster: word = '' } = request.inputs;
  const jobs = await readJobs(trace);
  const clusters = await readClusters(word);
  const make = await makerOf(request);
  const all: Ticket[] = [];
  for (const spec of clusters) {
    const cluster = new VirtualCluster(spec.nodes);
    const tickets = ticketsOf(trace, jobs, spec, cluster);
    if (tickets.length === 0) continue;
    const policy = make(cluster, tickets);
    runClock(policy, policy, tickets);
    all.push(...tickets);
  }
  if (all.length === 0) {
    const names = clusters.map(({ name }) => name).join(', ');
    throw new InputError(trace, null, null, `has no jobs of the virtual clusters ${names}`);
  }
  all.sort((a, b) => a.job.submitS - b.job.submitS);
  const ends = all.map(({ endS }) => endS ?? Number.NaN);
  return {
    jobs: all.map(rowOf),
    summary: {
      n: all.length,
      avgJCT: mean(all.map(({ job }, i) => (ends[i] as number) - job.submitS)),
      avgQueue: mean(all.map(({ queueS }) => queueS)),
      makespan: Math.max(...ends),
      ckpt: total(all.map(({ checkpoints }) => checkpoints)),
    },
  };
}

/** The simulator of Lucid, second by second. */
export const lucidPeer: Peer = {
  name: 'lucid',
  title: 'Lucid simulator, consolidated placement',
  source: 'S-Lab-System-Group/Lucid, simulation/, commit 63685a3 (S-Lab License 1.0)',
  policies: [
    { name: 'fifo', title: 'first come, first served; the head blocks', engine: 'fifo' },
    { name: 'sjf', title: 'shortest duration first; the head blocks', engine: 'sjf' },
    {
      name: 'qssf',
      title: 'smallest expected duration x GPUs first; jobs that come to none by GPUs alone',
      engine: 'qssf',
    },
    {
      name: 'srtf',
      title: 'shortest remaining time first, every second, 40 or 60 s a preemption',
      engine: 'srtf',
    },
    {
      name: 'tiresias',
      title: 'two queues by attained GPU time, every 60 s, 40 or 60 s a preemption',
      engine: 'tiresias:queues=2,limits=18000',
    },
    { name: 'lucid', title: 'indolent packing by sharing scores', engine: 'lucid' },
  ],
  inputs: [
    {
      name: 'trace',
      format:
        'CSV of jobs: job_id, vc, gpu_num, submit_time (s), duration (s), and for policy lucid model, dataset, batchsize, amp and perhaps gmem (MiB)',
    },
    {
      name: 'cluster',
      format: `CSV of virtual clusters like its vc_config.csv: a name, num (nodes of 8 GPUs); or ${NODE_COUNTS_FORMAT}, for the jobs of all virtual clusters`,
    },
    {
      name: 'pairs',
      format: 'its colocate_info.csv: speeds of measured pairs (policy lucid)',
      data: 'calibration/lucid/colocate_info.csv',
      default: NONE,
    },
    {
      name: 'singles',
      format: 'its single_data.csv: memory and sharing score of each configuration (policy lucid)',
      data: 'calibration/lucid/single_data.csv',
      default: NONE,
    },
    {
      name: 'estimates',
      format:
        'CSV of job_id and priority, the expected duration (s), for qssf and lucid; or the word durations',
      default: DURATIONS,
    },
  ],
  settings: [
    {
      name: 'compat',
      default: true,
      description:
        'the survivor of a pair stays slow as in the released code; false gives it its whole speed back (policy lucid)',
      source: 'cluster.py check_colocate_jobs',
    },
    {
      name: 'threshold',
      default: 18_000,
      min: 1,
      description: 'GPU-seconds above which a job is in the low queue (policy tiresias)',
      source: 'policy/tiresias.py',
    },
    {
      name: 'intervalS',
      default: 60,
      min: 1,
      description: 'seconds between decisions (policy tiresias)',
      source: 'policy/tiresias.py',
    },
  ],
  columns: COLUMNS,
  replay,
  recorded: recordedCases,
};
