import type { Decision } from '../../sim/decisions.ts';
import type { SharingMode } from '../../sim/gpu/evaluate.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Information, View } from '../../sim/view.ts';
import type { Policy, PolicyContext } from '../policy.ts';
import type { Predictor } from '../predictor.ts';
import { Allocator, type Candidate } from './allocate.ts';
import { powerCapW } from './curves.ts';
import { type JobKind, JobKinds } from './kinds.ts';
import { Occupancy } from './occupancy.ts';
import type { HeshareOptions } from './options.ts';
import { Pending } from './pending.ts';
import { retuned } from './retune.ts';
import { Tuner } from './tune.ts';

/**
 * HeShare (IEEE TC, DOI 10.1109/TC.2025.3628924), reconstructed from its abstract: an energy-aware
 * allocation of jobs to GPUs (level 1, {@link Allocator}) over an optimiser of MPS shares and core
 * clock of each GPU (level 2, {@link Tuner}), with which level 1 foresees what a placement costs.
 */
export class HeShare implements Policy {
  readonly name = 'heshare';
  readonly information: Information;
  readonly mode: SharingMode;
  readonly #options: HeshareOptions;
  readonly #predictor: Predictor;
  readonly #tuner: Tuner;
  readonly #kinds: JobKinds;
  readonly #pending: Pending;
  /** Whether the last walk left nothing that time alone may place, and what it then had seen. */
  #settled = false;
  #triedUpTo = 0;
  #freeGpus = 0;
  /** Made at the first ask: the cluster comes with the view. */
  #state: { readonly occupancy: Occupancy; readonly allocator: Allocator } | null = null;

  constructor(options: HeshareOptions, context: PolicyContext) {
    this.#options = options;
    this.#predictor = context.predictor;
    this.information = { duration: 'estimate', durationNoise: options.durationNoise };
    this.mode = options.mps ? 'mps' : 'exclusive';
    this.#tuner = new Tuner(context.predictor, {
      ...options,
      unlimited: options.unlimited || !options.mps,
    });
    this.#kinds = new JobKinds(context.predictor, this.#tuner, options);
    const shortestFirst = (job: JobView): number => job.remainingS * this.#kinds.of(job).bestS;
    this.#pending = new Pending(options.order === 'sjf' ? shortestFirst : () => 0);
  }

  *decide(view: View): Generator<Decision> {
    if (this.#state === null) {
      this.#state = this.#begin(view);
      yield* this.#setCaps(view);
    }
    const { occupancy, allocator } = this.#state;
    const vacated = new Set<number>();
    for (const job of view.left) for (const gpu of occupancy.leave(job.index)) vacated.add(gpu);
    for (const job of view.entered) {
      if (this.#pending.enter(job, this.#kinds.of(job))) this.#settled = false;
    }
    if (!this.#nothingNew(view, occupancy)) yield* this.#allocate(view, occupancy, allocator);
    for (const gpu of vacated) yield* retuned(view, gpu, occupancy, this.#tuner, this.#options);
  }

  /** Whether whatever waits was tried in vain on a cluster that has no more room by now. */
  #nothingNew(view: View, occupancy: Occupancy): boolean {
    if (this.#pending.size === 0) return true;
    if (!this.#settled || this.#pending.deadlines > 0) return false;
    return occupancy.logEnd === this.#triedUpTo && view.cluster.freeGpuTotal <= this.#freeGpus;
  }

  *#allocate(view: View, occupancy: Occupancy, allocator: Allocator): Generator<Decision> {
    this.#settled = true;
    for (const group of this.#pending.walk(this.#options.window)) {
      const job = group.jobs.first as JobView;
      const kind = this.#kinds.withDeadline(group.kind, job, view.nowS);
      const place = allocator.place(view, job, kind, group.triedUpTo);
      if (place !== null) {
        this.#pending.take(group);
        yield* this.#start(view, job, kind, place, occupancy);
      } else if (allocator.blocked) this.#settled = false;
      else group.triedUpTo = occupancy.logEnd;
    }
    if (this.#pending.size === 0) occupancy.forgetLog();
    this.#triedUpTo = occupancy.logEnd;
    this.#freeGpus = view.cluster.freeGpuTotal;
  }

  #begin(view: View): { readonly occupancy: Occupancy; readonly allocator: Allocator } {
    const occupancy = new Occupancy(view.cluster, this.#tuner, this.#options.maxPerGpu);
    return { occupancy, allocator: new Allocator(this.#options, this.#tuner, occupancy) };
  }

  *#setCaps(view: View): Generator<Decision> {
    if (this.#options.powerCap >= 1) return;
    for (let gpu = 0; gpu < view.cluster.gpuCount; gpu += 1) {
      const type = view.cluster.types[view.cluster.typeOf(gpu)];
      if (type === undefined) continue;
      yield { kind: 'set-cap', gpu, powerCapW: powerCapW(type, this.#options.powerCap) };
    }
  }

  *#start(
    view: View,
    job: JobView,
    kind: JobKind,
    place: Candidate,
    occupancy: Occupancy,
  ): Generator<Decision> {
    const { cluster } = view;
    const pinned = job.deadlineS !== null;
    if (place.kind === 'own') {
      const shares: number[] = [];
      for (const gpu of place.gpus) {
        const type = cluster.typeOf(gpu);
        const { clockMhz, steps } = this.#tuner.alone(type, kind.tasks[type] as number);
        yield* this.#setClock(view, gpu, clockMhz);
        shares.push(kind.gpuCount > 1 ? 1 : this.#tuner.share(type, steps[0] as number));
      }
      yield { kind: 'start', job, gpus: place.gpus, share: shares };
      occupancy.enter(job.index, kind, pinned, place.gpus);
      return;
    }
    const { gpu, join, joined } = place;
    const jobs = occupancy.seated(gpu);
    for (const i of join.restarted) {
      const share = this.#tuner.share(joined.type, join.memberSteps[i] as number);
      yield { kind: 'set-share', job: view.job(jobs[i] as number), share };
    }
    yield* this.#setClock(view, gpu, join.clockMhz);
    const share = this.#tuner.share(joined.type, join.steps);
    yield { kind: 'start', job, gpus: [gpu], share };
    occupancy.enter(job.index, kind, pinned, [gpu]);
  }

  *#setClock(view: View, gpu: number, clockMhz: number): Generator<Decision> {
    if (view.clockMhz(gpu) !== clockMhz) yield { kind: 'set-clock', gpu, clockMhz };
  }
}
