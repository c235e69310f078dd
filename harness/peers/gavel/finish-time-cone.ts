import {
  type Allocation,
  type AllocationProblem,
  finishTimeFairness,
  type JobGroup,
  type Progress,
} from '../../../policies/gavel/index.ts';
import { type ConicRow, ecosPoint } from '../ecos/index.ts';

/**
 * Finish-time fairness as the peer hands it to ECOS: minimise the largest of `(elapsed + work q) /
 * isolated`, where q is at least 1 over the throughput, which is a cone: `|(thr - q, 2)| <= thr + q`. The
 * optimum is that of {@link finishTimeFairness}, and that is taken where ECOS finds none; among the
 * allocations that reach it, this is the one where ECOS ends. Every group is one job.
 */
export function finishTimeCone(problem: AllocationProblem, progress: Progress): Allocation {
  const { gpus, groups } = problem;
  const types = gpus.length;
  const jobs = groups.length;
  const variable = (job: number, type: number): number => job * types + type;
  const largest = jobs * types;
  const inverse = (job: number): number => largest + 1 + job;
  const row = (terms: readonly (readonly [number, number])[], bound: number): ConicRow => ({
    variables: terms.map(([index]) => index),
    factors: terms.map(([, factor]) => factor),
    bound,
  });

  const rows: ConicRow[] = groups.map((_, job) => {
    const isolatedS = progress.isolatedS[job] as number;
    const weight = (progress.work[job] as number) / isolatedS;
    return row(
      [
        [largest, -1],
        [inverse(job), weight],
      ],
      -(progress.elapsedS[job] as number) / isolatedS,
    );
  });
  for (let index = 0; index < largest; index += 1) rows.push(row([[index, -1]], 0));
  gpus.forEach((count, type) => {
    rows.push(
      row(
        groups.map(({ gang }, job) => [variable(job, type), gang]),
        count,
      ),
    );
  });
  for (let job = 0; job < jobs; job += 1) {
    rows.push(
      row(
        gpus.map((_, type) => [variable(job, type), 1]),
        1,
      ),
    );
  }
  const cones = groups.map(({ throughputs }, job) => {
    const negated = gpus.map((_, type): [number, number] => [
      variable(job, type),
      -(throughputs[type] as number),
    ]);
    return [
      row([...negated, [inverse(job), -1]], 0),
      row([...negated, [inverse(job), 1]], 0),
      row([], 2),
    ];
  });
  const costs = new Array<number>(largest + 1 + jobs).fill(0);
  costs[largest] = 1;
  const x = ecosPoint({ costs, rows, cones });
  if (x === null) return finishTimeFairness(problem, progress);
  return {
    objective: x[largest] as number,
    alone: groups.map((_: JobGroup, job) =>
      x
        .slice(variable(job, 0), variable(job, types))
        .map((share) => Math.min(1, Math.max(0, share))),
    ),
    together: [],
  };
}
