import { OrderedHeap } from '../../../policies/queue/ordered-heap.ts';
import type { PaiJob } from './inputs.ts';
import { matches, NODE_ORDERS, type PoolNode, placeInstances, take } from './pool.ts';

/** An instance of a job that has ended. */
export interface EndedInstance {
  readonly job: PaiJob;
  readonly jctS: number;
  readonly node: number;
}

export interface ScheduleRules {
  /** Key of a waiting job, lower first; ties go by the id. */
  readonly key: (job: PaiJob) => number;
  /** Number of the order in which nodes are tried. */
  readonly nodeOrder: number;
  readonly gpuTypeMatching: number;
}

/** What is running on a node. */
interface Running {
  readonly job: PaiJob;
  readonly node: PoolNode;
  readonly count: number;
}

/** Jobs that ask for more than the cluster has are cut to it, one instance each. */
function cut(job: PaiJob, nodes: readonly PoolNode[]): PaiJob {
  const sum = (of: (node: PoolNode) => number) => nodes.reduce((all, node) => all + of(node), 0);
  return {
    ...job,
    gpuPercent: Math.min(
      job.gpuPercent,
      sum(({ gpuPercent }) => gpuPercent),
    ),
    cpuPercent: Math.min(
      job.cpuPercent,
      sum(({ cpuPercent }) => cpuPercent),
    ),
  };
}

/** A schedule in the making: nodes, and jobs by what has become of them. */
class Schedule {
  readonly ended: EndedInstance[] = [];
  readonly running = new OrderedHeap<Running>();
  readonly #nodes: readonly PoolNode[];
  readonly #rules: ScheduleRules;
  #waiting: PaiJob[] = [];
  #started = 0;

  constructor(nodes: readonly PoolNode[], rules: ScheduleRules) {
    this.#nodes = nodes;
    this.#rules = rules;
  }

  get waiting(): readonly PaiJob[] {
    return this.#waiting;
  }

  arrives(job: PaiJob): void {
    this.#waiting.push(job);
  }

  endUntil(nowS: number): void {
    while (this.running.firstKey <= nowS) {
      const { job, node, count } = this.running.pop() as Running;
      take(node, job, -count);
      const jctS = nowS - job.submitS;
      for (let i = 0; i < count; i += 1) this.ended.push({ job, jctS, node: node.id });
    }
  }

  /** Starts every job that fits, in order. */
  allocate(nowS: number): void {
    const { key } = this.#rules;
    this.#waiting.sort((a, b) => key(a) - key(b) || a.id - b.id);
    this.#waiting = this.#waiting.filter((job) => !this.#start(job, nowS));
  }

  #start(job: PaiJob, nowS: number): boolean {
    const { nodeOrder, gpuTypeMatching } = this.#rules;
    const order = NODE_ORDERS[nodeOrder] as (node: PoolNode) => number;
    const usable = this.#nodes
      .filter((node) => matches(job, node, gpuTypeMatching))
      .sort((a, b) => order(a) - order(b));
    const placed = placeInstances(job, usable);
    if (placed === null) return false;
    for (const [node, count] of placed) {
      take(node, job, count);
      this.running.push(nowS + job.durationS, this.#started, { job, node, count });
      this.#started += 1;
    }
    return true;
  }
}

/** A replayed run; `stuck` is a job that no event will ever start, or null. */
export interface ScheduleResult {
  readonly ended: readonly EndedInstance[];
  readonly makespanS: number;
  readonly stuck: PaiJob | null;
}

/**
 * The simulator of Alibaba's GPU trace of 2020 in seconds of 1 s (scheduler.py, cluster.py): jobs that
 * have come are sorted and all that fit are started, at every second at which something has changed. Its
 * clock stops a second after the last job has ended.
 */
export function schedule(
  jobs: readonly PaiJob[],
  nodes: readonly PoolNode[],
  rules: ScheduleRules,
): ScheduleResult {
  const coming = jobs.map((job) => cut(job, nodes)).sort((a, b) => a.submitS - b.submitS);
  const run = new Schedule(nodes, rules);
  let next = 0;
  let nowS = 0;
  for (;;) {
    run.endUntil(nowS);
    for (let job = coming[next]; job !== undefined && job.submitS <= nowS; job = coming[next]) {
      run.arrives(job);
      next += 1;
    }
    run.allocate(nowS);
    const nextS = Math.min(run.running.firstKey, coming[next]?.submitS ?? Infinity);
    if (nextS === Infinity) break;
    nowS = nextS;
  }
  return { ended: run.ended, makespanS: nowS + 1, stuck: run.waiting[0] ?? null };
}
