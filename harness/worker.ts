import { parentPort } from 'node:worker_threads';
import type { ClusterLoad } from '../traces/statistics/load.ts';
import { runTask } from './run.ts';
import type { RunTask, TaskOutcome } from './task.ts';

/** How far a task is, or what its jobs ask for; sent to the main thread while it runs. */
export type WorkerMessage =
  | { readonly kind: 'progress'; readonly task: string; readonly fraction: number }
  | { readonly kind: 'jobs'; readonly task: string; readonly load: ClusterLoad };

/** Entry of a worker thread: makes one run. Errors come back as data, never as rejections. */
export default function work(task: RunTask): Promise<TaskOutcome> {
  const post = (message: WorkerMessage) => parentPort?.postMessage(message);
  const { directory } = task;
  return runTask(task, {
    progress: (fraction) => post({ kind: 'progress', task: directory, fraction }),
    jobsMade: (load) => post({ kind: 'jobs', task: directory, load }),
  });
}
