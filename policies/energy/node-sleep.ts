import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Policy } from '../policy.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';

export interface NodeSleepOptions {
  /** Idle time after which an empty node is switched off; Infinity for never. */
  readonly afterS: number;
  /**
   * When a waiting job may no longer wait for GPUs that are on: then nodes are woken for it. At once
   * when absent.
   */
  readonly urgentAtS?: (job: JobView, nowS: number) => number;
}

/** Least time after which a node that was kept on for a waiting job is looked at again. */
const RECHECK_S = 1;
/** Waiting jobs that are looked at, from the front of the queue, when nodes are woken. */
const LOOK_AHEAD = 32;

/**
 * Switches empty nodes off after a time, and on again for jobs that wait (dynamic resource sleep of Mei,
 * Wang and Chu, 2104.00486). Holds state of one run. O(log nodes) a change.
 */
class NodeSleeper {
  readonly #options: NodeSleepOptions;
  /** Nodes that may be switched off, by when; dead where another time is noted for the node. */
  readonly #due = new OrderedHeap<number>();
  readonly #dueS: number[] = [];
  /** Nodes that are off, by type. */
  readonly #asleep: Set<number>[] = [];
  readonly #waking: Set<number>[] = [];
  readonly #gpusOf = new Map<number, readonly number[]>();
  #started = false;

  constructor(options: NodeSleepOptions) {
    this.#options = options;
  }

  noteStart(job: JobView): void {
    this.#gpusOf.set(job.index, job.gpus);
  }

  /** Before the policy decides: who has left, and nodes that are empty now. */
  noteLeft(view: View): void {
    const { cluster } = view;
    if (!this.#started) {
      this.#started = true;
      for (const _type of cluster.types) {
        this.#asleep.push(new Set());
        this.#waking.push(new Set());
      }
      for (let node = 0; node < cluster.nodeCount; node += 1) this.#emptied(view, node);
    }
    for (const job of view.left) {
      const gpus = this.#gpusOf.get(job.index);
      if (gpus === undefined) continue;
      this.#gpusOf.delete(job.index);
      for (const node of new Set(gpus.map((gpu) => cluster.nodeOf(gpu)))) {
        if (isEmpty(view, node)) this.#emptied(view, node);
      }
    }
  }

  /** After the policy has decided. */
  *decide(view: View): Generator<Decision> {
    const wanted = new Set<number>();
    const nextS = yield* this.#wakeForWaiting(view, wanted);
    yield* this.#sleepIdle(view, wanted);
    const atS = Math.min(nextS, this.#due.firstKey);
    if (atS > view.nowS && atS < Infinity) yield { kind: 'call-back', atS };
  }

  #emptied(view: View, node: number): void {
    this.#countDown(node, view.nowS);
  }

