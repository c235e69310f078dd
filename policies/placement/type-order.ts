import type { JobView } from '../../sim/job-view.ts';
import { type JobClass, JobClasses } from '../queue/job-classes.ts';

/** GPU types of a job, the one to try first in front. */
export type TypeOrder = (job: JobView) => readonly number[];

/** Types in the order of the cluster: what a policy does that does not know one GPU from another. */
export const firstType: TypeOrder = (job) => job.types;

/**
 * The type on which the job runs fastest first; ties in the order of the cluster.
 *
 * @param speed work per second of a job on a type, alike for jobs of one workload and gang size
 */
export function fastestType(speed: (job: JobView, type: number) => number): TypeOrder {
  const classes = new JobClasses('speed');
  const known: (readonly number[] | undefined)[] = [];
  return (job) => {
    if (job.types.length < 2) return job.types;
    const jobClass: JobClass = classes.of(job);
    const order = known[jobClass.index];
    if (order !== undefined) return order;
    const made = [...job.types].sort((a, b) => speed(job, b) - speed(job, a) || a - b);
    known[jobClass.index] = made;
    return made;
  };
}
