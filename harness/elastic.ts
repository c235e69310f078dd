import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import type { JobSpec } from '../sim/job.ts';

/** Jobs that run with another number of GPUs than they ask for, and what that assumes. */
export interface ElasticJobs {
  readonly jobs: readonly JobSpec[];
  /** For the report of the workload. */
  readonly line: string;
}

/** Looks up how many GPUs a job can use at most, of all types together. */
function usableGpus({ groups }: ClusterSpec, profiles: ProfileSet): (job: JobSpec) => number {
  const memoryOf = new Map(profiles.gpuTypes.map(({ name, memoryGib }) => [name, memoryGib]));
  const workloads = new Map(profiles.workloads.map((workload) => [workload.name, workload]));
  return ({ workload, gpuTypes, memoryGib }) => {
    const { onGpu = {} } = workloads.get(workload) ?? {};
    let gpus = 0;
    for (const { gpuType, nodes, gpusPerNode } of groups) {
      const needGib = memoryGib ?? onGpu[gpuType]?.memoryGib ?? Infinity;
      const isAsked = gpuTypes.length === 0 || gpuTypes.includes(gpuType);
      const fits =
        isAsked && onGpu[gpuType] !== undefined && needGib <= (memoryOf.get(gpuType) ?? 0);
      if (fits) gpus += nodes * gpusPerNode;
    }
    return gpus;
  };
}

/**
 * Makes jobs elastic, which no trace says of its own: each runs with 1 GPU up to `factor` times those that
 * it asks for, rounded up, but with no more than the cluster has that it can run on. A job that asks for
 * more than that stays as it is, as does one that asks for a part of a GPU.
 *
 * @param factor >= 1
 */
export function elasticJobs(
  jobs: readonly JobSpec[],
  factor: number,
  cluster: ClusterSpec,
  profiles: ProfileSet,
): ElasticJobs {
  const usable = usableGpus(cluster, profiles);
  let parts = 0;
  let tooLarge = 0;
  const elastic = jobs.map((job): JobSpec => {
    const gpus = usable(job);
    if (job.share < 1) parts += 1;
    else if (job.gpuCount > gpus) tooLarge += 1;
    else return { ...job, minGpus: 1, maxGpus: Math.min(Math.ceil(factor * job.gpuCount), gpus) };
    return job;
  });
  const rigid = [
    ...(parts === 0 ? [] : [`${parts} that ask for a part of a GPU do not`]),
    ...(tooLarge === 0 ? [] : [`${tooLarge} that ask for more GPUs than there are do not`]),
  ];
  const line = `jobs run with 1 GPU up to ${factor} times those that they ask for`;
  return { jobs: elastic, line: [line, ...rigid].join('; ') };
}
