import type { Predictor } from '../predictor.ts';
import { slowdowns } from '../sharing/tenants.ts';

/** Companies whose measurement is remembered. */
const KEPT = 50_000;

/** A resident of a GPU with its share. */
export interface Slice {
  readonly workload: string;
  readonly share: number;
}

/**
 * Stands in for a measurement: what the predictor says of the residents under their shares. Equal companies
 * are measured once.
 */
export class Measured {
  readonly #predictor: Predictor;
  readonly #known = new Map<string, readonly number[]>();

  constructor(predictor: Predictor) {
    this.#predictor = predictor;
  }

  /** Step time of one of the residents over that alone on the whole GPU at full clock. */
  slowdown(type: number, residents: readonly Slice[], one: Slice): number {
    const sorted = [...residents].sort(
      (a, b) =>
        Number(a.workload > b.workload) - Number(a.workload < b.workload) || a.share - b.share,
    );
    const workloads = sorted.map(({ workload }) => workload);
    const shares = sorted.map(({ share }) => share);
    const key = JSON.stringify([type, workloads, shares]);
    let found = this.#known.get(key);
    if (found === undefined) {
      if (this.#known.size >= KEPT) this.#known.clear();
      found = slowdowns(this.#predictor, type, workloads, shares);
      this.#known.set(key, found);
    }
    return found[sorted.indexOf(one)] as number;
  }
}
