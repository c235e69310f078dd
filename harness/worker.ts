import { parentPort } from 'node:worker_threads';
import { runTask } from './run.ts';
import type { RunTask, TaskOutcome } from './task.ts';

/** How far a task is; sent to the main thread while it runs. */
export interface ProgressMessage {
  readonly task: string;
  readonly fraction: number;
}

/** Entry of a worker thread: makes one run. Errors come back as data, never as rejections. */
export default function work(task: RunTask): Promise<TaskOutcome> {
  return runTask(task, (fraction) => {
    parentPort?.postMessage({ task: task.directory, fraction } satisfies ProgressMessage);
  });
}
