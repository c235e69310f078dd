import type { IdealJob } from '../../harness/peers/ideal-world.ts';
import type { GittinsIndex } from '../../policies/order/gittins.ts';

/** What the lists say of a job. */
export interface ListedJob {
  readonly id: string;
  startS: number;
  endS: number;
  preempt: number;
  promote: number;
}

interface Job extends ListedJob {
  readonly gpus: number;
  readonly submitS: number;
  readonly durationS: number;
  status: 'pending' | 'running';
  /** Time run in all, and since the last promotion; time waited since it, after the first run. */
  ranS: number;
  executedS: number;
  waitedS: number;
  checkedS: number;
  level: number;
  rank: number;
}

export interface ListRules {
  /** Key of schedules without queues, or the rules of the queues. */
  readonly key?: (job: { remainingS: number; gpus: number }) => number;
  readonly gpuTime?: boolean;
  readonly knob?: number;
  readonly gittins?: GittinsIndex;
}

const LIMITS = [3250, 7200];

/**
 * The preemptive schedules of the Tiresias simulator, written from its account in whole seconds with
 * lists alone: no engine, no policy, no heap. What the replay is held against on random jobs.
 */
export function listSchedule(
  jobs: readonly IdealJob[],
  gpuTotal: number,
  { key, gpuTime = true, knob = 0, gittins }: ListRules,
): readonly ListedJob[] {
  const coming: Job[] = jobs.map(({ id, gpuCount, submitS, durationS }) => ({
    id,
    gpus: gpuCount,
    submitS,
    durationS,
    startS: Number.NaN,
    endS: Number.NaN,
    preempt: 0,
    promote: 0,
    status: 'pending',
    ranS: 0,
    executedS: 0,
    waitedS: 0,
    checkedS: submitS,
    level: 0,
    rank: 0,
  }));
  const all = [...coming];
  let runnable: Job[] = [];
  const queues: Job[][] = [[], [], []];
  let jumpS = Infinity;
  const endOf = (job: Job) => job.checkedS + job.durationS - job.ranS;
  const move = (job: Job, level: number) => {
    const from = queues[job.level] as Job[];
    if (from.includes(job)) from.splice(from.indexOf(job), 1);
    job.level = level;
    queues[level]?.push(job);
  };

  while (coming.length + runnable.length > 0) {
    const ends = runnable.filter(({ status }) => status === 'running').map(endOf);
    const nowS = Math.min(coming[0]?.submitS ?? Infinity, ...ends, jumpS);
    for (const job of runnable.filter((one) => one.status === 'running' && endOf(one) === nowS)) {
      job.endS = nowS;
      runnable = runnable.filter((other) => other !== job);
      for (const queue of queues) if (queue.includes(job)) queue.splice(queue.indexOf(job), 1);
    }
    while (coming[0]?.submitS === nowS) {
      const job = coming.shift() as Job;
      runnable.push(job);
      queues[0]?.push(job);
    }
    for (const job of runnable) {
      const sinceS = nowS - job.checkedS;
      job.checkedS = nowS;
      if (job.status === 'running') {
        job.ranS += sinceS;
        job.executedS += sinceS;
        const service = job.executedS * (gpuTime ? job.gpus : 1);
        if (key === undefined && service >= (LIMITS[job.level] ?? Infinity)) {
          move(job, job.level + 1);
        }
      } else {
        if (job.executedS > 0) job.waitedS += sinceS;
        const patienceS = Math.floor(job.executedS * knob);
        if (knob > 0 && job.level > 0 && job.executedS > 0 && job.waitedS >= patienceS) {
          job.executedS = 0;
          job.waitedS = 0;
          job.promote += 1;
          move(job, 0);
        }
      }
      job.rank = gittins?.index(job.executedS * (gpuTime ? job.gpus : 1)) ?? 0;
    }
    if (key !== undefined) {
      const keyOf = (job: Job) => key({ remainingS: job.durationS - job.ranS, gpus: job.gpus });
      runnable.sort((a, b) => keyOf(a) - keyOf(b));
    }
    if (gittins !== undefined) {
      for (const queue of queues) queue.sort((a, b) => b.rank - a.rank || a.submitS - b.submitS);
    }
    let free = gpuTotal;
    for (const job of key === undefined ? queues.flat() : [...runnable]) {
      if (job.gpus <= free) {
        free -= job.gpus;
        if (Number.isNaN(job.startS)) job.startS = nowS;
        job.status = 'running';
      } else if (job.status === 'running') {
        job.status = 'pending';
        job.preempt += 1;
      }
    }
    for (const queue of queues) {
      queue.sort((a, b) => Number(a.status === 'pending') - Number(b.status === 'pending'));
    }
    jumpS = Infinity;
    for (const job of key === undefined ? runnable : []) {
      let inS = Infinity;
      if (job.status === 'running') {
        const limit = LIMITS[job.level] ?? Infinity;
        inS = Math.floor((limit - job.executedS) / (gpuTime ? job.gpus : 1));
      } else if (knob > 0 && job.level > 0 && job.executedS > 0) {
        const leftS = Math.trunc(job.executedS * knob - job.waitedS);
        if (leftS > 0) inS = leftS;
      }
      jumpS = Math.min(jumpS, nowS + inS);
    }
  }
  return all.map(({ id, startS, endS, preempt, promote }) => ({
    id,
    startS,
    endS,
    preempt,
    promote,
  }));
}
