import type { Measurement, MeasurementTable } from '../measurement.ts';

/** One workload alone on a GPU type, over locked core and memory clocks at its highest share. */
export interface ClockSweep {
  readonly gpuType: string;
  readonly source: string;
  readonly workload: string;
  readonly points: readonly ClockPoint[];
}

export interface ClockPoint {
  readonly coreMhz: number;
  /** 0 where the set does not say; then it did not change. */
  readonly memoryMhz: number;
  readonly stepS: number;
  readonly powerW: number;
}

/** One workload alone on a GPU type, over power caps, ascending. */
export interface CapSweep {
  readonly gpuType: string;
  readonly source: string;
  readonly workload: string;
  readonly batch: number | null;
  readonly capsW: readonly number[];
  readonly timeS: readonly number[];
  readonly powerW: readonly number[];
}

/** Sweeps of one GPU type from one source. */
export interface SweepGroup<Sweep> {
  readonly gpuType: string;
  readonly source: string;
  readonly sweeps: readonly Sweep[];
}

/**
 * Locked-clock sweeps of a table, clocks ascending: rows of one job alone on one GPU, without share and
 * cap, with time and power. A setting that was measured more than once counts once, with its means.
 */
export function clockSweeps({ rows }: MeasurementTable): SweepGroup<ClockSweep>[] {
  const usable = rows.flatMap((row) => {
    const stepS = timeOf(row);
    const { coreMhz, powerCapW, powerW } = row;
    return !isAlone(row) || coreMhz === null || powerCapW !== null || powerW === null || !stepS
      ? []
      : [{ row, point: { coreMhz, memoryMhz: row.memoryMhz ?? 0, stepS, powerW } }];
  });
  const sweeps = groupBy(usable, ({ row }) => jobKey(row)).map(([, items]): ClockSweep => {
    const first = firstOf(items).row;
    const points = groupBy(items, ({ point }) => `${point.coreMhz} ${point.memoryMhz}`).map(
      ([, same]) => {
        const { coreMhz, memoryMhz } = firstOf(same).point;
        return {
          coreMhz,
          memoryMhz,
          stepS: meanOf(same.map(({ point }) => point.stepS)),
          powerW: meanOf(same.map(({ point }) => point.powerW)),
        };
      },
    );
    points.sort((a, b) => a.coreMhz - b.coreMhz || a.memoryMhz - b.memoryMhz);
    return { gpuType: first.gpuType, source: first.source, workload: nameOf(first), points };
  });
  return bySource(sweeps);
}

/** Power-cap sweeps of a table: rows of one job alone on one GPU under a cap, with time and power. */
export function capSweeps({ rows }: MeasurementTable): SweepGroup<CapSweep>[] {
  const usable = rows.flatMap((row) => {
    const timeS = timeOf(row);
    const { powerCapW, powerW } = row;
    return !isAlone(row) || powerCapW === null || row.coreMhz !== null || powerW === null || !timeS
      ? []
      : [{ row, powerCapW, powerW, timeS }];
  });
  const sweeps = groupBy(usable, ({ row }) => jobKey(row)).map(([, items]): CapSweep => {
    const first = firstOf(items).row;
    const caps = groupBy(items, ({ powerCapW }) => String(powerCapW)).map(([, same]) => ({
      capW: firstOf(same).powerCapW,
      timeS: meanOf(same.map((item) => item.timeS)),
      powerW: meanOf(same.map((item) => item.powerW)),
    }));
    caps.sort((a, b) => a.capW - b.capW);
    return {
      gpuType: first.gpuType,
      source: first.source,
      workload: nameOf(first),
      batch: first.batch,
      capsW: caps.map(({ capW }) => capW),
      timeS: caps.map((cap) => cap.timeS),
      powerW: caps.map((cap) => cap.powerW),
    };
  });
  return bySource(sweeps);
}

/** Items by key, in the order of the first of each. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const group = byKey.get(keyOf(item));
    if (group === undefined) byKey.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...byKey];
}

/** The items with an even (0) or odd (1) index. */
export function everySecond<T>(items: readonly T[], parity: 0 | 1): T[] {
  return items.filter((_, i) => i % 2 === parity);
}

function bySource<Sweep extends { gpuType: string; source: string }>(
  sweeps: readonly Sweep[],
): SweepGroup<Sweep>[] {
  return groupBy(sweeps, ({ gpuType, source }) => JSON.stringify([gpuType, source])).map(
    ([, group]) => {
      const { gpuType, source } = firstOf(group);
      return { gpuType, source, sweeps: group };
    },
  );
}

function isAlone({ coRunners, share, gpus }: Measurement): boolean {
  return coRunners.length === 0 && (share === null || share === 1) && (gpus ?? 1) === 1;
}

function timeOf({ stepS, throughput }: Measurement): number | null {
  return stepS ?? (throughput === null || throughput === 0 ? null : 1 / throughput);
}

function jobKey({ gpuType, source, workload, batch }: Measurement): string {
  return JSON.stringify([gpuType, source, workload, batch]);
}

function nameOf({ workload, batch }: Measurement): string {
  return batch === null ? workload : `${workload} b${batch}`;
}

function firstOf<T>(items: readonly T[]): T {
  const [first] = items;
  if (first === undefined) throw new RangeError('expected a group, found none');
  return first;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
