import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { firstType, type TypeOrder } from '../placement/type-order.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import { GpuLevels } from '../sharing/gpu-levels.ts';
import type { Sharing } from '../sharing/sharing.ts';
import type { Tenants } from '../sharing/tenants.ts';
import type { Measured } from './measured.ts';
import { nextShare } from './next-share.ts';

/** Levels of the share that is left of a GPU. */
const LEVELS = 1000;
/** Slack for sums of shares and memories. */
const EPSILON = 1e-9;

export interface GsliceOptions {
  readonly tenants: Tenants;
  readonly measured: Measured;
  readonly startShare: number;
  readonly periodS: number;
  /** Part of the objective within which nothing is changed. */
  readonly band: number;
  /** Most changes of a share until company changes again. */
  readonly rounds: number;
  readonly types?: TypeOrder;
}

/** A single job on a GPU. */
interface Sliced {
  readonly job: JobView;
  readonly gpu: number;
  readonly workload: string;
  share: number;
  /** Rounds since company changed. */
  rounds: number;
  /** Whether its next measurement is due some time. */
  isDue: boolean;
}

/**
 * Single jobs start with a fixed share on the GPU in use with the least share left that has so much, else on
 * a free one. After each period every job is measured, and its share is changed as {@link nextShare} says,
 * for which it is restarted, until it comes within the band or has had its rounds; then it is left
 * alone until somebody comes to its GPU or leaves. Shares that have grown may sum to more than the GPU.
 * Gangs have their GPUs alone.
 */
export class Gslice implements Sharing {
  readonly name = 'gslice';
  readonly mode = 'mps';
  readonly packs = true;
  readonly #options: GsliceOptions;
  readonly #sliced = new Map<number, Sliced>();
  readonly #onGpu = new Map<number, Sliced[]>();
  /** Measurements to come, by when. */
  readonly #due = new OrderedHeap<Sliced>();
  #calledS = 0;
  #levels: GpuLevels[] = [];

  constructor(options: GsliceOptions) {
    this.#options = options;
  }

  startShare(_view: View, job: JobView): number {
    return job.gpuCount > 1 ? job.share : this.#options.startShare;
  }

  seat({ cluster }: View, job: JobView): number {
    if (job.gpuCount > 1) return -1;
    const needed = levelOf(this.#options.startShare - 2 * EPSILON);
    for (const type of (this.#options.types ?? firstType)(job)) {
      const needGib = job.memoryGib(type);
      const gpu =
        this.#levels[type]?.find(needed, (one) => this.#takes(cluster, one, needGib)) ?? -1;
      if (gpu >= 0) return gpu;
    }
    return -1;
  }

  started(view: View, job: JobView): void {
    if (job.gpuCount > 1) return;
    const { types, gpuCount } = view.cluster;
    if (this.#levels.length === 0) this.#levels = types.map(() => new GpuLevels(gpuCount));
    const gpu = job.gpus[0] as number;
    const { workload } = job;
    const share = this.#options.startShare;
    const sliced: Sliced = { job, gpu, workload, share, rounds: 0, isDue: false };
    this.#sliced.set(job.index, sliced);
    const there = this.#onGpu.get(gpu);
    if (there === undefined) this.#onGpu.set(gpu, [sliced]);
    else there.push(sliced);
    this.#companyChanged(view, gpu);
  }

  left(view: View, job: JobView): void {
    const sliced = this.#sliced.get(job.index);
    if (sliced === undefined) return;
    this.#sliced.delete(job.index);
    const there = this.#onGpu.get(sliced.gpu) as Sliced[];
    there.splice(there.indexOf(sliced), 1);
    if (there.length === 0) this.#onGpu.delete(sliced.gpu);
    this.#companyChanged(view, sliced.gpu);
  }

  *adjust(view: View): Generator<Decision> {
    if (this.#due.firstKey <= view.nowS) yield* this.#round(view);
    const atS = this.#due.firstKey;
    const isAwaited = this.#calledS > view.nowS && this.#calledS <= atS;
    if (atS === Infinity || isAwaited) return;
    this.#calledS = atS;
    yield { kind: 'call-back', atS };
  }

  /** Changes all shares that are due, by what was measured before any of them has changed. */
  *#round(view: View): Generator<Decision> {
    const changing = new Map<Sliced, number>();
    while (this.#due.firstKey <= view.nowS) {
      const sliced = this.#due.pop() as Sliced;
      sliced.isDue = false;
      if (this.#sliced.get(sliced.job.index) !== sliced) continue;
      if (sliced.rounds >= this.#options.rounds) continue;
      // A client that starts, or writes a checkpoint, is measured later.
      if (sliced.job.state !== 'running') this.#schedule(view, sliced);
      else changing.set(sliced, this.#measuredShare(view, sliced));
    }
    for (const [sliced, share] of changing) {
      if (sliced.share === share) continue;
      sliced.share = share;
      sliced.rounds += 1;
      this.#file(view.cluster, sliced.gpu);
      if (sliced.rounds < this.#options.rounds) this.#schedule(view, sliced);
      yield { kind: 'set-share', job: sliced.job, share };
    }
  }

  #measuredShare(view: View, sliced: Sliced): number {
    const { tenants, measured, band } = this.#options;
    const { job, gpu, share } = sliced;
    const there = this.#onGpu.get(gpu) as Sliced[];
    const slowdown = measured.slowdown(view.cluster.typeOf(gpu), there, sliced);
    return nextShare(share, slowdown / tenants.of(job).objective, band);
  }

  #schedule(view: View, sliced: Sliced): void {
    sliced.isDue = true;
    this.#due.push(view.nowS + this.#options.periodS, sliced.job.index, sliced);
  }

  /** All on a GPU are to be measured again. */
  #companyChanged(view: View, gpu: number): void {
    this.#file(view.cluster, gpu);
    for (const sliced of this.#onGpu.get(gpu) ?? []) {
      sliced.rounds = 0;
      if (!sliced.isDue) this.#schedule(view, sliced);
    }
  }

  #file(cluster: ClusterView, gpu: number): void {
    const there = this.#onGpu.get(gpu) ?? [];
    const left = there.reduce((rest, { share }) => rest - share, 1);
    const isOpen = there.length > 0 && left > EPSILON;
    this.#levels[cluster.typeOf(gpu)]?.set(gpu, isOpen ? levelOf(left) : -1);
  }

  #takes(cluster: ClusterView, gpu: number, needGib: number): boolean {
    const there = this.#onGpu.get(gpu) ?? [];
    const left = there.reduce((rest, { share }) => rest - share, 1);
    const clients = cluster.types[cluster.typeOf(gpu)]?.mpsClientLimit ?? 1;
    return (
      left >= this.#options.startShare - EPSILON &&
      there.length < clients &&
      cluster.freeMemoryGib(gpu) >= needGib - EPSILON &&
      cluster.isAvailable(gpu)
    );
  }
}

function levelOf(left: number): number {
  return Math.max(0, Math.floor((left + EPSILON) * LEVELS));
}