  /** The node is empty from a time on. */
  #countDown(node: number, emptyS: number): void {
    const atS = emptyS + this.#options.afterS;
    this.#dueS[node] = atS;
    this.#due.push(atS, node, node);
  }

  *#sleepIdle(view: View, wanted: ReadonlySet<number>): Generator<Decision> {
    const { cluster } = view;
    for (let node = this.#due.first; node !== null; node = this.#due.first) {
      if (this.#due.firstKey > view.nowS) return;
      const dueS = this.#due.firstKey;
      this.#due.pop();
      if (dueS !== this.#dueS[node] || !isEmpty(view, node)) continue;
      if (cluster.nodeState(node) !== 'on') continue;
      // Nodes that come up one after the other must not go off again before the last is there.
      if (wanted.has(cluster.typeOfNode(node))) {
        this.#countDown(node, view.nowS + RECHECK_S);
        continue;
      }
      yield { kind: 'sleep', node };
      this.#asleep[cluster.typeOfNode(node)]?.add(node);
    }
  }

  /**
   * @param wanted gets the types that urgent jobs wait for
   * @returns when the next waiting job becomes urgent
   */
  *#wakeForWaiting(view: View, wanted: Set<number>): Generator<Decision, number> {
    const { nowS, cluster } = view;
    let nextS = Infinity;
    let looked = 0;
    /** GPUs by type that jobs in front will take. */
    const promised = cluster.types.map(() => 0);
    for (let job = view.queue.first; job !== null; job = view.queue.after(job)) {
      if (looked === LOOK_AHEAD) break;
      looked += 1;
      const urgentS = this.#options.urgentAtS?.(job, nowS) ?? nowS;
      if (urgentS > nowS) {
        nextS = Math.min(nextS, urgentS);
        continue;
      }
      for (const type of job.types) wanted.add(type);
      yield* this.#wakeFor(view, job, promised);
    }
    // Nothing runs and nothing starts: what is on suits nobody in front.
    const { first } = view.queue;
    if (first !== null && view.active.size === 0 && nextS === Infinity) {
      for (const type of first.types) yield* this.#wakeType(view, type, Infinity);
    }
    return nextS;
  }

  /** A job gets GPUs of one type that are free or coming, or nodes are woken; or of all its types. */
  *#wakeFor(view: View, job: JobView, promised: number[]): Generator<Decision> {
    const { cluster } = view;
    const count = job.minGpus;
    const ready = (type: number) =>
      cluster.freeGpus(type) + this.#comingGpus(view, type) - (promised[type] as number);
    let chosen = job.types.find((type) => ready(type) >= count);
    if (chosen === undefined) {
      chosen = job.types.find((type) => ready(type) + this.#asleepGpus(view, type) >= count);
      if (chosen !== undefined) yield* this.#wakeType(view, chosen, count - ready(chosen));
    }
    if (chosen !== undefined) promised[chosen] = (promised[chosen] as number) + count;
    else if (!job.types.some((type) => cluster.gpusOfType(type) >= count)) {
      for (const type of job.types) yield* this.#wakeType(view, type, Infinity);
    }
  }

  *#wakeType(view: View, type: number, gpus: number): Generator<Decision> {
    let missing = gpus;
    for (const node of this.#asleep[type] as Set<number>) {
      if (missing <= 0) return;
      yield* this.#wake(view, node, type);
      missing -= view.cluster.gpusInNode(node);
    }
  }

  #asleepGpus({ cluster }: View, type: number): number {
    let count = 0;
    for (const node of this.#asleep[type] as Set<number>) count += cluster.gpusInNode(node);
    return count;
  }

  *#wake(view: View, node: number, type: number): Generator<Decision> {
    (this.#asleep[type] as Set<number>).delete(node);
    (this.#waking[type] as Set<number>).add(node);
    yield { kind: 'wake', node };
    // When it is up it counts as empty from then on, in case the job goes elsewhere.
    this.#countDown(node, view.nowS + (view.cluster.types[type]?.wakeS ?? 0));
  }

  #comingGpus({ cluster }: View, type: number): number {
    const waking = this.#waking[type] as Set<number>;
    let count = 0;
    for (const node of waking) {
      if (cluster.nodeState(node) === 'waking') count += cluster.gpusInNode(node);
      else waking.delete(node);
    }
    return count;
  }
}

function isEmpty(view: View, node: number): boolean {
  return view.cluster.freeGpusInNode(node) === view.cluster.gpusInNode(node);
}

/** A policy that also switches empty nodes off and on again. */
export function withNodeSleep(policy: Policy, options: NodeSleepOptions): Policy {
  if (options.afterS === Infinity) return policy;
  const sleeper = new NodeSleeper(options);
  return {
    ...policy,
    *decide(view) {
      sleeper.noteLeft(view);
      for (const decision of policy.decide(view)) {
        yield decision;
        if (decision.kind === 'start' || decision.kind === 'migrate')
          sleeper.noteStart(decision.job);
      }
      yield* sleeper.decide(view);
    },
  };
}
