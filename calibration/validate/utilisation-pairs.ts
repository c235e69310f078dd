import type { GpuType } from '../../sim/gpu/profile.ts';
import type { SoloUtilisation, UtilisationSpeed } from '../fit/utilisation-speed.ts';
import type { Measurement } from '../measurement.ts';
import { isPlainPair } from './pair-throughput.ts';
import { plainGpu } from './plain-gpu.ts';
import { groupBy } from './sweeps.ts';

/** Two jobs side by side, of both of which the utilisations alone are known. */
export interface KnownPair {
  /** Model names without data set, precision and batch: what is held out. */
  readonly models: readonly [string, string];
  readonly jobs: readonly [SoloUtilisation, SoloUtilisation];
  readonly speeds: readonly [number, number];
}

/** Pairs of one GPU type from one source. */
export interface KnownPairs {
  readonly gpuType: string;
  readonly source: string;
  readonly type: GpuType;
  readonly pairs: readonly KnownPair[];
  /** Sides that were left out: the partner's is missing, or a job was not measured alone. */
  readonly lost: number;
}

/** The pairs of a table whose jobs were measured alone, with GPU and memory utilisation. */
export function knownPairs(rows: readonly Measurement[]): KnownPairs[] {
  const alone = aloneUtilisations(rows);
  return groupBy(rows.filter(isPlainPair), ({ gpuType, source }) =>
    JSON.stringify([gpuType, source]),
  ).flatMap(([, group]) => {
    const [head] = group;
    if (head === undefined) return [];
    const { gpuType, source } = head;
    const pairs = sidesByPair(group).flatMap(([a, b]): KnownPair[] => {
      const mine = alone.get(jobKey(gpuType, a));
      const others = alone.get(jobKey(gpuType, b));
      if (mine === undefined || others === undefined) return [];
      if (a.relativeSpeed === null || b.relativeSpeed === null) return [];
      return [
        {
          models: [modelOf(a.workload), modelOf(b.workload)],
          jobs: [mine, others],
          speeds: [a.relativeSpeed, b.relativeSpeed],
        },
      ];
    });
    if (pairs.length === 0) return [];
    const lost = group.length - 2 * pairs.length;
    return [{ gpuType, source, type: plainGpu(gpuType), pairs, lost }];
  });
}

/** Both sides of each pair, as a predictor of one side takes them. */
export function sidesOf({ jobs, speeds }: KnownPair): [UtilisationSpeed, UtilisationSpeed] {
  return [
    { me: jobs[0], other: jobs[1], speed: speeds[0] },
    { me: jobs[1], other: jobs[0], speed: speeds[1] },
  ];
}

/** `ResNet18/CIFAR-10/amp` is a ResNet18. */
export function modelOf(workload: string): string {
  return workload.split('/')[0] ?? workload;
}

/** The two rows of each measurement of a pair: the same place in the file, but for the side. */
function sidesByPair(rows: readonly Measurement[]): [Measurement, Measurement][] {
  return groupBy(rows, ({ row }) => row.replace(/\/[12]$/, '')).flatMap(([, sides]) => {
    const [a, b] = sides;
    return a === undefined || b === undefined ? [] : [[a, b] as [Measurement, Measurement]];
  });
}

function aloneUtilisations(rows: readonly Measurement[]): ReadonlyMap<string, SoloUtilisation> {
  return new Map(
    rows.flatMap((row): [string, SoloUtilisation][] => {
      const { coRunners, share, utilisation, bandwidth } = row;
      if (coRunners.length > 0 || (share ?? 1) < 1 || utilisation === null) return [];
      return [[jobKey(row.gpuType, row), { utilisation, bandwidth: bandwidth ?? 0 }]];
    }),
  );
}

function jobKey(
  gpuType: string,
  { workload, batch }: { workload: string; batch: number | null },
): string {
  return JSON.stringify([gpuType, workload, batch]);
}
