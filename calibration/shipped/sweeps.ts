import type { Measurement } from '../measurement.ts';

/** Power and normalised performance of one application over locked core clocks. */
export interface ClockSweep {
  readonly app: string;
  readonly clocksMhz: readonly number[];
  readonly powerW: readonly number[];
  /** Step time over the step time at the highest clock. */
  readonly timeRatio: readonly number[];
}

/** Step time and average power of one job over power caps on one GPU type, caps ascending. */
export interface CapSweep {
  readonly workload: string;
  readonly batchSize: number;
  readonly capsW: readonly number[];
  readonly stepS: readonly number[];
  readonly powerW: readonly number[];
}

/** The locked-clock sweeps of a table: rows with core clock, time and power, by workload. */
export function clockSweeps(rows: readonly Measurement[]): ClockSweep[] {
  return groups(rows, ({ workload }) => workload).map(([app, points]) => {
    const full = points.flatMap(({ coreMhz, stepS, powerW }) =>
      coreMhz === null || stepS === null || powerW === null ? [] : [{ coreMhz, stepS, powerW }],
    );
    full.sort((a, b) => a.coreMhz - b.coreMhz);
    return {
      app,
      clocksMhz: full.map(({ coreMhz }) => coreMhz),
      powerW: full.map(({ powerW }) => powerW),
      timeRatio: full.map(({ stepS }) => stepS),
    };
  });
}

/** The power-cap sweeps of a table: rows with cap, time and power, by workload and batch size. */
export function capSweeps(rows: readonly Measurement[]): CapSweep[] {
  return groups(rows, ({ workload, batch }) => `${workload}\t${batch}`).map(([, points]) => {
    const full = points.flatMap(({ powerCapW, stepS, powerW }) =>
      powerCapW === null || stepS === null || powerW === null
        ? []
        : [{ capW: powerCapW, stepS, powerW }],
    );
    full.sort((a, b) => a.capW - b.capW);
    return {
      workload: points[0]?.workload ?? '',
      batchSize: points[0]?.batch ?? 1,
      capsW: full.map(({ capW }) => capW),
      stepS: full.map(({ stepS }) => stepS),
      powerW: full.map(({ powerW }) => powerW),
    };
  });
}

/** Items by key, in the order of the first of each. */
export function groups<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): [key: string, items: T[]][] {
  const byKey = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [item]);
    else group.push(item);
  }
  return [...byKey];
}
