import type { Order } from '../../policies/order/order.ts';
import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { DecisionMaker, View } from '../../sim/view.ts';
import { policyOf } from '../support/scripted.ts';

/**
 * The same rules written the short way, with whole scans and full sorts, for whole GPUs of one type:
 * what the clever walks are held against.
 */

const exclusive = { mode: 'exclusive' } as const;

function inOrder(jobs: Iterable<JobView>, order: Order): JobView[] {
  return [...jobs].sort((a, b) => order.key(a) - order.key(b) || a.index - b.index);
}

function firstFree(cluster: ClusterView, count: number): number[] {
  const gpus: number[] = [];
  for (let gpu = 0; gpu < cluster.gpuCount && gpus.length < count; gpu += 1) {
    if (cluster.isFree(gpu)) gpus.push(gpu);
  }
  return gpus;
}

function* startIfItFits(view: View, job: JobView): Generator<Decision, boolean> {
  const fits = view.cluster.freeGpuTotal >= job.gpuCount;
  if (fits) yield { kind: 'start', job, gpus: firstFree(view.cluster, job.gpuCount) };
  return fits;
}

export function naiveQueue(order: Order, walk: 'head-of-line' | 'fit-first'): DecisionMaker {
  function* decide(view: View): Generator<Decision> {
    for (const job of inOrder(view.queue, order)) {
      const started = yield* startIfItFits(view, job);
      if (!started && walk === 'head-of-line') return;
    }
  }
  return policyOf(decide, exclusive);
}

/** Durations are exact and GPUs are alone, so a job ends when its remaining time is over. */
export function naiveEasy(): DecisionMaker {
  function* decide(view: View): Generator<Decision> {
    let head: JobView | null = null;
    let shadowS = Infinity;
    let extra = Infinity;
    for (const job of [...view.queue]) {
      if (head === null) {
        if (yield* startIfItFits(view, job)) continue;
        head = job;
        let free = view.cluster.freeGpuTotal;
        const ends = [...view.active].sort((a, b) => a.remainingS - b.remainingS);
        for (const running of ends) {
          if (free >= head.gpuCount && running.remainingS > shadowS) break;
          free += running.gpuCount;
          if (free >= head.gpuCount && shadowS === Infinity) shadowS = running.remainingS;
        }
        extra = free - head.gpuCount;
        continue;
      }
      const inTime = job.remainingS <= shadowS;
      if (!inTime && job.gpuCount > extra) continue;
      if ((yield* startIfItFits(view, job)) && !inTime) extra -= job.gpuCount;
    }
  }
  return policyOf(decide, exclusive);
}

/** Preemption costs nothing here: a job that is preempted is queued at once. */
export function naivePreemptive(order: Order): DecisionMaker {
  function* decide(view: View): Generator<Decision> {
    let free = view.cluster.gpuCount;
    const chosen: JobView[] = [];
    for (const job of inOrder([...view.active, ...view.queue], order)) {
      if (job.gpuCount <= free) {
        free -= job.gpuCount;
        chosen.push(job);
      } else if (job.state === 'running') {
        yield { kind: 'preempt', job };
      }
    }
    for (const job of chosen) if (job.state === 'queued') yield* startIfItFits(view, job);
  }
  return policyOf(decide, exclusive);
}

/**
 * Looks again at the end of every round while a job waits, whether anything can change or not. What
 * running jobs have had counts as of the last round.
 */
export function naiveLeastAttained(roundS: number): DecisionMaker {
  const counted = new Map<JobView, number>();
  const order: Order = {
    name: 'least-attained',
    readsDuration: false,
    key: (job) => counted.get(job) ?? 0,
  };
  const inOrderOfService = naivePreemptive(order);
  let round = 0;
  return policyOf(function* again(view: View): Generator<Decision> {
    const count = (jobs: Iterable<JobView>, agoS: number): void => {
      for (const job of jobs) {
        const service = (job.attainedS - agoS) * job.gpuCount;
        counted.set(job, Math.max(counted.get(job) ?? 0, service));
      }
    };
    const now = Math.floor(view.nowS / roundS);
    // A round may have ended while nobody waited, so that nothing was asked then.
    if (now > round) count(view.active, view.nowS - now * roundS);
    round = now;
    count(view.queue, 0);
    yield* inOrderOfService.decide(view);
    if (view.queue.size > 0) yield { kind: 'call-back', atS: (round + 1) * roundS };
  }, exclusive);
}

/**
 * Discretised least attained service as lists that are rearranged at every event, after the account of
 * the released Tiresias simulator (its `dlas_sim_jobs`), but with the right time of the next fall.
 */
export function naiveAttainedService(limits: readonly number[], weighs: boolean): DecisionMaker {
  const queues: JobView[][] = [...limits, Infinity].map(() => []);
  const levels = new Map<JobView, number>();
  const move = (job: JobView, to: number): void => {
    const from = queues[levels.get(job) ?? -1];
    from?.splice(from.indexOf(job), 1);
    queues[to]?.push(job);
    levels.set(job, to);
  };
  const restS = (job: JobView): number => {
    const limit = limits[levels.get(job) as number] ?? Infinity;
    return limit / (weighs ? job.gpuCount : 1) - job.attainedS;
  };

  function* decide(view: View): Generator<Decision> {
    for (const job of view.left) {
      if (job.state !== 'done') continue;
      const queue = queues[levels.get(job) as number] as JobView[];
      queue.splice(queue.indexOf(job), 1);
      levels.delete(job);
    }
    for (const job of view.entered) if (!levels.has(job)) move(job, 0);
    const known = [...levels.keys()].sort((a, b) => a.index - b.index);
    for (const job of known) {
      if (job.state === 'running' && restS(job) <= 0) move(job, (levels.get(job) as number) + 1);
    }
    let free = view.cluster.gpuCount;
    const chosen: JobView[] = [];
    for (const job of queues.flat()) {
      if (job.gpuCount <= free) {
        free -= job.gpuCount;
        chosen.push(job);
      } else if (job.state === 'running') {
        yield { kind: 'preempt', job };
      }
    }
    for (const job of chosen) if (job.state === 'queued') yield* startIfItFits(view, job);
    for (const queue of queues) {
      const running = queue.filter(({ state }) => state === 'running');
      const waiting = queue.filter(({ state }) => state !== 'running');
      queue.splice(0, queue.length, ...running, ...waiting);
    }
    const nextS = Math.min(...chosen.map((job) => view.nowS + restS(job)));
    if (nextS < Infinity) yield { kind: 'call-back', atS: nextS };
  }
  return policyOf(decide, exclusive);
}
