import { setMaxListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ClusterLoad } from '../traces/statistics/load.ts';
import { failureOf } from './failure.ts';
import { RUNS_FROM_SOURCE } from './program.ts';
import type { Progress } from './progress.ts';
import { runTask } from './run.ts';
import type { RunTask, TaskOutcome } from './task.ts';
import type { WorkerMessage } from './worker.ts';

/** How a set of tasks is run. */
export interface PoolOptions {
  /** Threads; 0 runs the tasks one after the other in this one, which a debugger can follow. */
  readonly workers: number;
  /** Ends what runs and starts nothing more. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Told of each outcome as it comes. */
  readonly onOutcome?: (task: RunTask, outcome: TaskOutcome) => void;
  /** Told what the jobs of a task ask for, before it is simulated. */
  readonly onJobs?: (task: RunTask, load: ClusterLoad) => void;
}

/** How far the tasks are together, each counting the same. */
class TaskProgress {
  readonly #fractions = new Map<string, number>();
  readonly #tasks: number;
  readonly #progress: Progress;
  #finished = 0;

  constructor(tasks: number, progress: Progress) {
    this.#tasks = tasks;
    this.#progress = progress;
  }

  at(task: string, fraction: number): void {
    this.#fractions.set(task, fraction);
    let sum = 0;
    for (const value of this.#fractions.values()) sum += value;
    this.#progress.update(sum / this.#tasks, this.#finished, this.#tasks);
  }

  finish(task: string): void {
    this.#finished += 1;
    this.at(task, 1);
  }
}

async function runHere(tasks: readonly RunTask[], options: PoolOptions, at: TaskProgress) {
  const outcomes: (TaskOutcome | null)[] = [];
  for (const task of tasks) {
    // A breath between two runs, in which a signal can be seen.
    await new Promise((resume) => setImmediate(resume));
    if (options.signal.aborted) {
      outcomes.push(null);
      continue;
    }
    const outcome = await runTask(task, {
      progress: (fraction) => {
        at.at(task.directory, fraction);
      },
      jobsMade: (load) => options.onJobs?.(task, load),
    });
    at.finish(task.directory);
    options.onOutcome?.(task, outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

function startPool(workers: number): Piscina<RunTask, TaskOutcome> {
  const extension = RUNS_FROM_SOURCE ? '.ts' : '.js';
  return new Piscina<RunTask, TaskOutcome>({
    filename: fileURLToPath(new URL(`./worker${extension}`, import.meta.url)),
    minThreads: workers,
    maxThreads: workers,
    // TypeScript source needs its loader in each thread; by address, as the working folder may be any.
    execArgv: RUNS_FROM_SOURCE ? ['--import', import.meta.resolve('tsx')] : [],
  });
}

async function runInThreads(tasks: readonly RunTask[], options: PoolOptions, at: TaskProgress) {
  const { signal } = options;
  // Every task listens to it: many listeners are no leak.
  setMaxListeners(0, signal);
  const pool = startPool(Math.min(options.workers, tasks.length));
  const byDirectory = new Map(tasks.map((task) => [task.directory, task]));
  pool.on('message', (message: WorkerMessage) => {
    if (message.kind === 'progress') at.at(message.task, message.fraction);
    else {
      const task = byDirectory.get(message.task);
      if (task !== undefined) options.onJobs?.(task, message.load);
    }
  });
  const aborted = () => signal.aborted;
  const runOne = async (task: RunTask): Promise<TaskOutcome | null> => {
    if (aborted()) return null;
    let outcome: TaskOutcome;
    try {
      outcome = await pool.run(task, { signal });
    } catch (error) {
      if (aborted()) return null;
      // The thread itself died, of too little memory for example.
      outcome = { ok: false, failure: failureOf(error), noJobs: null };
    }
    at.finish(task.directory);
    options.onOutcome?.(task, outcome);
    return outcome;
  };
  try {
    return await Promise.all(tasks.map(runOne));
  } finally {
    await pool.destroy();
  }
}

/**
 * Runs the tasks and gives their outcomes in the same order, null for those that an abort left out.
 * A failing run does not keep the others from being made. What a run gives does not depend on the
 * number of workers.
 */
export async function runTasks(
  tasks: readonly RunTask[],
  options: PoolOptions,
): Promise<(TaskOutcome | null)[]> {
  if (tasks.length === 0) return [];
  const at = new TaskProgress(tasks.length, options.progress);
  try {
    return options.workers === 0
      ? await runHere(tasks, options, at)
      : await runInThreads(tasks, options, at);
  } finally {
    options.progress.stop();
  }
}
