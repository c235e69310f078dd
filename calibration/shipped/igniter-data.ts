import type { Measurement } from '../measurement.ts';

/** Latency of a model running alone under an MPS active thread percentage. */
export interface SharePoint {
  readonly batchSize: number;
  /** SM share in (0, 1]. */
  readonly share: number;
  readonly latencyMs: number;
}

/** Power and core clock of a model running alone under an MPS active thread percentage. */
export interface SharePower {
  readonly batchSize: number;
  readonly share: number;
  readonly powerW: number;
  readonly clockMhz: number;
}

/** One side of a co-run pair: how a model fared beside another. */
export interface PairObservation {
  readonly model: string;
  readonly other: string;
  readonly batchSize: number;
  readonly share: number;
  readonly otherBatchSize: number;
  readonly otherShare: number;
  /** Latency beside the other over latency alone at the same share. */
  readonly slowdown: number;
  /** DRAM bandwidth utilisation alone at this batch size and share, in [0, 1]. */
  readonly dramUtilisation: number;
  readonly otherDramUtilisation: number;
}

/** The iGniter set as the fit of inference models takes it. */
export interface IgniterData {
  readonly solo: ReadonlyMap<string, readonly SharePoint[]>;
  readonly power: ReadonlyMap<string, readonly SharePower[]>;
  readonly pairs: readonly PairObservation[];
}

/** Sides of the pairs and points alone, from the measurements of the set's three files. */
export function igniterData(
  solo: readonly Measurement[],
  pairs: readonly Measurement[],
  profile: readonly Measurement[],
): IgniterData {
  return {
    solo: byWorkload(solo, ({ batch, share, stepS }) =>
      batch === null || share === null || stepS === null
        ? null
        : { batchSize: batch, share, latencyMs: stepS * 1000 },
    ),
    power: byWorkload(profile, ({ batch, share, powerW, achievedMhz, coRunners }) =>
      batch === null ||
      share === null ||
      powerW === null ||
      achievedMhz === null ||
      coRunners.length > 0
        ? null
        : { batchSize: batch, share, powerW, clockMhz: achievedMhz },
    ),
    pairs: pairObservations(pairs),
  };
}

function byWorkload<T>(
  rows: readonly Measurement[],
  pointOf: (row: Measurement) => T | null,
): ReadonlyMap<string, readonly T[]> {
  const points = new Map<string, T[]>();
  for (const row of rows) {
    const point = pointOf(row);
    if (point === null) continue;
    points.set(row.workload, [...(points.get(row.workload) ?? []), point]);
  }
  return points;
}

/** Both sides of a pair stand beside each other, and each knows only its own bandwidth. */
function pairObservations(rows: readonly Measurement[]): PairObservation[] {
  return rows.flatMap((me, i) => {
    const it = rows[i % 2 === 0 ? i + 1 : i - 1];
    if (it === undefined) return [];
    const side = sideOf(me);
    const other = sideOf(it);
    if (side === null || other === null || me.relativeSpeed === null) return [];
    return {
      model: me.workload,
      other: it.workload,
      batchSize: side.batch,
      share: side.share,
      otherBatchSize: other.batch,
      otherShare: other.share,
      slowdown: 1 / me.relativeSpeed,
      dramUtilisation: side.bandwidth,
      otherDramUtilisation: other.bandwidth,
    };
  });
}

function sideOf({ batch, share, bandwidth }: Measurement) {
  return batch === null || share === null || bandwidth === null
    ? null
    : { batch, share, bandwidth };
}
