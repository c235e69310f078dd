import type { ClusterView } from '../../sim/cluster/cluster.ts';
import { GpuLevels } from './gpu-levels.ts';

/** Slack for sums of utilisations and memories. */
const EPSILON = 1e-9;
/** Levels of utilisation, 0 .. 1; within one, GPUs are equally loaded. */
const LEVELS = 1000;

/**
 * GPUs of one type by their utilisation, with counts of how much memory they have free, so that a search
 * that must fail looks at none.
 */
export class LoadedGpus {
  readonly #byLoad: GpuLevels;
  /** By GPU: whole GiB free, or -1 when it is not filed; and how many GPUs have so many. */
  readonly #freeGib: Int32Array;
  readonly #counts: number[] = [];

  constructor(gpuCount: number) {
    this.#byLoad = new GpuLevels(gpuCount);
    this.#freeGib = new Int32Array(gpuCount).fill(-1);
  }

  /** Files a GPU under its utilisation, or takes it out with null. */
  set(gpu: number, utilisation: number | null, freeGib: number): void {
    const level = utilisation === null ? -1 : Math.floor((utilisation + EPSILON) * LEVELS);
    this.#byLoad.set(gpu, level);
    const whole = utilisation === null ? -1 : wholeGib(freeGib);
    const before = this.#freeGib[gpu] as number;
    if (before === whole) return;
    if (before >= 0) this.#counts[before] = (this.#counts[before] as number) - 1;
    if (whole >= 0) this.#counts[whole] = (this.#counts[whole] ?? 0) + 1;
    this.#freeGib[gpu] = whole;
  }

  /** The `count` GPUs of least utilisation that have this memory free, or null when there are fewer. */
  lightest(cluster: ClusterView, count: number, needGib: number): readonly number[] | null {
    if (this.#mostWith(needGib) < count) return null;
    const found = this.#byLoad.collect(
      count,
      (gpu) => cluster.freeMemoryGib(gpu) >= needGib - EPSILON && cluster.isAvailable(gpu),
    );
    return found.length < count ? null : found;
  }

  /** GPUs that may have this memory free: those with no less whole GiB. */
  #mostWith(needGib: number): number {
    let most = 0;
    for (let gib = wholeGib(needGib - 2 * EPSILON); gib < this.#counts.length; gib += 1) {
      most += this.#counts[gib] ?? 0;
    }
    return most;
  }
}

function wholeGib(gib: number): number {
  return Math.max(0, Math.floor(gib + EPSILON));
}
