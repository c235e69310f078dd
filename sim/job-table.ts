import { JOB_STATES, type JobSpec, type JobState } from './job.ts';
import { NO_EVENT } from './time/calendar.ts';

const STATE_CODE = Object.fromEntries(JOB_STATES.map((state, code) => [state, code])) as Record<
  JobState,
  number
>;

/** What a job holds that is not on any GPU. */
export const NO_GPUS: readonly number[] = [];

/**
 * The changing state of all jobs, one typed array a quantity. Work is in seconds on the reference
 * GPU; a rate is work per second.
 */
export class JobTable {
  readonly specs: readonly JobSpec[];
  readonly count: number;
  readonly #state: Uint8Array;
  /** Jobs in each state. */
  readonly #inState = new Int32Array(JOB_STATES.length);

  /** Work left, and work left at the last checkpoint; `progressAtS` is when they were true. */
  readonly remaining: Float64Array;
  readonly savedRemaining: Float64Array;
  readonly progressAtS: Float64Array;
  readonly rate: Float64Array;
  /** Rate alone at full clock on the GPUs it holds. */
  readonly soloRate: Float64Array;
  /** Factor on the rate for the size of its gang and its placement over nodes. */
  readonly gangFactor: Float64Array;
  /** Step time on the reference GPU with its own share: rate = this / step time. */
  readonly referenceStepS: Float64Array;

  readonly startS: Float64Array;
  readonly endS: Float64Array;
  /** When it entered its present state. */
  readonly sinceS: Float64Array;
  readonly queueS: Float64Array;
  readonly holdS: Float64Array;
  readonly runningS: Float64Array;
  /** Time that the work done would have taken alone at full clock on the same GPUs. */
  readonly idealS: Float64Array;
  readonly energyJ: Float64Array;
  readonly powerW: Float64Array;
  readonly preemptions: Int32Array;
  readonly restarts: Int32Array;
  readonly failures: Int32Array;

  /** Completion event, and the event that ends a start or checkpoint, or fault or checkpoint due. */
  readonly completion: Int32Array;
  readonly phaseEnd: Int32Array;
  readonly fault: Int32Array;
  readonly checkpointDue: Int32Array;

  /** Bit t is set when it can run on type t of the cluster. */
  readonly typeMask: Int32Array;
  /** Index of its workload in the physics. */
  readonly workload: Int32Array;
  /** GPUs that it holds, and those of its last run. */
  readonly gpus: (readonly number[])[];
  readonly lastGpus: (readonly number[])[];
  /** Reason of a rejection. */
  readonly reasons = new Map<number, string>();

  constructor(specs: readonly JobSpec[]) {
    const n = specs.length;
    const zeros = (): Float64Array => new Float64Array(n);
    this.specs = specs;
    this.count = n;
    this.#state = new Uint8Array(n);
    this.#inState[0] = n;
    this.remaining = zeros();
    this.savedRemaining = zeros();
    this.progressAtS = zeros();
    this.rate = zeros();
    this.soloRate = zeros();
    this.gangFactor = zeros();
    this.referenceStepS = zeros();
    this.startS = zeros().fill(NaN);
    this.endS = zeros().fill(NaN);
    this.sinceS = zeros();
    this.queueS = zeros();
    this.holdS = zeros();
    this.runningS = zeros();
    this.idealS = zeros();
    this.energyJ = zeros();
    this.powerW = zeros();
    this.preemptions = new Int32Array(n);
    this.restarts = new Int32Array(n);
    this.failures = new Int32Array(n);
    this.completion = new Int32Array(n).fill(NO_EVENT);
    this.phaseEnd = new Int32Array(n).fill(NO_EVENT);
    this.fault = new Int32Array(n).fill(NO_EVENT);
    this.checkpointDue = new Int32Array(n).fill(NO_EVENT);
    this.workload = new Int32Array(n);
    this.gpus = new Array<readonly number[]>(n).fill(NO_GPUS);
    this.lastGpus = new Array<readonly number[]>(n).fill(NO_GPUS);
    this.typeMask = new Int32Array(n);
  }

  spec(job: number): JobSpec {
    return this.specs[job] as JobSpec;
  }

  state(job: number): JobState {
    return JOB_STATES[this.#state[job] as number] as JobState;
  }

  isIn(job: number, state: JobState): boolean {
    return this.#state[job] === STATE_CODE[state];
  }

  /** Whether the job is starting, running or checkpointing. */
  holdsGpus(job: number): boolean {
    const code = this.#state[job] as number;
    return code >= STATE_CODE.starting && code <= STATE_CODE.checkpointing;
  }

  inState(state: JobState): number {
    return this.#inState[STATE_CODE[state]] as number;
  }

  /** Jobs that are done, failed or rejected. */
  get finished(): number {
    return this.inState('done') + this.inState('failed') + this.inState('rejected');
  }

  /** Enters a state, closing the books of the one it leaves. */
  enter(job: number, state: JobState, nowS: number): void {
    const from = this.#state[job] as number;
    const elapsedS = nowS - (this.sinceS[job] as number);
    if (from === STATE_CODE.queued) {
      this.queueS[job] = (this.queueS[job] as number) + elapsedS;
    } else if (from !== STATE_CODE.submitted) {
      this.holdS[job] = (this.holdS[job] as number) + elapsedS;
    }
    const to = STATE_CODE[state];
    this.#inState[from] = (this.#inState[from] as number) - 1;
    this.#inState[to] = (this.#inState[to] as number) + 1;
    this.#state[job] = to;
    this.sinceS[job] = nowS;
  }

  /** Brings work, time and energy of a job up to now, at the rate and power that held so far. */
  advance(job: number, nowS: number): void {
    const elapsedS = nowS - (this.progressAtS[job] as number);
    if (elapsedS <= 0) return;
    this.progressAtS[job] = nowS;
    const rate = this.rate[job] as number;
    if (rate === 0) return;
    const left = (this.remaining[job] as number) - rate * elapsedS;
    this.remaining[job] = Math.max(left, 0);
    this.runningS[job] = (this.runningS[job] as number) + elapsedS;
    this.idealS[job] =
      (this.idealS[job] as number) + (elapsedS * rate) / (this.soloRate[job] as number);
    this.energyJ[job] = (this.energyJ[job] as number) + elapsedS * (this.powerW[job] as number);
  }
}
