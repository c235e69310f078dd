import type { Predictor } from '../predictor.ts';
import type { Company, Verdict } from '../sharing/tenant-seats.ts';
import { breaks, slowdowns, type Tenant } from '../sharing/tenants.ts';

/** What joining a company takes; the cost is the growth of the sum of all shares, in units. */
export interface Provision extends Verdict {
  /** Units of the newcomer, and of the members in their order. */
  readonly newcomer: number;
  readonly members: readonly number[];
}

const IMPOSSIBLE: Provision = { cost: Infinity, newcomer: 0, members: [] };

export interface ProvisionerOptions {
  readonly predictor: Predictor;
  /** Units that make the whole GPU. */
  readonly wholeUnits: number;
  /** Whether the shares of those that run already may be raised. */
  readonly raisesMembers: boolean;
}

/**
 * The shares that iGniter gives (its algorithms 1 and 2), in units: the least with which a job keeps its
 * objective alone, and in company as much more as it takes.
 */
export class Provisioner {
  readonly #options: ProvisionerOptions;
  /** By type and tenant. */
  readonly #least: (number | undefined)[][];

  constructor(options: ProvisionerOptions) {
    this.#options = options;
    this.#least = options.predictor.types.map(() => []);
  }

  /** Fewest units with which a tenant keeps its objective alone; the whole GPU where none suffices. */
  least(type: number, tenant: Tenant): number {
    const known = this.#least[type] as (number | undefined)[];
    let units = known[tenant.id];
    if (units === undefined) {
      units = 1;
      while (units < this.#options.wholeUnits && this.#isLate(type, [tenant], [units])[0]) {
        units += 1;
      }
      known[tenant.id] = units;
    }
    return units;
  }

  /**
   * The newcomer joins with its least share; then, while somebody is predicted to break an objective,
   * those that do get one unit more. Impossible where that takes more than the GPU, or where a member
   * is late whose share may not be raised.
   */
  join({ type, members, used }: Company, newcomer: Tenant): Provision {
    const { wholeUnits, raisesMembers } = this.#options;
    const tenants = [...members.map(({ tenant }) => tenant), newcomer];
    const units = [...members.map(({ steps }) => steps), this.least(type, newcomer)];
    for (;;) {
      const sum = total(units);
      if (sum > wholeUnits) return IMPOSSIBLE;
      const isLate = this.#isLate(type, tenants, units);
      if (!isLate.includes(true)) {
        const newcomerUnits = units.pop() as number;
        return { cost: sum - used, newcomer: newcomerUnits, members: units };
      }
      if (!raisesMembers && isLate.slice(0, -1).includes(true)) return IMPOSSIBLE;
      for (const [i, late] of isLate.entries()) if (late) units[i] = (units[i] as number) + 1;
    }
  }

  #isLate(type: number, tenants: readonly Tenant[], units: readonly number[]): boolean[] {
    const { predictor, wholeUnits } = this.#options;
    const workloads = tenants.map(({ workload }) => workload);
    const shares = units.map((count) => count / wholeUnits);
    const found = slowdowns(predictor, type, workloads, shares);
    return tenants.map(({ objective }, i) => breaks(found[i] as number, objective));
  }
}

function total(units: readonly number[]): number {
  return units.reduce((sum, count) => sum + count, 0);
}
