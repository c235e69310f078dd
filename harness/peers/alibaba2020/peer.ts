import { InputError } from '../../../sim/errors.ts';
import { NODE_COUNTS_FORMAT } from '../node-counts.ts';
import type { Peer, PeerPolicy, ReplayRequest, ReplayResult } from '../peer.ts';
import { mean } from '../sums.ts';
import { type PaiJob, readJobs } from './inputs.ts';
import { poolOf } from './pool.ts';
import { recordedCases } from './recorded.ts';
import { schedule } from './schedule.ts';

/** A policy with its key of a job; null where the trace lacks what it goes by. */
interface PaiPolicy extends PeerPolicy {
  readonly column: string;
  readonly key: (job: PaiJob) => number | null;
}

const POLICIES: readonly PaiPolicy[] = [
  {
    name: 'SJF',
    title: 'shortest duration first (its alloc_policy 0)',
    engine: 'sjf:walk=fit-first',
    column: 'duration',
    key: ({ durationS }) => durationS,
  },
  {
    name: 'SJU',
    title: 'shortest duration as expected by user (alloc_policy 1)',
    engine: null,
    column: 'user_dur',
    key: ({ userS }) => userS,
  },
  {
    name: 'SJG',
    title: 'shortest duration as expected by user and group (alloc_policy 2)',
    engine: null,
    column: 'group_dur',
    key: ({ groupS }) => groupS,
  },
  {
    name: 'SJGG',
    title: 'shortest duration as expected by user, group and GPUs (alloc_policy 4)',
    engine: null,
    column: 'group_gpu_dur',
    key: ({ groupGpuS }) => groupGpuS,
  },
  {
    name: 'FIFO',
    title: 'first come, first served; skips jobs that do not fit (alloc_policy 8)',
    engine: 'fifo-fit',
    column: 'submit_time',
    key: ({ submitS }) => submitS,
  },
];

async function replay({ policy, inputs, settings }: ReplayRequest): Promise<ReplayResult> {
  const { trace = '', cluster = '' } = inputs;
  const { key, column } = POLICIES.find(({ name }) => name === policy) as PaiPolicy;
  const jobs = await readJobs(trace);
  const lacking = jobs.find((job) => key(job) === null);
  if (lacking !== undefined) {
    const detail = `job ${lacking.id} has no ${column}, by which policy '${policy}' goes`;
    throw new InputError(trace, null, null, detail);
  }
  const { ended, makespanS, stuck } = schedule(jobs, poolOf(cluster), {
    key: (job) => key(job) ?? 0,
    nodeOrder: Number(settings.nodeOrder),
    gpuTypeMatching: Number(settings.gpuTypeMatching),
  });
  if (stuck !== null) {
    const detail = `job ${stuck.id} fits no node, not even when all are empty: it would never end`;
    throw new InputError(trace, null, null, detail);
  }
  return {
    jobs: ended
      .map(({ job, jctS, node }) => ({ job_id: job.id, jct: jctS, node }))
      .sort((a, b) => a.job_id - b.job_id),
    summary: {
      num_done: ended.length,
      avg_jct: mean(ended.map(({ jctS }) => jctS)),
      avg_wait: mean(ended.map(({ jctS, job }) => jctS - job.durationS)),
      makespan: makespanS,
    },
  };
}

/** The simulator of Alibaba's cluster trace of 2020, instances counted as jobs as it counts them. */
export const alibaba2020Peer: Peer = {
  name: 'alibaba2020',
  title: 'Alibaba PAI simulator of 2020: node pools in percent of CPUs and GPUs',
  source:
    'alibaba/clusterdata, cluster-trace-gpu-v2020/simulator, commit 7a6c496 (CC-BY-4.0 folder)',
  policies: POLICIES,
  inputs: [
    {
      name: 'trace',
      format:
        'CSV of jobs: job_id, submit_time (s), duration (s), num_cpu, num_gpu (of one instance, fractions allowed), num_inst, gpu_type, user_dur, group_dur, group_gpu_dur (s)',
    },
    {
      name: 'cluster',
      format: `${NODE_COUNTS_FORMAT}: one node has 23.22 CPUs a GPU, several have 96 each; or hetero, the simulator's own list`,
    },
  ],
  settings: [
    {
      name: 'nodeOrder',
      default: 0,
      min: 0,
      max: 3,
      description:
        'nodes by number (0), fewest idle GPUs first (1), most idle first (2), lowest mean utilisation of GPUs and CPUs first (3)',
      source: 'scheduler.py sort_node_policy; run_simulator.py: 3, or 0 with --pack',
    },
    {
      name: 'gpuTypeMatching',
      default: 0,
      min: 0,
      max: 2,
      description:
        'jobs run on all nodes (0), on nodes of their own type only (1), V100 jobs on V100 only (2)',
      source: 'scheduler.py gpu_type_matching',
    },
  ],
  columns: ['job_id', 'jct', 'node'],
  replay,
  recorded: recordedCases,
};
