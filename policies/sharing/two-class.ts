import type { Decision } from '../../sim/decisions.ts';
import { busyPart } from '../../sim/gpu/evaluate.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { RandomSource } from '../../sim/random.ts';
import type { View } from '../../sim/view.ts';
import { PLACEMENT_OPTIONS, placementParts } from '../common-options.ts';
import { fifo } from '../order/fifo.ts';
import { consolidated } from '../placement/consolidated.ts';
import type { OptionValues, Policy, PolicyContext, PolicyOption } from '../policy.ts';
import type { Predictor } from '../predictor.ts';
import { ClassQueue } from '../queue/class-queue.ts';
import { TwoClassSeats } from './two-class-seats.ts';

/** Smallest active thread percentage of an MPS client. */
export const SMALLEST_SHARE = 0.01;

/** Options of the policies that tell guaranteed from opportunistic jobs. */
export const TWO_CLASS_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'unclassed',
    default: 'random',
    choices: ['guaranteed', 'opportunistic', 'random'],
    description: 'class of jobs for which the workload states none',
    source: 'assumed',
  },
  {
    name: 'opportunisticPart',
    default: 0.5,
    min: 0,
    max: 1,
    description: 'for unclassed random: probability of a job to be opportunistic, by the seed',
    source: 'assumed',
  },
  ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
];

/**
 * The SM share of an opportunistic workload beside a guaranteed one on a GPU of a type, in (0, 1], the same
 * whenever asked.
 */
export type Residual = (opportunistic: string, guaranteed: string, type: number) => number;

export interface TwoClassRule {
  readonly name: string;
  readonly maxUtilisation: number;
  readonly residual: Residual;
}

/** Part of the SM time of a whole GPU of a type that a workload takes alone; each worked out once. */
export function smUtilisation(predictor: Predictor): (workload: string, type: number) => number {
  const known = new Map<string, (number | undefined)[]>();
  return (workload, type) => {
    let byType = known.get(workload);
    if (byType === undefined) {
      byType = [];
      known.set(workload, byType);
    }
    if (byType[type] === undefined) {
      const profile = predictor.profile(workload, type);
      byType[type] = profile === null ? 1 : busyPart(profile, 1) * profile.smDemand;
    }
    return byType[type];
  };
}

/**
 * Two classes of jobs on GPUs shared by at most two ({@link TwoClassSeats}), guaranteed ones first, each
 * class in order of submission, skipping; nothing is preempted. Under MPS a guaranteed job may use the
 * whole GPU; an opportunistic one has the whole GPU too, but only its residual beside a guaranteed one.
 * Where that changes it restarts its client, as any new share does.
 */
export class TwoClass implements Policy {
  readonly name: string;
  readonly information = { duration: 'none', durationNoise: 0 } as const;
  readonly mode = 'mps';
  readonly #residual: Residual;
  readonly #seats: TwoClassSeats;
  readonly #isGuaranteed: (job: JobView) => boolean;
  readonly #guaranteed = new ClassQueue(fifo(), 'seat');
  readonly #opportunistic = new ClassQueue(fifo(), 'seat');
  /** Opportunistic jobs whose company has changed. */
  readonly #unsettled = new Set<JobView>();

  constructor(rule: TwoClassRule, options: OptionValues, context: PolicyContext) {
    this.name = rule.name;
    this.#residual = rule.residual;
    this.#isGuaranteed = classes(options, context.random);
    const { placement = consolidated() } = placementParts({ ...options, clock: 1 }, context);
    const used = smUtilisation(context.predictor);
    this.#seats = new TwoClassSeats({
      placement,
      isGuaranteed: this.#isGuaranteed,
      utilisation: (job, type) => used(job.workload, type),
      maxUtilisation: rule.maxUtilisation,
    });
  }

  *decide(view: View): Generator<Decision> {
    for (const job of view.left) {
      for (const gpu of this.#seats.left(view, job)) this.#unsettle(view, gpu);
    }
    for (const job of view.entered) {
      if (job.state !== 'queued') continue;
      (this.#isGuaranteed(job) ? this.#guaranteed : this.#opportunistic).enter(job);
    }
    yield* this.#walk(view, this.#guaranteed);
    yield* this.#walk(view, this.#opportunistic);
    yield* this.#settle(view);
  }

  *#walk(view: View, queue: ClassQueue): Generator<Decision> {
    queue.open(Infinity);
    for (let job = queue.first; job !== null; job = queue.first) {
      const gpus = this.#seats.find(view.cluster, job);
      if (gpus === null) {
        queue.dropClass();
        continue;
      }
      queue.take();
      yield { kind: 'start', job, gpus, share: this.#shares(view, job, gpus) };
      this.#seats.started(view, job);
      for (const gpu of gpus) this.#unsettle(view, gpu);
    }
  }

  /** Shares of a job beside those that are on its GPUs. */
  #shares(view: View, job: JobView, gpus: readonly number[]): readonly number[] {
    return gpus.map((gpu) => {
      if (this.#isGuaranteed(job)) return 1;
      for (const resident of view.cluster.residents[gpu] as readonly number[]) {
        if (resident === job.index) continue;
        const other = view.job(resident);
        if (!this.#isGuaranteed(other)) continue;
        return this.#residual(job.workload, other.workload, view.cluster.typeOf(gpu));
      }
      return 1;
    });
  }

  #unsettle(view: View, gpu: number): void {
    for (const resident of view.cluster.residents[gpu] as readonly number[]) {
      const job = view.job(resident);
      if (!this.#isGuaranteed(job)) this.#unsettled.add(job);
    }
  }

  *#settle(view: View): Generator<Decision> {
    for (const job of this.#unsettled) {
      // A client that still starts cannot be restarted; it comes up again when it runs.
      if (job.state === 'starting' || job.state === 'checkpointing') continue;
      const { gpus } = job;
      const share = this.#shares(view, job, gpus);
      if (gpus.every((gpu, i) => heldShare(view, gpu, job) === share[i])) {
        this.#unsettled.delete(job);
      } else {
        yield { kind: 'set-share', job, share };
      }
    }
  }
}

function heldShare(view: View, gpu: number, job: JobView): number | undefined {
  const slot = (view.cluster.residents[gpu] as readonly number[]).indexOf(job.index);
  return view.cluster.shares[gpu]?.[slot];
}

/** Tells the class of a job; drawn once for a job that has none. */
function classes(options: OptionValues, random: RandomSource): (job: JobView) => boolean {
  const part = Number(options.opportunisticPart);
  const drawn = new Map<number, boolean>();
  return (job) => {
    if (job.priority !== null) return job.priority === 'guaranteed';
    if (options.unclassed !== 'random') return options.unclassed === 'guaranteed';
    let guaranteed = drawn.get(job.index);
    if (guaranteed === undefined) {
      guaranteed = random() >= part;
      drawn.set(job.index, guaranteed);
    }
    return guaranteed;
  };
}
