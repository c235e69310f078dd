import type { Predictor } from '../predictor.ts';
import { breaks, slowdowns, type Tenant } from '../sharing/tenants.ts';

/** Curvature below which three points are on a line. */
const STRAIGHT = 1e-9;

export interface SizesOptions {
  readonly predictor: Predictor;
  /** Shares offered, in percent, ascending, the last of them 100. */
  readonly percents: readonly number[];
  /** Predicted step times are taken times this. */
  readonly latencyRatio: number;
}

interface Sized {
  readonly percent: number;
  /** Largest slowdown that is allowed in company. */
  readonly allowed: number;
}

/** Sizes of gpu-lets that suit tenants, each worked out once. */
export class GpuletSizes {
  readonly #options: SizesOptions;
  /** By type and tenant. */
  readonly #known: (Sized | undefined)[][];

  constructor(options: SizesOptions) {
    this.#options = options;
    this.#known = options.predictor.types.map(() => []);
  }

  /**
   * The smaller of the knee of the speed over the share and the least share that keeps the objective. A
   * job cannot be spread over several gpu-lets, as what a knee leaves of a request rate is: one that states
   * an objective gets at least what keeps it. 100 % where nothing does.
   */
  ideal(type: number, tenant: Tenant): number {
    return this.#of(type, tenant).percent;
  }

  /** Whether two tenants keep what they may expect, on gpu-lets of one GPU of these sizes. */
  getOn(
    type: number,
    tenants: readonly [Tenant, Tenant],
    percents: readonly [number, number],
  ): boolean {
    const workloads = tenants.map(({ workload }) => workload);
    const shares = percents.map((percent) => percent / 100);
    const found = slowdowns(this.#options.predictor, type, workloads, shares);
    return tenants.every(
      (tenant, i) => !breaks(found[i] as number, this.#of(type, tenant).allowed),
    );
  }

  #of(type: number, tenant: Tenant): Sized {
    const known = this.#known[type] as (Sized | undefined)[];
    known[tenant.id] ??= this.#size(type, tenant);
    return known[tenant.id] as Sized;
  }

  #size(type: number, { workload, objective, isStated }: Tenant): Sized {
    const { predictor, percents, latencyRatio } = this.#options;
    const alone = percents.map(
      (percent) => slowdowns(predictor, type, [workload], [percent / 100])[0] as number,
    );
    const allowed = objective / latencyRatio;
    const kept = alone.findIndex((slowdown) => !breaks(slowdown, allowed));
    const required = kept < 0 ? alone.length - 1 : kept;
    const knee = kneeOf(
      percents.map((percent) => percent / 100),
      alone.map((slowdown) => 1 / slowdown),
    );
    if (isStated || required <= knee) return { percent: percents[required] as number, allowed };
    // What it expects is the speed that it has alone there, and company costs no more than the ratio.
    return { percent: percents[knee] as number, allowed: (alone[knee] as number) * latencyRatio };
  }
}

/**
 * Where a curve bends most: the inner point through which, with its neighbours, goes the smallest circle (the
 * first of equals); the last point of a line.
 */
export function kneeOf(x: readonly number[], y: readonly number[]): number {
  let knee = x.length - 1;
  let largest = STRAIGHT;
  for (let i = 1; i + 1 < x.length; i += 1) {
    const [ax, ay] = [
      (x[i] as number) - (x[i - 1] as number),
      (y[i] as number) - (y[i - 1] as number),
    ];
    const [bx, by] = [
      (x[i + 1] as number) - (x[i] as number),
      (y[i + 1] as number) - (y[i] as number),
    ];
    const sides = Math.hypot(ax, ay) * Math.hypot(bx, by) * Math.hypot(ax + bx, ay + by);
    // Twice the area of the triangle, which is positive where the curve flattens.
    const curvature = (2 * (ay * bx - ax * by)) / sides;
    if (curvature <= largest) continue;
    largest = curvature;
    knee = i;
  }
  return knee;
}
