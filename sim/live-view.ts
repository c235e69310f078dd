import type { ClusterView } from './cluster/cluster.ts';
import type { SharingMode } from './gpu/evaluate.ts';
import type { JobView } from './job-view.ts';
import { refuse } from './refuse.ts';
import type { SimulationState } from './state.ts';
import type { JobList, View } from './view.ts';

/** The {@link View} of a run. */
export class LiveView implements View {
  readonly #state: SimulationState;
  readonly cluster: ClusterView;
  readonly queue: JobList;
  readonly active: JobList;
  readonly entered: readonly JobView[];
  readonly left: readonly JobView[];

  constructor(state: SimulationState) {
    this.#state = state;
    this.cluster = state.cluster;
    this.queue = new QueuedJobs(state);
    this.active = new ActiveJobs(state);
    this.entered = state.entered;
    this.left = state.left;
  }

  get nowS(): number {
    return this.#state.nowS;
  }
  job(index: number): JobView {
    const { jobs } = this.#state;
    if (!jobs.holdsGpus(index) && !jobs.isIn(index, 'queued')) {
      refuse(
        this.#state,
        `a look at job number ${index}`,
        'it is not in the queue or on a gpu now',
      );
    }
    return this.#state.view(index);
  }
  clockMhz(gpu: number): number {
    const x = this.#state.targetClockX[gpu] as number;
    const type = this.#state.gpuType(gpu);
    // The clock was set in MHz and is kept as a ratio: give back the very number of the list.
    return type.clocksMhz.find((clock) => clock / type.referenceClockMhz === x) as number;
  }
  powerCapW(gpu: number): number {
    return this.#state.capW[gpu] as number;
  }
  mode(gpu: number): SharingMode {
    return this.#state.mode[gpu] as SharingMode;
  }
  slices(gpu: number): readonly number[] {
    return this.#state.slices[gpu] as readonly number[];
  }
}

class QueuedJobs implements JobList {
  readonly #state: SimulationState;

  constructor(state: SimulationState) {
    this.#state = state;
  }

  get size(): number {
    return this.#state.queue.size;
  }
  get first(): JobView | null {
    const job = this.#state.queue.first();
    return job < 0 ? null : this.#state.view(job);
  }
  after(job: JobView): JobView | null {
    const next = this.#state.queue.next(job.index);
    return next < 0 ? null : this.#state.view(next);
  }

  /** Jobs may leave the queue while it is walked. */
  *[Symbol.iterator](): Generator<JobView> {
    const { queue } = this.#state;
    for (let job = queue.first(); job >= 0; job = queue.next(job)) yield this.#state.view(job);
  }
}

class ActiveJobs implements JobList {
  readonly #state: SimulationState;

  constructor(state: SimulationState) {
    this.#state = state;
  }

  get size(): number {
    return this.#state.active.size;
  }
  get first(): JobView | null {
    const job = this.#state.active.first();
    return job < 0 ? null : this.#state.view(job);
  }
  after(job: JobView): JobView | null {
    const next = this.#state.active.next(job.index);
    return next < 0 ? null : this.#state.view(next);
  }

  /** Walks the jobs that are active at the start, less those that leave meanwhile. */
  *[Symbol.iterator](): Generator<JobView> {
    const { active, jobs } = this.#state;
    const walked: number[] = [];
    for (let job = active.first(); job >= 0; job = active.next(job)) walked.push(job);
    for (const job of walked) if (jobs.holdsGpus(job)) yield this.#state.view(job);
  }
}
