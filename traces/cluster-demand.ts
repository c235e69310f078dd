import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import type { Concurrency } from './statistics/concurrency.ts';
import { figure } from './statistics/figures.ts';
import { type ClusterLoad, clusterLoad, overloads, type TypedDemand } from './statistics/load.ts';

/** Below this part of the cluster's GPUs, a peak leaves policies nothing to decide. */
const IDLE_PART = 0.25;
/** Combinations of GPU types that a sentence names. */
const NAMED = 8;

/** What a trace asks of a cluster, with what to make of it. */
export interface ClusterDemand {
  readonly cluster: ClusterSpec;
  readonly load: ClusterLoad;
  /** Sentences to read before anything runs. */
  readonly findings: readonly string[];
}

function misfits({ withoutType, tooLarge }: ClusterLoad): string[] {
  const lines: string[] = [];
  const missing = Object.entries(withoutType);
  if (missing.length > 0) {
    const count = missing.reduce((sum, [, jobs]) => sum + jobs, 0);
    const named = missing.slice(0, NAMED).map(([asked, jobs]) => `${asked} ${figure(jobs)}`);
    const types = `${named.join(', ')}${missing.length > NAMED ? ', ...' : ''}`;
    lines.push(
      `${figure(count)} jobs ask only for GPU types that the cluster does not have (${types})`,
    );
  }
  if (tooLarge > 0) {
    const asked = 'jobs ask for more GPUs than the cluster has of the types that they may use';
    lines.push(`${figure(tooLarge)} ${asked}`);
  }
  return lines;
}

function idleness({ gpus }: ClusterLoad, concurrency: Concurrency | null): string[] {
  if (concurrency === null || concurrency.peakGpus >= IDLE_PART * gpus) return [];
  const { peakGpus, meanGpus } = concurrency;
  return [
    `the cluster is idle: at most ${figure(peakGpus)} of ${figure(gpus)} GPUs are asked for at once, ` +
      `${figure(meanGpus)} in the mean, so hardly a job waits; ` +
      'compress the submissions (--load) or take a smaller cluster (--cluster-scale)',
  ];
}

/** What jobs, sorted by submission, ask of a cluster: loads, overloads, misfits, or that it idles. */
export function clusterDemand(
  jobs: readonly TypedDemand[],
  concurrency: Concurrency | null,
  cluster: ClusterSpec,
): ClusterDemand {
  const load = clusterLoad(jobs, cluster);
  return {
    cluster,
    load,
    findings: [
      ...overloads(load).map(({ sentence }) => sentence),
      ...misfits(load),
      ...idleness(load, concurrency),
    ],
  };
}
