import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { PolicyOption } from '../policy.ts';
import type { Predictor } from '../predictor.ts';

/** Option of the policies that keep an objective on speed. */
export const SLO_OPTION: PolicyOption = {
  name: 'slo',
  default: 1.5,
  min: 1,
  max: 100,
  description:
    'objective of jobs that state no slowdown bound: largest step time over that alone at full clock on the same gpu; the required speed is 1 / slo of the speed alone',
  source:
    'assumed, as much as HeShare allows; the papers have latencies and request rates of services',
};

/** Slack of an objective, as a part of it. */
const SLACK = 1e-9;
/** Objectives are told apart in steps of 1 %, and wider ones above 2, rounded down. */
const OBJECTIVE_STEP = 0.01;

/** What jobs have in common that need the same share in the same company. */
export interface Tenant {
  /** In order of first appearance. */
  readonly id: number;
  readonly workload: string;
  /** Largest step time over that alone on the whole GPU at full clock, >= 1. */
  readonly objective: number;
  /** Whether the job states its objective. */
  readonly isStated: boolean;
}

/** Tells what a job is as a tenant of a shared GPU. */
export class Tenants {
  readonly #slo: number;
  readonly #known = new Map<string, Tenant>();

  /** @param slo objective of jobs that state none */
  constructor(slo: number) {
    this.#slo = slo;
  }

  of({ workload, maxSlowdown }: JobView): Tenant {
    const objective = onGrid(maxSlowdown ?? this.#slo);
    const isStated = maxSlowdown !== null;
    const key = `${objective} ${isStated} ${workload}`;
    let tenant = this.#known.get(key);
    if (tenant === undefined) {
      tenant = { id: this.#known.size, workload, objective, isStated };
      this.#known.set(key, tenant);
    }
    return tenant;
  }
}

/** Rounded down, so that what keeps the rounded objective keeps the stated one. */
function onGrid(objective: number): number {
  const step = OBJECTIVE_STEP * 2 ** Math.floor(Math.log2(objective));
  return Math.max(1, Math.floor(objective / step + 1e-6) * step);
}

/** Whether a slowdown breaks a bound. */
export function breaks(slowdown: number, bound: number): boolean {
  return slowdown > bound * (1 + SLACK);
}

/**
 * Predicted step times under MPS with these shares, each over that alone on the whole GPU at full clock;
 * in the order of the workloads, which all run on the type.
 */
export function slowdowns(
  predictor: Predictor,
  type: number,
  workloads: readonly string[],
  shares: readonly number[],
): number[] {
  const residents = workloads.map((workload, i) => ({
    profile: predictor.profile(workload, type) as WorkloadProfile,
    share: shares[i] as number,
  }));
  const { stepS } = predictor.evaluate(type, residents);
  return residents.map(({ profile }, i) => (stepS[i] as number) / soloStepS(profile));
}
