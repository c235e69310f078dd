import type { Decision } from '../../sim/decisions.ts';
import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { referenceClock } from '../clocks/reference.ts';
import type { OptionValues, Policy, PolicyContext, PolicyDefinition } from '../policy.ts';
import type { Predictor } from '../predictor.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import { EXCLUSIVE_OPTIONS, exclusivePolicy } from './exclusive.ts';

/** Gains of the controller on the loss of performance, as released. */
const PROPORTIONAL = 2.8;
const INTEGRAL = 0.002;
const DERIVATIVE = 0.9;
/** The clock is left alone when the loss is this close to the limit. */
const SETTLED = 0.005;
/** Windows after which a clock that does not settle is left where it is. */
const MAX_WINDOWS = 30;

/** A running job whose clock is being found. */
interface Tuned {
  readonly job: JobView;
  windows: number;
  /** Wanted clock over the reference, before it is rounded to one that exists. */
  x: number;
  sum: number;
  before: number;
}

/**
 * Model-free frequency control (MF-GPOEO): after each window the loss of performance against the
 * reference clock is measured, and a PID controller moves the clock so that the loss comes to its
 * limit. Our measurement is the predictor's speed at the clock, with its noise; a job has one phase.
 */
class ModelFree {
  readonly #predictor: Predictor;
  readonly #limit: number;
  readonly #windowS: number;
  readonly #due = new OrderedHeap<Tuned>();

  constructor(predictor: Predictor, limit: number, windowS: number) {
    this.#predictor = predictor;
    this.#limit = limit;
    this.#windowS = windowS;
  }

  started(job: JobView, nowS: number): void {
    const tuned = { job, windows: 0, x: 1, sum: 0, before: this.#limit };
    this.#due.push(nowS + this.#windowS, job.index, tuned);
  }

  *control(view: View): Generator<Decision> {
    for (let tuned = this.#due.first; tuned !== null; tuned = this.#due.first) {
      if (this.#due.firstKey > view.nowS) {
        yield { kind: 'call-back', atS: this.#due.firstKey };
        return;
      }
      this.#due.pop();
      const { job } = tuned;
      if (job.state === 'starting') {
        this.#due.push(view.nowS + this.#windowS, job.index, tuned);
      } else if (job.state === 'running') {
        yield* this.#step(view, tuned);
      }
    }
  }

  *#step(view: View, tuned: Tuned): Generator<Decision> {
    const { job } = tuned;
    const [first] = job.gpus as readonly [number];
    const typeIndex = view.cluster.typeOf(first);
    const type = view.cluster.types[typeIndex] as GpuType;
    const error = this.#limit - this.#loss(job, typeIndex, view.clockMhz(first));
    if (Math.abs(error) <= SETTLED || tuned.windows >= MAX_WINDOWS) return;
    tuned.windows += 1;
    tuned.sum += error * this.#windowS;
    const change = (error - tuned.before) / this.#windowS;
    tuned.before = error;
    const down = PROPORTIONAL * error + INTEGRAL * tuned.sum + DERIVATIVE * change;
    const lowest = (type.clocksMhz[0] as number) / type.referenceClockMhz;
    tuned.x = Math.min(1, Math.max(lowest, tuned.x - down));
    const clockMhz = nearestClock(type, tuned.x);
    for (const gpu of job.gpus) {
      if (view.clockMhz(gpu) !== clockMhz) yield { kind: 'set-clock', gpu, clockMhz };
    }
    this.#due.push(view.nowS + this.#windowS, job.index, tuned);
  }

  /** Part of the speed at the reference clock that is lost. */
  #loss(job: JobView, type: number, clockMhz: number): number {
    const profile = this.#predictor.profile(job.workload, type);
    if (profile === null) return this.#limit;
    const setting = { clockMhz, mode: 'exclusive' } as const;
    const point = this.#predictor.evaluate(type, [{ profile, share: 1 }], setting);
    return 1 - soloStepS(profile) / (point.stepS[0] as number);
  }
}

function nearestClock(type: GpuType, x: number): number {
  const wantedMhz = x * type.referenceClockMhz;
  let best = type.clocksMhz[0] as number;
  for (const clock of type.clocksMhz) {
    if (clock > type.referenceClockMhz) break;
    if (Math.abs(clock - wantedMhz) <= Math.abs(best - wantedMhz)) best = clock;
  }
  return best;
}

function create(options: OptionValues, context: PolicyContext): Policy {
  const inner = exclusivePolicy('mf-gpoeo', options, context, referenceClock());
  const control = new ModelFree(
    context.predictor,
    Number(options.maxLoss),
    Number(options.windowS),
  );
  return {
    ...inner,
    *decide(view) {
      for (const decision of inner.decide(view)) {
        yield decision;
        if (decision.kind === 'start') control.started(decision.job, view.nowS);
      }
      yield* control.control(view);
    },
  };
}

/** Registry entry of {@link ModelFree}. */
export const mfGpoeoDefinition: PolicyDefinition = {
  name: 'mf-gpoeo',
  title: 'whole GPUs; a controller lowers the clock of each job until it loses 5 % of its speed',
  source: 'MF-GPOEO (released settings); how the controller acts on the clock is assumed',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'maxLoss',
      default: 0.05,
      min: 0,
      max: 0.99,
      description: 'part of the speed that may be lost',
      source: 'released setting',
    },
    {
      name: 'windowS',
      default: 4,
      min: 0.1,
      max: 3600,
      description: 'time between two measurements',
      source: 'released setting for the first window',
    },
    ...EXCLUSIVE_OPTIONS,
  ],
  create,
};
