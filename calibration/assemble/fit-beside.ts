import type { InterferenceModel, PairMeasurement } from '../../sim/gpu/profile.ts';
import { mean } from '../fit/errors.ts';
import { fitInterference } from '../fit/interference.ts';
import { groups } from '../shipped/sweeps.ts';
import type { BesideObservation } from './observations.ts';

/** What measurements side by side say on one GPU type. */
export interface FittedCompany {
  readonly pairs: readonly PairMeasurement[];
  readonly interference: ReadonlyMap<string, InterferenceModel>;
  /** Mean error of the speeds that the interference terms give; null without any. */
  readonly interferenceMape: number | null;
  readonly unused: Readonly<Record<string, number>>;
}

/**
 * Pairs without limits become measured pairs (the mean where a side was measured more than once);
 * pairs under MPS shares are fitted as sensitivity times aggressiveness.
 *
 * @param known names of the workloads that have a profile
 */
export function fitCompany(
  all: readonly BesideObservation[],
  known: ReadonlySet<string>,
): FittedCompany {
  const unused: Record<string, number> = {};
  const skip = (reason: string, count = 1): void => {
    unused[reason] = (unused[reason] ?? 0) + count;
  };
  const beside = all.filter(({ name, other }) => {
    if (known.has(name) && known.has(other)) return true;
    skip('beside another job, of a workload that was not measured alone');
    return false;
  });
  const pairs = groups(
    beside.filter(({ limited }) => !limited),
    ({ gpuType, name, other }) => JSON.stringify([gpuType, ...[name, other].sort()]),
  ).flatMap(([, sides]): PairMeasurement[] => {
    const [first] = sides;
    if (first === undefined) return [];
    const { gpuType, name, other, source } = first;
    const speedOf = (me: string): number | null => {
      const speeds = sides.filter((side) => side.name === me);
      return speeds.length === 0 ? null : mean(speeds.map((side) => side.relativeSpeed));
    };
    const [a, b] = [speedOf(name), speedOf(other)];
    if (a === null || b === null) {
      skip('one side of a pair only', sides.length);
      return [];
    }
    return [{ gpuType, workloads: [name, other], speeds: [a, b], source }];
  });
  const limited = beside.filter((side) => side.limited);
  const terms = fitInterference(
    limited.map(({ name, other, relativeSpeed }) => ({
      workload: name,
      other,
      extra: Math.max(0, 1 / relativeSpeed - 1),
    })),
  );
  const errors = limited.map(({ name, other, relativeSpeed }) => {
    const sensitivity = terms.get(name)?.sensitivity ?? 0;
    const aggressiveness = terms.get(other)?.aggressiveness ?? 0;
    return Math.abs(1 / (1 + sensitivity * aggressiveness) / relativeSpeed - 1);
  });
  return {
    pairs,
    interference: terms,
    interferenceMape: errors.length === 0 ? null : mean(errors),
    unused,
  };
}
