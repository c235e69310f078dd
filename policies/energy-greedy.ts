import type { Decision } from '../sim/decisions.ts';
import { soloStepS } from '../sim/gpu/evaluate.ts';
import type { GpuType } from '../sim/gpu/profile.ts';
import type { JobView } from '../sim/job-view.ts';
import type { Information, View } from '../sim/view.ts';
import { fifo } from './order/fifo.ts';
import { consolidated } from './placement/consolidated.ts';
import { type Placement, spansTypes } from './placement/placement.ts';
import type { OptionValues, Policy, PolicyContext, PolicyDefinition } from './policy.ts';
import type { Predictor } from './predictor.ts';
import { ClassQueue } from './queue/class-queue.ts';

/** Energy of a step of a workload on a type, and the clock at which it is least. */
export interface EfficientClock {
  readonly clockMhz: number;
  readonly stepJ: number;
}

/** Least relative gain for which a clock below the reference is worth setting. */
const NO_GAIN = 1e-9;

/**
 * The clock of a type with the least energy per unit of work, context power included, among those at
 * which the job is at most `maxSlowdown` times slower than at the reference clock; the reference
 * clock where no other gains. Null when the workload cannot run on the type.
 */
export function efficientClock(
  predictor: Predictor,
  workload: string,
  type: number,
  maxSlowdown: number,
): EfficientClock | null {
  const profile = predictor.profile(workload, type);
  if (profile === null) return null;
  const { clocksMhz, referenceClockMhz } = predictor.types[type] as GpuType;
  const limitS = soloStepS(profile) * maxSlowdown * (1 + NO_GAIN);
  const stepJ = (clockMhz: number): number => {
    const point = predictor.evaluate(type, [{ profile, share: 1 }], { clockMhz });
    const stepS = point.stepS[0] as number;
    return stepS <= limitS ? point.powerW * stepS : Infinity;
  };
  let best: EfficientClock = { clockMhz: referenceClockMhz, stepJ: stepJ(referenceClockMhz) };
  for (const clockMhz of clocksMhz) {
    const energyJ = stepJ(clockMhz);
    if (energyJ < best.stepJ * (1 - NO_GAIN)) best = { clockMhz, stepJ: energyJ };
  }
  return best;
}

/** What is known of jobs that run the same workload under the same bound. */
interface Plan {
  /** By type of the cluster; null where the workload cannot run. */
  readonly clocks: readonly (EfficientClock | null)[];
}

/**
 * Energy-greedy: whole GPUs, in order of submission, skipping what does not fit; each job goes to
 * the type on which a unit of its work takes least energy, at the clock that takes least.
 */
class EnergyGreedy implements Policy {
  readonly name = 'energy-greedy';
  readonly information: Information = { duration: 'none', durationNoise: 0 };
  readonly mode = 'exclusive';
  readonly #predictor: Predictor;
  readonly #maxSlowdown: number;
  readonly #waits: boolean;
  readonly #queue = new ClassQueue(fifo(), 'speed');
  readonly #placement: Placement;
  readonly #plans = new Map<string, Plan>();

  constructor(options: OptionValues, context: PolicyContext) {
    this.#predictor = context.predictor;
    this.#maxSlowdown = options.maxSlowdown as number;
    this.#waits = options.typeChoice === 'wait';
    this.#placement = consolidated({ types: (job) => this.#typesOf(job) });
  }

  *decide(view: View): Generator<Decision> {
    for (const job of view.entered) this.#queue.enter(job);
    const free = view.cluster.freeGpuTotal;
    if (free === 0 || view.queue.size === 0) return;
    this.#queue.open(free);
    for (let job = this.#queue.first; job !== null; job = this.#queue.first) {
      const gpus = this.#place(view, job);
      if (gpus === null) {
        this.#queue.dropClass();
        continue;
      }
      this.#queue.take();
      const { clocks } = this.#planOf(job);
      for (const gpu of gpus) {
        const clockMhz = clocks[view.cluster.typeOf(gpu)]?.clockMhz;
        if (clockMhz !== undefined && clockMhz !== view.clockMhz(gpu)) {
          yield { kind: 'set-clock', gpu, clockMhz };
        }
      }
      yield { kind: 'start', job, gpus, share: 1 };
    }
  }

  #place(view: View, job: JobView): readonly number[] | null {
    const { cluster } = view;
    if (!this.#waits || spansTypes(cluster, job)) return this.#placement.place(cluster, job);
    const type = this.#typesOf(job).find((type) => cluster.gpusOfType(type) >= job.gpuCount);
    return type === undefined ? null : this.#placement.placeOn(cluster, job, type);
  }

  /** Types of a job, least energy first. */
  #typesOf(job: JobView): readonly number[] {
    if (job.types.length < 2) return job.types;
    const { clocks } = this.#planOf(job);
    const energyJ = (type: number): number => clocks[type]?.stepJ ?? Infinity;
    return [...job.types].sort((a, b) => energyJ(a) - energyJ(b) || a - b);
  }

  #planOf(job: JobView): Plan {
    const maxSlowdown = Math.min(this.#maxSlowdown, job.maxSlowdown ?? Infinity);
    const key = `${maxSlowdown} ${job.workload}`;
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      plan = {
        clocks: this.#predictor.types.map((_, type) =>
          efficientClock(this.#predictor, job.workload, type, maxSlowdown),
        ),
      };
      this.#plans.set(key, plan);
    }
    return plan;
  }
}

/** Registry entry of {@link EnergyGreedy}. */
export const energyGreedyDefinition: PolicyDefinition = {
  name: 'energy-greedy',
  title: 'whole gpus of the type, and at the clock, with the least energy per unit of work',
  source: 'assumed: the energy-only end of the trade-off, after Mei, Wang and Chu (2104.00486)',
  faithfulness: 'own',
  checkedBy: 'hand-worked cases',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'maxSlowdown',
      default: 1.1,
      min: 1,
      max: 100,
      description:
        'largest step time over that at the reference clock; a stricter bound of the job wins',
      source: 'assumed',
    },
    {
      name: 'typeChoice',
      default: 'free',
      choices: ['free', 'wait'],
      description: 'the best type that is free now, or wait for the best of all',
      source: 'assumed',
    },
  ],
  create: (options, context) => new EnergyGreedy(options, context),
};
