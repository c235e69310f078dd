import type { SharePowerPoint, ShareTime } from '../fit/share-workload.ts';
import type { Measurement } from '../measurement.ts';
import { groupBy } from './sweeps.ts';

/** Part of the highest clock below which the power limit is taken to have lowered it. */
const THROTTLED_BELOW = 0.99;

/** All that one source says of one workload alone under shares. */
export interface ShareSeries {
  readonly workload: string;
  readonly times: readonly ShareTime[];
}

/** Series of one GPU type from one source, which times them all in one way. */
export interface ShareGroup {
  readonly gpuType: string;
  readonly source: string;
  readonly series: readonly ShareSeries[];
}

/** Rows of one job alone under an MPS share. */
export function aloneUnderShare(row: Measurement): boolean {
  return row.sharing === 'mps' && row.coRunners.length === 0 && row.share !== null;
}

/** True where the clock that was read says that the power limit held the job back. */
export function isThrottled({ achievedMhz }: Measurement, referenceMhz: number): boolean {
  return achievedMhz !== null && achievedMhz < THROTTLED_BELOW * referenceMhz;
}

/** The highest clock read on a GPU type; 0 when none was. */
export function highestClockMhz(rows: readonly Measurement[]): number {
  return Math.max(0, ...rows.map(({ achievedMhz }) => achievedMhz ?? 0));
}

/** Step times alone under shares, by GPU type and source, at the full clock as far as that was read. */
export function shareGroups(rows: readonly Measurement[]): ShareGroup[] {
  const alone = rows.filter((row) => aloneUnderShare(row) && row.stepS !== null);
  const groups = groupBy(alone, ({ gpuType, source }) => JSON.stringify([gpuType, source]));
  return groups.map(([, group]) => {
    const referenceMhz = highestClockMhz(group);
    const { gpuType, source } = first(group);
    const free = group.filter((row) => !isThrottled(row, referenceMhz));
    const series = groupBy(free, ({ workload }) => workload).map(([workload, mine]) => ({
      workload,
      times: mine.map(({ batch, share, stepS }) => ({
        batch: batch ?? 1,
        share: share ?? 1,
        stepS: stepS ?? 0,
      })),
    }));
    return { gpuType, source, series };
  });
}

/** Power alone under shares by workload, at the full clock. */
export function sharePowers(
  rows: readonly Measurement[],
  gpuType: string,
): ReadonlyMap<string, readonly SharePowerPoint[]> {
  const mine = rows.filter((row) => row.gpuType === gpuType && aloneUnderShare(row));
  const referenceMhz = highestClockMhz(mine);
  const powered = mine.flatMap((row) => {
    const { workload, batch, share, powerW } = row;
    return batch === null || share === null || powerW === null || isThrottled(row, referenceMhz)
      ? []
      : [{ workload, point: { batch, share, powerW } }];
  });
  return new Map(
    groupBy(powered, ({ workload }) => workload).map(([workload, items]) => [
      workload,
      items.map(({ point }) => point),
    ]),
  );
}

/** The first of a group that cannot be empty. @throws {RangeError} when it is */
export function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new RangeError('expected a group, found none');
  return item;
}

/** The largest of the groups' series of each workload of a GPU type: sources time different things. */
export function largestSeries(
  groups: readonly ShareGroup[],
  gpuType: string,
): ReadonlyMap<string, ShareSeries> {
  const largest = new Map<string, ShareSeries>();
  for (const group of groups.filter((each) => each.gpuType === gpuType)) {
    for (const series of group.series) {
      const known = largest.get(series.workload);
      if (known === undefined || series.times.length > known.times.length) {
        largest.set(series.workload, series);
      }
    }
  }
  return largest;
}
