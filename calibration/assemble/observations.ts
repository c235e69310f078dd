import type { Measurement } from '../measurement.ts';

/** A point of one workload alone on a GPU. What was not measured or set is null. */
export interface Observation {
  readonly coreMhz: number | null;
  readonly memoryMhz: number | null;
  readonly powerCapW: number | null;
  readonly share: number;
  readonly stepS: number | null;
  readonly powerW: number | null;
}

/** All that was measured of one workload (model and batch size) on one GPU type. */
export interface WorkloadObservations {
  readonly gpuType: string;
  readonly name: string;
  readonly batchSize: number;
  /** True when times are ratios: a step then takes about 1 s at the reference point. */
  readonly normalised: boolean;
  readonly alone: readonly Observation[];
  readonly memoryGib: number | null;
  readonly bandwidth: number | null;
  readonly sources: readonly string[];
}

/** One side of two jobs side by side. */
export interface BesideObservation {
  readonly gpuType: string;
  readonly name: string;
  readonly other: string;
  /** True when the two ran under MPS shares; false for plain co-location. */
  readonly limited: boolean;
  readonly relativeSpeed: number;
  readonly source: string;
}

/** A table sorted into what the fit uses, with counts of what it does not. */
export interface SortedTable {
  readonly workloads: readonly WorkloadObservations[];
  readonly beside: readonly BesideObservation[];
  readonly unused: Readonly<Record<string, number>>;
}

/** Name of a profile: the model in plain characters, with its batch size where there is one. */
export function profileName(workload: string, batch: number | null): string {
  const plain = workload
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${(plain === '' ? 'workload' : plain).slice(0, 80)}${batch === null ? '' : `-b${batch}`}`;
}

/** Sorts a table by GPU type and workload, in the order in which they first occur. */
export function sortTable(rows: readonly Measurement[]): SortedTable {
  const workloads = new Map<string, Measurement[]>();
  const beside: BesideObservation[] = [];
  const unused: Record<string, number> = {};
  const skip = (reason: string): void => {
    unused[reason] = (unused[reason] ?? 0) + 1;
  };
  for (const row of rows) {
    if ((row.gpus ?? 1) > 1) {
      skip('several GPUs');
      continue;
    }
    if (row.coRunners.length === 0) {
      const key = JSON.stringify([row.gpuType, profileName(row.workload, row.batch)]);
      const group = workloads.get(key);
      if (group === undefined) workloads.set(key, [row]);
      else group.push(row);
      continue;
    }
    const [other] = row.coRunners;
    if (other === undefined || row.coRunners.length > 1) skip('more than two jobs on a GPU');
    else if (row.relativeSpeed === null || row.relativeSpeed <= 0) {
      skip('beside another job, speed alone not known');
    } else {
      beside.push({
        gpuType: row.gpuType,
        name: profileName(row.workload, row.batch),
        other: profileName(other.workload, other.batch),
        limited: (row.share ?? 1) < 1 || (other.share ?? 1) < 1,
        relativeSpeed: row.relativeSpeed,
        source: row.source,
      });
    }
  }
  return { workloads: [...workloads.values()].flatMap(collect), beside, unused };
}

function collect(rows: readonly Measurement[]): WorkloadObservations[] {
  const [first] = rows;
  if (first === undefined) return [];
  const most = (value: (row: Measurement) => number | null): number | null => {
    const values = rows.map(value).filter((number) => number !== null);
    return values.length === 0 ? null : Math.max(...values);
  };
  return [
    {
      gpuType: first.gpuType,
      name: profileName(first.workload, first.batch),
      batchSize: Math.max(1, Math.round(first.batch ?? 1)),
      normalised: first.normalised,
      alone: rows.map((row) => ({
        coreMhz: row.achievedMhz ?? row.coreMhz,
        memoryMhz: row.memoryMhz,
        powerCapW: row.powerCapW,
        share: row.share ?? 1,
        stepS: row.stepS ?? (row.throughput === null ? null : 1 / row.throughput),
        powerW: row.powerW,
      })),
      memoryGib: most(({ memoryGib }) => memoryGib),
      bandwidth: most(({ bandwidth }) => bandwidth),
      sources: [...new Set(rows.map(({ source }) => source))],
    },
  ];
}
