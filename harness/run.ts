import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { InputError } from '../sim/errors.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import type { Observer, SimulationResult } from '../sim/result.ts';
import { simulate } from '../sim/simulate.ts';
import type { ClusterLoad } from '../traces/statistics/load.ts';
import { failureOf } from './failure.ts';
import { jobsCsv } from './jobs-csv.ts';
import { createPolicy, loadPolicyDefinition, policyRecord } from './policies.ts';
import { profileRecord } from './profile-record.ts';
import { loadProfiles } from './profiles.ts';
import { runConfig } from './resolved.ts';
import { RunDirectory } from './run-directory.ts';
import type { InputRecord, RejectedJob, RunRecord } from './run-record.ts';
import { Stopwatch } from './stopwatch.ts';
import type { FinishedTask, RunTask, TaskOutcome } from './task.ts';
import { TimelineWriter } from './timeline.ts';
import { buildWorkload, type WorkloadRecord } from './workload.ts';

const PROGRESS_EVERY_MS = 100;

/** The last profiles that this thread read, by their id: all runs of an experiment share them. */
let profilesRead: { readonly id: string; readonly profiles: ProfileSet } | null = null;

function profilesOf({ experiment }: RunTask): ProfileSet {
  const { profilesId: id } = experiment;
  if (profilesRead?.id !== id) profilesRead = { id, profiles: loadProfiles(experiment) };
  return profilesRead.profiles;
}

function inputsOf({ experiment, policy }: RunTask): InputRecord[] {
  const { workload, profileFiles } = experiment;
  return [
    ...(workload.kind === 'trace' ? [workload.file, ...workload.companions] : []),
    ...profileFiles,
    ...(policy.file === null ? [] : [policy.file]),
  ];
}

function recordOf(
  task: RunTask,
  policy: RunRecord['policy'],
  workload: WorkloadRecord,
  profiles: RunRecord['profiles'],
  firstRejected: RunRecord['firstRejected'],
): RunRecord {
  return {
    id: task.id,
    experiment: task.experiment.name,
    label: task.policy.label,
    seed: task.seed,
    nature: 'reconstruction',
    versions: { heshare: task.heshare, node: process.version },
    program: task.program,
    config: runConfig(task.experiment, task.policy, task.seed, task.heshare),
    inputs: inputsOf(task),
    policy,
    workload,
    profiles,
    firstRejected,
  };
}

function firstRejectedOf(result: SimulationResult): RejectedJob | null {
  if (result.summary.jobs.rejected === 0) return null;
  for (let job = 0; job < result.jobCount; job += 1) {
    const { id, state, reason } = result.jobRow(job);
    if (state === 'rejected') return { job: id, reason };
  }
  return null;
}

function throttled(report: (fraction: number) => void): (finished: number, total: number) => void {
  let lastMs = performance.now();
  return (finished, total) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < PROGRESS_EVERY_MS) return;
    lastMs = nowMs;
    report(finished / total);
  };
}

/** The error of a run whose jobs could not be made. */
class NoJobs extends Error {
  override readonly name = 'NoJobs';
  readonly reason: InputError;

  constructor(reason: InputError) {
    super(reason.message);
    this.reason = reason;
  }
}

async function jobsOf({ experiment, seed }: RunTask, profiles: ProfileSet) {
  try {
    return await buildWorkload(experiment.workload, seed, experiment.cluster, profiles);
  } catch (error) {
    throw error instanceof InputError ? new NoJobs(error) : error;
  }
}

/** Who is told how a run goes. */
export interface RunListener {
  readonly progress: (fraction: number) => void;
  /** Told, before the simulation, what the jobs ask of the cluster. */
  readonly jobsMade?: (load: ClusterLoad) => void;
}

async function makeRun(
  task: RunTask,
  directory: RunDirectory,
  { progress, jobsMade }: RunListener,
): Promise<FinishedTask> {
  const { experiment, policy, seed } = task;
  const { cluster, simulation } = experiment;
  const profiles = profilesOf(task);
  const { jobs, record } = await jobsOf(task, profiles);
  jobsMade?.(record.load);
  const definition = await loadPolicyDefinition(policy.name, policy.file?.path ?? null);

  const timeline = task.timeline
    ? directory.add(new TimelineWriter(path.join(directory.path, 'gpus.csv')))
    : null;
  const stopwatch = new Stopwatch();
  const ready = createPolicy(definition, policy, seed, experiment, profiles);
  const observer: Observer = {
    progress: throttled(progress),
    stopwatchMs: () => performance.now(),
    decided: (elapsedMs) => {
      stopwatch.decided(elapsedMs);
    },
    ...(timeline === null
      ? {}
      : {
          gpuState: (state) => {
            timeline.add(state);
          },
        }),
  };
  const config = { jobs, cluster, profiles, options: simulation, seed };
  const result = simulate(config, ready, observer);
  const timing = stopwatch.stop();
  timeline?.finish((jobs[0]?.submitS ?? 0) + result.summary.makespanS);

  const runRecord = recordOf(
    task,
    policyRecord(definition, policy, ready),
    record,
    profileRecord(jobs, cluster, profiles),
    firstRejectedOf(result),
  );
  directory.writeText('jobs.csv', jobsCsv(result));
  directory.writeJson('summary.json', result.summary);
  directory.writeJson('timing.json', timing);
  directory.writeJson('run.json', runRecord);
  directory.commit();
  return { ok: true, summary: result.summary, record: runRecord, timing };
}

/**
 * Makes one run and keeps it on disk: jobs, policy, simulation, files. Reports how far it is. Errors
 * come back as data; nothing unfinished is left behind.
 */
export async function runTask(task: RunTask, listener: RunListener): Promise<TaskOutcome> {
  let directory: RunDirectory | null = null;
  try {
    directory = new RunDirectory(task.out, task.directory);
    return await makeRun(task, directory, listener);
  } catch (error) {
    directory?.discard();
    if (error instanceof NoJobs) {
      const { file, line, column, detail } = error.reason;
      const noJobs = { file, line, column, detail };
      return { ok: false, failure: failureOf(error.reason), noJobs };
    }
    return { ok: false, failure: failureOf(error, task.policy.file?.path ?? null), noJobs: null };
  }
}
