import { DecisionError } from './errors.ts';
import type { JobPriority, JobState } from './job.ts';
import type { JobView } from './job-view.ts';
import { standardNormal } from './random.ts';
import type { SimulationState } from './state.ts';

/** The {@link JobView} of a run; it reads the state and shows nothing else of it. */
export class LiveJobView implements JobView {
  readonly index: number;
  readonly #state: SimulationState;
  readonly #durationFactor: number;

  constructor(state: SimulationState, job: number) {
    this.index = job;
    this.#state = state;
    this.#durationFactor = durationFactor(state);
  }

  get id(): string {
    return this.#spec.id;
  }
  get submitS(): number {
    return this.#spec.submitS;
  }
  get workload(): string {
    return this.#spec.workload;
  }
  get referenceGpu(): string {
    return this.#spec.referenceGpu;
  }
  get gpuCount(): number {
    return this.#spec.gpuCount;
  }
  get minGpus(): number {
    return this.#spec.minGpus;
  }
  get maxGpus(): number {
    return this.#spec.maxGpus;
  }
  get share(): number {
    return this.#spec.share;
  }
  get deadlineS(): number | null {
    return this.#spec.deadlineS;
  }
  get maxSlowdown(): number | null {
    return this.#spec.maxSlowdown;
  }
  get priority(): JobPriority | null {
    return this.#spec.priority;
  }
  get user(): string | null {
    return this.#spec.user;
  }
  get virtualCluster(): string | null {
    return this.#spec.virtualCluster;
  }
  get types(): readonly number[] {
    return typesOf(this.#state.jobs.typeMask[this.index] as number);
  }
  memoryGib(type: number): number {
    return this.#state.memoryGib(this.index, type);
  }

  get state(): JobState {
    return this.#state.jobs.state(this.index);
  }
  get gpus(): readonly number[] {
    return this.#state.jobs.gpus[this.index] as readonly number[];
  }
  get attainedS(): number {
    const { jobs, nowS } = this.#state;
    const sinceAdvanceS =
      (jobs.rate[this.index] as number) > 0 ? nowS - (jobs.progressAtS[this.index] as number) : 0;
    return (jobs.runningS[this.index] as number) + sinceAdvanceS;
  }
  get waitingS(): number {
    const { jobs, nowS } = this.#state;
    return jobs.isIn(this.index, 'queued') ? nowS - (jobs.sinceS[this.index] as number) : 0;
  }
  get preemptions(): number {
    return this.#state.jobs.preemptions[this.index] as number;
  }
  get hasStarted(): boolean {
    return !Number.isNaN(this.#state.jobs.startS[this.index]);
  }
  get durationS(): number {
    this.#mustBeTold();
    return this.#spec.durationS * this.#durationFactor;
  }
  get remainingS(): number {
    this.#mustBeTold();
    const { jobs, nowS } = this.#state;
    const rate = jobs.rate[this.index] as number;
    const left =
      (jobs.remaining[this.index] as number) -
      rate * (nowS - (jobs.progressAtS[this.index] as number));
    if (this.#durationFactor === 1) return Math.max(0, left);
    const done = this.#spec.durationS - left;
    return Math.max(0, this.#spec.durationS * this.#durationFactor - done);
  }

  get #spec() {
    return this.#state.jobs.spec(this.index);
  }

  #mustBeTold(): void {
    const { policy } = this.#state;
    if (policy.information.duration === 'none') {
      throw new DecisionError(
        `policy '${policy.name}' asked for the duration of job '${this.id}' but declares that it is told none; declare duration 'estimate' or 'oracle'`,
      );
    }
  }
}

/** Lognormal error of an estimate; drawn at submission, so it is the same for every policy call. */
function durationFactor(state: SimulationState): number {
  const { duration, durationNoise } = state.policy.information;
  if (duration !== 'estimate' || durationNoise === 0) return 1;
  return Math.exp(durationNoise * standardNormal(state.noiseRandom));
}

const TYPES_BY_MASK = new Map<number, readonly number[]>();

/** The types of a mask, ascending; the same array for the same mask. */
function typesOf(mask: number): readonly number[] {
  let types = TYPES_BY_MASK.get(mask);
  if (types === undefined) {
    types = Array.from({ length: 31 }, (_, type) => type).filter((type) => (mask >>> type) & 1);
    TYPES_BY_MASK.set(mask, types);
  }
  return types;
}
