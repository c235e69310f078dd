import { releasedGittinsIndex } from '../../../policies/order/gittins.ts';
import { InputError } from '../../../sim/errors.ts';
import type { JobRow } from '../../../sim/result.ts';
import { simulate } from '../../../sim/simulate.ts';
import { type IdealJob, idealWorld } from '../ideal-world.ts';
import { NODE_COUNTS_FORMAT } from '../node-counts.ts';
import type { Peer, PeerRow, ReplayRequest, ReplayResult } from '../peer.ts';
import { mean, total } from '../sums.ts';
import { readCluster, readJobs, readSamples } from './inputs.ts';
import { recordedCases } from './recorded.ts';
import { SCHEDULES, type Schedule } from './schedules.ts';

const COLUMNS = [
  'time',
  'job_id',
  'num_gpu',
  'submit_time',
  'start_time',
  'end_time',
  'executed_time',
  'JCT',
  'duration',
  'pending_time',
  'preempt',
  'resume',
  'promote',
] as const;

const NO_SAMPLES = 'none';

/** A line of the simulator's job.csv. `executed_time` there is the time from start to end. */
function rowOf(job: IdealJob, row: JobRow, schedule: Schedule, promotions: number): PeerRow {
  return {
    time: row.endS,
    job_id: job.id,
    num_gpu: job.gpuCount,
    submit_time: job.submitS,
    start_time: row.startS,
    end_time: row.endS,
    executed_time: row.endS - row.startS,
    JCT: row.jctS,
    duration: job.durationS,
    pending_time: row.queueS,
    preempt: row.preemptions,
    resume: schedule.preempts ? row.preemptions + 1 : 0,
    promote: promotions,
  };
}

async function gittinsOf({ policy, inputs, settings }: ReplayRequest, schedule: Schedule) {
  if (!schedule.needsSamples) return null;
  const { samples = NO_SAMPLES } = inputs;
  if (samples === NO_SAMPLES) {
    const detail = `schedule '${policy}' needs the GPU times of past jobs`;
    throw new InputError('--set samples=FILE', null, null, detail);
  }
  return releasedGittinsIndex(await readSamples(samples), Number(settings.quantum));
}

async function replay(request: ReplayRequest): Promise<ReplayResult> {
  const schedule = SCHEDULES.find(({ name }) => name === request.policy) as Schedule;
  const { trace = '', cluster = '' } = request.inputs;
  const jobs = await readJobs(trace);
  const counts = await readCluster(cluster);
  const gpus = counts.nodes * counts.gpusPerNode;
  const tooLarge = jobs.find(({ gpuCount }) => gpuCount > gpus);
  if (tooLarge !== undefined) {
    const detail = `job '${tooLarge.id}' needs ${tooLarge.gpuCount} GPUs, the cluster has ${gpus}: it would never end`;
    throw new InputError(trace, null, null, detail);
  }
  const { policy, queues } = schedule.make(await gittinsOf(request, schedule));
  const result = simulate(idealWorld(jobs, counts), policy);
  const rows = jobs
    .map((job, i) => rowOf(job, result.jobRow(i), schedule, queues?.promotions(i) ?? 0))
    .sort((a, b) => Number(a.time) - Number(b.time));
  const column = (name: (typeof COLUMNS)[number]) => rows.map((row) => Number(row[name]));
  return {
    jobs: rows,
    summary: {
      n: rows.length,
      avgJCT: mean(column('JCT')),
      avgPending: mean(column('pending_time')),
      makespan: Math.max(...column('end_time')),
      preempt: total(column('preempt')),
    },
  };
}

/** The simulator of Tiresias, replayed by the engine in a world without physics. */
export const tiresiasPeer: Peer = {
  name: 'tiresias',
  title: 'Tiresias simulator, placement by count',
  source: 'SymbioticLab/Tiresias, simulator/run_sim.py, commit 959f9b0 (Apache-2.0)',
  policies: SCHEDULES,
  inputs: [
    {
      name: 'trace',
      format:
        'CSV of jobs: job_id, num_gpu, submit_time (s), duration (s); other columns are not read',
    },
    {
      name: 'cluster',
      format: `CSV with one line of num_switch, num_node_p_switch, num_gpu_p_node; or ${NODE_COUNTS_FORMAT}`,
    },
    {
      name: 'samples',
      format:
        'CSV with a column duration: GPU-seconds of past jobs, for the Gittins index (its yarn-gput1000.csv)',
      data: 'peer-cases/tiresias/yarn-gput1000.csv',
      default: NO_SAMPLES,
    },
  ],
  settings: [
    {
      name: 'quantum',
      default: 3250,
      min: 1,
      description: 'service over which the Gittins index looks ahead, in GPU-seconds',
      source: 'jobs.py gittins_delta',
    },
  ],
  columns: COLUMNS,
  replay,
  recorded: recordedCases,
};
