import { loadSolver } from '../../../policies/lp/index.ts';
import { InputError } from '../../../sim/errors.ts';
import type { Peer, ReplayRequest, ReplayResult } from '../peer.ts';
import { printed } from './printed.ts';
import { recordedCases } from './recorded.ts';
import { replayGavel } from './replay.ts';
import { GAVEL_RULES } from './rules.ts';
import { readThroughputTable } from './throughputs.ts';
import { readGavelTrace } from './trace.ts';

const WORKER_TYPES = ['v100', 'p100', 'k80'];
const CLUSTER = 'GPUs of v100:p100:k80, like 2:2:2';
const MOST_GPUS = 1e5;

/** The cluster that a word `2:2:2` stands for. @throws {InputError} */
export function parseGavelCluster(word: string): Readonly<Record<string, number>> {
  const counts = /^\d+:\d+:\d+$/.test(word) ? word.split(':').map(Number) : [];
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all > 0 && all <= MOST_GPUS) {
    return Object.fromEntries(WORKER_TYPES.map((type, i) => [type, counts[i] ?? 0]));
  }
  throw new InputError('--cluster', null, null, `'${word}' is no cluster: expected ${CLUSTER}`);
}

async function replay({ policy, inputs, settings }: ReplayRequest): Promise<ReplayResult> {
  const { trace = '', cluster = '', throughputs = '' } = inputs;
  await loadSolver();
  const result = replayGavel({
    trace: await readGavelTrace(trace),
    throughputs: await readThroughputTable(throughputs),
    cluster: parseGavelCluster(cluster),
    policy,
    seed: Number(settings.seed),
    roundS: Number(settings.roundS),
    resetS: Number(settings.resetS),
    alpha: Number(settings.alpha),
  });
  return {
    jobs: result.jobs.map(({ id, arrivalS, endS, jctS }) => ({
      job: id,
      arrival_time: arrivalS,
      end_time: Number.isNaN(endS) ? null : printed(endS),
      completion_time: Number.isNaN(jctS) ? null : printed(jctS),
    })),
    summary: {
      total_duration: result.makespanS,
      average_completion_time: result.averageJctS,
      utilization: result.utilization,
      leases_extended: result.leasesKept,
      lease_opportunities: result.leasesOffered,
      rounds: result.rounds,
    },
  };
}

/** Gavel's simulator: rounds of whole steps on V100, P100 and K80 GPUs. */
export const gavelPeer: Peer = {
  name: 'gavel',
  title: 'Gavel simulator: shares of time made into rounds of whole steps',
  source: 'stanford-futuredata/gavel, scheduler/, commit c4fa400 (MIT); its solver ECOS 2.0.10',
  policies: GAVEL_RULES,
  inputs: [
    {
      name: 'trace',
      format:
        'trace of Gavel: tab-separated, no header, 7, 9, 10 or 12 fields; job_type, total_steps, scale_factor, priority_weight and arrival_time (s) are read',
    },
    { name: 'cluster', format: CLUSTER },
    {
      name: 'throughputs',
      format:
        'its simulation_throughputs.json: steps per second by worker type, job type and scale factor, alone and of pairs',
      data: 'calibration/gavel/simulation_throughputs.json',
    },
  ],
  settings: [
    {
      name: 'seed',
      default: 0,
      min: 0,
      max: 2 ** 32,
      description: 'seed of its random numbers: order of worker types, fifo, gandiva',
      source: 'simulate_scheduler_with_trace.py --seed',
    },
    {
      name: 'roundS',
      default: 360,
      min: 1,
      max: 1e6,
      description: 'length of a round in seconds',
      source: 'scheduler.py time_per_iteration',
    },
    {
      name: 'resetS',
      default: 1920,
      min: 0,
      max: 1e9,
      description: 'least time in seconds between two allocations',
      source: 'scheduler.py minimum_time_between_allocation_resets',
    },
    {
      name: 'alpha',
      default: 1,
      min: 0,
      max: 1,
      description: 'allox: part of the waiting jobs that is looked at',
      source: 'utils.py get_policy: 1 for allox',
    },
  ],
  columns: ['job', 'arrival_time', 'end_time', 'completion_time'],
  replay,
  recorded: recordedCases,
};
