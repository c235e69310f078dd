import type { Resident } from '../../sim/gpu/evaluate.ts';
import { busyPart, soloStepS } from '../../sim/gpu/evaluate.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Predictor } from '../predictor.ts';
import type { Sharing } from './sharing.ts';

const EPSILON_GIB = 1e-9;

export interface BoundedCompanyOptions {
  readonly predictor: Predictor;
  readonly mode: 'time-slice' | 'mps';
  readonly maxPerGpu: number;
  /** Largest sum of the parts of time for which residents keep a GPU busy alone. */
  readonly maxUtilisation: number;
  /** Largest predicted step time of each resident over that alone, at the reference clock. */
  readonly maxSlowdown: number;
}

/**
 * A job of one GPU joins the busiest GPU in use on which the predicted slowdown of all residents stays
 * within the bound, their utilisations sum to no more than a limit, and memory is left. GPUs with equal
 * residents are judged once, so a seat costs as much as there are kinds of company.
 */
export function boundedCompany(options: BoundedCompanyOptions): Sharing {
  const { predictor, mode, maxPerGpu } = options;
  /** By the residents and the newcomer: utilisation together, or Infinity where it may not join. */
  const verdicts = new Map<string, number>();

  function judge(type: number, workloads: readonly string[], newcomer: JobView): number {
    const bound = Math.min(options.maxSlowdown, newcomer.maxSlowdown ?? Infinity);
    const key = `${type} ${bound} ${workloads.join(' ')} + ${newcomer.workload}`;
    let verdict = verdicts.get(key);
    if (verdict === undefined) {
      verdict = utilisationWithin(type, [...workloads, newcomer.workload], bound);
      verdicts.set(key, verdict);
    }
    return verdict;
  }

  function utilisationWithin(type: number, workloads: readonly string[], bound: number): number {
    const residents: Resident[] = [];
    let utilisation = 0;
    for (const workload of workloads) {
      const profile = predictor.profile(workload, type);
      if (profile === null) return Infinity;
      residents.push({ profile, share: 1 });
      utilisation += busyPart(profile, 1);
    }
    if (utilisation > options.maxUtilisation + 1e-9) return Infinity;
    const { stepS } = predictor.evaluate(type, residents, { mode });
    const within = residents.every(
      ({ profile }, i) => (stepS[i] as number) <= soloStepS(profile) * bound * (1 + 1e-9),
    );
    return within ? utilisation : Infinity;
  }

  return {
    name: 'bounded-company',
    mode,
    packs: true,
    likeness: 'objective',
    startShare: () => 1,
    seat(view: View, job: JobView): number {
      if (job.gpuCount > 1) return -1;
      const { cluster } = view;
      let best = -1;
      let most = -1;
      for (const { type, residents, gpus } of cluster.classes()) {
        if (residents.length === 0 || residents.length >= maxPerGpu) continue;
        if (!job.types.includes(type)) continue;
        const first = gpus.first();
        const jobs = (cluster.residents[first] as readonly number[]).map((one) => view.job(one));
        if (jobs.some((one) => one.gpuCount > 1)) continue;
        const utilisation = judge(type, jobs.map((one) => one.workload).sort(), job);
        if (utilisation === Infinity || utilisation < most) continue;
        const needGib = job.memoryGib(type);
        for (let gpu = first; gpu >= 0; gpu = gpus.next(gpu)) {
          if (cluster.freeMemoryGib(gpu) + EPSILON_GIB < needGib) continue;
          if (utilisation > most || gpu < best) best = gpu;
          most = utilisation;
          break;
        }
      }
      return best;
    },
    started: () => undefined,
    left: () => undefined,
  };
}
