import type { ClusterSpec } from '../../sim/cluster/cluster.ts';
import { type Demand, gpuSeconds } from './demand.ts';
import { figure, percentOf } from './figures.ts';

/**
 * Submissions must go on for this many mean run times before their load says anything lasting: five jobs
 * of an hour each, submitted within a minute, are no overload.
 */
const SUSTAINED_RUNS = 10;
/** Loads this near to 1 are 1: scaling to a load of 1 leaves digits behind. */
const TOLERANCE = 1e-6;

/** A demand that may be limited to some GPU types. */
export type TypedDemand = Demand & { readonly gpuTypes: readonly string[] };

/** What is asked of the GPUs of one type. */
export interface TypeLoad {
  readonly gpuType: string;
  readonly gpus: number;
  /** GPU-hours of the jobs that can run on no other type of the cluster. */
  readonly boundGpuHours: number;
  /** `boundGpuHours` over what these GPUs give while jobs are submitted; null if infinite. */
  readonly boundLoad: number | null;
  /** The same with the jobs that may choose, spread over their types by GPUs. */
  readonly load: number | null;
}

/** What a trace asks of a cluster. */
export interface ClusterLoad {
  readonly gpus: number;
  /** From the first to the last submission. */
  readonly spanS: number;
  /** All GPU-hours over what all GPUs give in that time; null if infinite. */
  readonly offeredLoad: number | null;
  /** Whether jobs are submitted for so long that an overload is one: 10 mean run times. */
  readonly sustained: boolean;
  /** In the order of the cluster. */
  readonly types: readonly TypeLoad[];
  /** Jobs for which the cluster has no GPU type that they ask for, by what they ask for. */
  readonly withoutType: Readonly<Record<string, number>>;
  /** Jobs that ask for more GPUs than the cluster has of the types that they may use. */
  readonly tooLarge: number;
}

/** GPUs of a cluster by type, in its order. */
export function gpusByType({ groups }: ClusterSpec): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { gpuType, gpusPerNode, nodes } of groups) {
    counts.set(gpuType, (counts.get(gpuType) ?? 0) + gpusPerNode * nodes);
  }
  return counts;
}

/** Seconds from the first to the last of jobs sorted by submission. */
function submissionSpanS(jobs: readonly Demand[]): number {
  return (jobs.at(-1)?.submitS ?? 0) - (jobs[0]?.submitS ?? 0);
}

/**
 * Offered load: GPU-seconds asked for over what the GPUs could give between the first and the last
 * submission. Infinite when all are submitted at once.
 */
export function offeredLoad(jobs: readonly Demand[], capacityGpus: number): number {
  let workGpuS = 0;
  for (const job of jobs) workGpuS += gpuSeconds(job);
  return workGpuS / (capacityGpus * submissionSpanS(jobs));
}

/** The types of a cluster that a job may use, and how many GPUs that are. */
interface Usable {
  readonly types: readonly string[];
  readonly gpus: number;
}

/** Looks up what jobs may use by the types that they name; none stands for all. */
function usableTypes(gpus: ReadonlyMap<string, number>): (named: readonly string[]) => Usable {
  const known = new Map<string, Usable>();
  return (named) => {
    const key = named.join('|');
    let usable = known.get(key);
    if (usable === undefined) {
      const types = named.length === 0 ? [...gpus.keys()] : named.filter((type) => gpus.has(type));
      usable = { types, gpus: types.reduce((sum, type) => sum + (gpus.get(type) ?? 0), 0) };
      known.set(key, usable);
    }
    return usable;
  };
}

const finite = (value: number) => (Number.isFinite(value) ? value : null);

/**
 * What jobs, sorted by submission, ask of each GPU type of a cluster. A job that names no type may use
 * all of them. Jobs that the cluster has no GPUs for are counted apart and part of no load of a type.
 */
export function clusterLoad(jobs: readonly TypedDemand[], cluster: ClusterSpec): ClusterLoad {
  const gpus = gpusByType(cluster);
  const boundGpuS = new Map<string, number>();
  const spreadGpuS = new Map<string, number>();
  const withoutType: Record<string, number> = {};
  const usableOf = usableTypes(gpus);
  let tooLarge = 0;
  let runS = 0;
  for (const job of jobs) {
    runS += job.durationS;
    const { types, gpus: usable } = usableOf(job.gpuTypes);
    const [only] = types;
    if (only === undefined) {
      const asked = job.gpuTypes.join('|');
      withoutType[asked] = (withoutType[asked] ?? 0) + 1;
    } else if (job.gpuCount > usable) {
      tooLarge += 1;
    } else if (types.length === 1) {
      boundGpuS.set(only, (boundGpuS.get(only) ?? 0) + gpuSeconds(job));
    } else {
      for (const type of types) {
        const part = (gpuSeconds(job) * (gpus.get(type) ?? 0)) / usable;
        spreadGpuS.set(type, (spreadGpuS.get(type) ?? 0) + part);
      }
    }
  }
  const total = usableOf([]).gpus;
  const spanS = submissionSpanS(jobs);
  return {
    gpus: total,
    spanS,
    offeredLoad: finite(offeredLoad(jobs, total)),
    sustained: jobs.length > 0 && spanS >= (SUSTAINED_RUNS * runS) / jobs.length,
    types: [...gpus].map(([gpuType, count]): TypeLoad => {
      const bound = boundGpuS.get(gpuType) ?? 0;
      const spread = spreadGpuS.get(gpuType) ?? 0;
      return {
        gpuType,
        gpus: count,
        boundGpuHours: bound / 3600,
        boundLoad: finite(bound / (count * spanS)),
        load: finite((bound + spread) / (count * spanS)),
      };
    }),
    withoutType,
    tooLarge,
  };
}

/** GPUs that are asked for more than they can give. */
export interface Overload {
  /** Null for the cluster as a whole. */
  readonly gpuType: string | null;
  readonly sentence: string;
}

/** What is overloaded: types by the jobs that run on nothing else, and the cluster by all jobs. */
export function overloads({ types, offeredLoad: whole, sustained, gpus }: ClusterLoad): Overload[] {
  if (!sustained) return [];
  const found: Overload[] = [];
  const add = (gpuType: string | null, asked: string) => {
    const sentence = `${asked}: the queue grows for as long as jobs are submitted`;
    found.push({ gpuType, sentence });
  };
  if (whole !== null && whole > 1 + TOLERANCE) {
    add(null, `all jobs together ask for ${percentOf(whole)} of the ${figure(gpus)} GPUs`);
  }
  // A type alone is the whole cluster.
  if (types.length === 1) return found;
  for (const { gpuType, boundLoad, gpus: count } of types) {
    if (boundLoad === null || boundLoad <= 1 + TOLERANCE) continue;
    const asked = `jobs that may run on ${gpuType} only ask for ${percentOf(boundLoad)}`;
    add(gpuType, `${asked} of its ${figure(count)} GPUs`);
  }
  return found;
}
