import type { PairMeasurement } from '../../sim/gpu/profile.ts';
import type { SimilarJobFacts } from '../facts/similar-jobs.ts';
import { mean } from '../fit/errors.ts';
import type { Measurement } from '../measurement.ts';
import type { ShippedWorkload } from './profile.ts';
import { groups } from './sweeps.ts';

/** How the Gavel set is named in provenance. */
export const GAVEL_SOURCE =
  'Gavel throughputs (github.com/stanford-futuredata/gavel, commit c4fa400, MIT)';

/** Note on what the pairs are. */
const PAIR_NOTE = 'whole GPU shared without thread limits, both speeds over those alone';

/**
 * Measured pairs of the Gavel jobs on the GPU types on which both have a profile: the mean where a
 * side was measured more than once.
 */
export function gavelPairs(
  rows: readonly Measurement[],
  jobs: readonly SimilarJobFacts[],
  workloads: readonly ShippedWorkload[],
): PairMeasurement[] {
  const nameOf = (model: string, batch: number | null): string | null =>
    jobs.find((job) => job.model === model && job.batchSize === batch)?.name ?? null;
  const runsOn = (name: string, gpuType: string): boolean =>
    workloads.some((workload) => workload.name === name && gpuType in workload.onGpu);
  const sides = rows.flatMap(({ gpuType, workload, batch, coRunners, relativeSpeed }) => {
    const [other] = coRunners;
    if (other === undefined || relativeSpeed === null || relativeSpeed <= 0) return [];
    const me = nameOf(workload, batch);
    const it = nameOf(other.workload, other.batch);
    if (me === null || it === null || !runsOn(me, gpuType) || !runsOn(it, gpuType)) return [];
    return [{ gpuType, me, it, relativeSpeed }];
  });
  return groups(sides, ({ gpuType, me, it }) =>
    JSON.stringify([gpuType, ...[me, it].sort()]),
  ).flatMap(([, both]): PairMeasurement[] => {
    const [first] = both;
    if (first === undefined) return [];
    const speedsOf = (name: string): number[] =>
      both.filter(({ me }) => me === name).map(({ relativeSpeed }) => relativeSpeed);
    const [a, b] = [speedsOf(first.me), speedsOf(first.it)];
    if (a.length === 0 || b.length === 0) return [];
    return [
      {
        gpuType: first.gpuType,
        workloads: [first.me, first.it],
        speeds: [mean(a), mean(b)],
        source: `${GAVEL_SOURCE}: ${PAIR_NOTE}`,
      },
    ];
  });
}
