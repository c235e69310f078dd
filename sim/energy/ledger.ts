import type { Cluster } from '../cluster/cluster.ts';

/** Who pays for the part of a GPU's power that no job is charged for. */
export const CATEGORY = { idle: 0, contextIdle: 1, transition: 2 } as const;
export type Category = (typeof CATEGORY)[keyof typeof CATEGORY];

/** Energies so far, in joules. */
export interface LedgerTotals {
  /** Integral of the power of all GPUs. */
  readonly gpuJ: number;
  readonly idleJ: number;
  readonly contextIdleJ: number;
  readonly transitionJ: number;
  readonly hostJ: number;
  /** GPU time with at least one job making progress. */
  readonly busyGpuS: number;
}

/**
 * The energy of every GPU, integrated exactly: power is constant between changes, so each interval
 * is closed before the change. What jobs are charged is booked on the job's side, independently, and
 * the two are compared at the end of every run.
 */
export class Ledger {
  readonly #sinceS: Float64Array;
  readonly #powerW: Float64Array;
  readonly #unchargedW: Float64Array;
  readonly #category: Uint8Array;
  readonly #busy: Uint8Array;
  /** Integral of each GPU's power up to its last change. */
  readonly energyJ: Float64Array;
  readonly #byCategoryJ = new Float64Array(3);
  #busyGpuS = 0;
  readonly #hostPowerW: number;
  #hostsOn: number;
  #hostSinceS: number;
  #hostJ = 0;
  /** Instant of the last mark; Infinity without one, or once its totals are kept. */
  #markS = Infinity;
  #kept: LedgerTotals | null = null;

  constructor(cluster: Cluster, hostPowerW: number, startS: number) {
    const n = cluster.gpuCount;
    this.#sinceS = new Float64Array(n).fill(startS);
    this.#powerW = new Float64Array(n);
    this.#unchargedW = new Float64Array(n);
    this.#category = new Uint8Array(n);
    this.#busy = new Uint8Array(n);
    this.energyJ = new Float64Array(n);
    this.#hostPowerW = hostPowerW;
    this.#hostsOn = cluster.nodeCount;
    this.#hostSinceS = startS;
  }

  powerW(gpu: number): number {
    return this.#powerW[gpu] as number;
  }

  sinceS(gpu: number): number {
    return this.#sinceS[gpu] as number;
  }

  /**
   * The power of a GPU from now on.
   * @param unchargedW the part that no running job pays, booked under `category`
   * @param busy whether a job makes progress on it
   */
  set(
    gpu: number,
    nowS: number,
    powerW: number,
    unchargedW: number,
    category: Category,
    busy: boolean,
  ): void {
    this.close(gpu, nowS);
    this.#powerW[gpu] = powerW;
    this.#unchargedW[gpu] = unchargedW;
    this.#category[gpu] = category;
    this.#busy[gpu] = busy ? 1 : 0;
  }

  /** Books the interval up to now. */
  close(gpu: number, nowS: number): void {
    const elapsedS = nowS - (this.#sinceS[gpu] as number);
    if (elapsedS <= 0) return;
    if (nowS > this.#markS) this.#keep();
    this.#sinceS[gpu] = nowS;
    this.energyJ[gpu] = (this.energyJ[gpu] as number) + elapsedS * (this.#powerW[gpu] as number);
    const category = this.#category[gpu] as number;
    this.#byCategoryJ[category] =
      (this.#byCategoryJ[category] as number) + elapsedS * (this.#unchargedW[gpu] as number);
    if (this.#busy[gpu] === 1) this.#busyGpuS += elapsedS;
  }

  /** Nodes that are on change by `change`. */
  hostsChanged(nowS: number, change: number): void {
    if (nowS > this.#markS) this.#keep();
    this.#hostJ += (nowS - this.#hostSinceS) * this.#hostsOn * this.#hostPowerW;
    this.#hostSinceS = nowS;
    this.#hostsOn += change;
  }

  /** The totals of this instant will be wanted later, whatever is booked meanwhile ({@link marked}). */
  mark(nowS: number): void {
    this.#markS = nowS;
    this.#kept = null;
  }

  /** The totals of the last mark are not wanted any more. */
  unmark(): void {
    this.#markS = Infinity;
    this.#kept = null;
  }

  get isMarked(): boolean {
    return this.#markS < Infinity || this.#kept !== null;
  }

  /** Totals at the last mark. @throws {RangeError} without one */
  marked(): LedgerTotals {
    if (this.#markS < Infinity) this.#keep();
    if (this.#kept === null) throw new RangeError('the ledger has no mark');
    return this.#kept;
  }

  /** Nothing was booked since the mark: adds up to it, before something is. */
  #keep(): void {
    const markS = this.#markS;
    let gpuJ = 0;
    let busyGpuS = this.#busyGpuS;
    const byCategoryJ = Float64Array.from(this.#byCategoryJ);
    for (let gpu = 0; gpu < this.energyJ.length; gpu += 1) {
      const elapsedS = markS - (this.#sinceS[gpu] as number);
      gpuJ += (this.energyJ[gpu] as number) + elapsedS * (this.#powerW[gpu] as number);
      const category = this.#category[gpu] as number;
      byCategoryJ[category] =
        (byCategoryJ[category] as number) + elapsedS * (this.#unchargedW[gpu] as number);
      if (this.#busy[gpu] === 1) busyGpuS += elapsedS;
    }
    const hostJ = this.#hostJ + (markS - this.#hostSinceS) * this.#hostsOn * this.#hostPowerW;
    this.#kept = totalsOf(gpuJ, byCategoryJ, hostJ, busyGpuS);
    this.#markS = Infinity;
  }

  /** Closes all intervals and adds up. */
  totals(nowS: number): LedgerTotals {
    let gpuJ = 0;
    for (let gpu = 0; gpu < this.energyJ.length; gpu += 1) {
      this.close(gpu, nowS);
      gpuJ += this.energyJ[gpu] as number;
    }
    this.hostsChanged(nowS, 0);
    return totalsOf(gpuJ, this.#byCategoryJ, this.#hostJ, this.#busyGpuS);
  }
}

function totalsOf(
  gpuJ: number,
  byCategoryJ: Float64Array,
  hostJ: number,
  busyGpuS: number,
): LedgerTotals {
  return {
    gpuJ,
    idleJ: byCategoryJ[CATEGORY.idle] as number,
    contextIdleJ: byCategoryJ[CATEGORY.contextIdle] as number,
    transitionJ: byCategoryJ[CATEGORY.transition] as number,
    hostJ,
    busyGpuS,
  };
}
