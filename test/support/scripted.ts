import type { Decision } from '../../sim/decisions.ts';
import type { SharingMode } from '../../sim/gpu/evaluate.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { DecisionMaker, Information, View } from '../../sim/view.ts';

/** What is decided at an instant. */
export type Step = (view: View) => Iterable<Decision>;

interface MakerOptions {
  readonly name?: string;
  readonly mode?: SharingMode;
  readonly information?: Information;
}

const ORACLE: Information = { duration: 'oracle', durationNoise: 0 };

/** A policy from a function. */
export function policyOf(decide: Step, options: MakerOptions = {}): DecisionMaker {
  return { name: 'test', mode: 'mps', information: ORACLE, ...options, decide };
}

/**
 * A policy that decides the given things at the given times and nothing else; each step is carried
 * out once. It has itself called back for the steps at which nothing else happens.
 */
export function scripted(
  steps: readonly (readonly [atS: number, step: Step])[],
  options: MakerOptions = {},
): DecisionMaker {
  const pending = new Map(steps);
  let isFirst = true;
  function* decide(view: View): Generator<Decision> {
    if (isFirst) {
      for (const [atS] of steps) if (atS > view.nowS) yield { kind: 'call-back', atS };
    }
    isFirst = false;
    const step = pending.get(view.nowS);
    pending.delete(view.nowS);
    if (step !== undefined) yield* step(view);
  }
  return policyOf(decide, options);
}

/** Starts a job, found by its number, on GPUs. */
export function start(
  view: View,
  index: number,
  gpus: readonly number[],
  share?: number | readonly number[],
): Decision {
  const job = view.job(index);
  return share === undefined ? { kind: 'start', job, gpus } : { kind: 'start', job, gpus, share };
}

/** The lowest free GPUs on which a job can run, or null when there are too few. */
export function lowestFree(view: View, job: JobView): readonly number[] | null {
  const gpus: number[] = [];
  for (const type of job.types) {
    for (const gpu of view.cluster.gpusWithResidents(type, 0)) {
      gpus.push(gpu);
      if (gpus.length === job.gpuCount) return gpus;
    }
  }
  return null;
}

/** First in, first out, whole GPUs, nobody overtakes the head of the queue. */
export function firstInFirstOut(options: MakerOptions = {}): DecisionMaker {
  function* decide(view: View): Generator<Decision> {
    for (let job = view.queue.first; job !== null; job = view.queue.first) {
      const gpus = lowestFree(view, job);
      if (gpus === null) return;
      yield { kind: 'start', job, gpus, share: 1 };
    }
  }
  return policyOf(decide, { name: 'fifo', mode: 'exclusive', ...options });
}
