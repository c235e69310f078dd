import { optimum, type Solution, type Solver, simplex } from '../lp/index.ts';
import { fastestS } from './makespan.ts';
import { type Allocation, type AllocationProblem, canRun } from './problem.ts';
import { AllocationProgram } from './program.ts';

/** What finish-time fairness reads of a job, by group. */
export interface Progress {
  /** Work left; above 0. */
  readonly work: readonly number[];
  /** Time since the job came. */
  readonly elapsedS: readonly number[];
  /** Time that it would have needed for all of its work, with its isolated share from the start on. */
  readonly isolatedS: readonly number[];
}

/** Relative change of rho at which it has converged. */
const CONVERGED = 1e-9;
const MOST_STEPS = 100;

/**
 * Finish-time fairness (section 4.2; released code: finish_time_fairness.py): the largest rho of a job
 * is as small as can be, where rho is the time that it will have needed, `elapsedS + work /
 * throughput`, over the time in isolation. This is how Gavel's authors model Themis.
 *
 * For a given rho a job needs a throughput of `work / (rho x isolatedS - elapsedS)`, a convex function
 * of rho. Each step replaces it by its tangent at the last rho and solves the linear program in rho;
 * that is Newton's method, and from the second step on rho rises to the optimum.
 *
 * @returns the largest rho as objective; 0 without jobs
 * @throws {SolveError} when a program has no optimum
 */
export function finishTimeFairness(
  problem: AllocationProblem,
  progress: Progress,
  solver: Solver = simplex,
): Allocation {
  const jobs: FairJob[] = [];
  problem.groups.forEach((group, index) => {
    if (!canRun(problem, index)) return;
    const work = progress.work[index] as number;
    const aloneS = fastestS(problem, index, work);
    const elapsedS = progress.elapsedS[index] as number;
    const isolatedS = progress.isolatedS[index] as number;
    jobs.push({ group: index, jobs: group.jobs, work, aloneS, elapsedS, isolatedS });
  });
  // No job can do better than alone on its fastest type.
  const lowest = Math.max(0, ...jobs.map((job) => (job.elapsedS + job.aloneS) / job.isolatedS));
  let rho = lowest;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { fair, solution, root } = newtonStep(problem, jobs, rho, lowest, solver);
    // Past the second step only rounding can let it fall.
    const isDone = root - rho <= CONVERGED * root && (step > 1 || rho - root <= CONVERGED * root);
    rho = root;
    if (isDone) return fair.allocation(solution, rho);
  }
  throw new Error(`finish-time fairness has not converged in ${MOST_STEPS} steps (rho ${rho})`);
}

interface FairJob {
  readonly group: number;
  readonly jobs: number;
  readonly work: number;
  /** Time that the rest takes alone on the fastest type. */
  readonly aloneS: number;
  readonly elapsedS: number;
  readonly isolatedS: number;
}

interface Step {
  readonly fair: AllocationProgram;
  readonly solution: Solution;
  readonly root: number;
}

function newtonStep(
  problem: AllocationProblem,
  jobs: readonly FairJob[],
  rho: number,
  lowest: number,
  solver: Solver,
): Step {
  const fair = new AllocationProgram(problem, 'minimise');
  const variable = fair.program.addVariable({ cost: 1, lower: lowest });
  for (const job of jobs) {
    // Throughputs as fractions of the fastest.
    const leftS = rho * job.isolatedS - job.elapsedS;
    const needed = job.aloneS / leftS;
    const slope = (-needed * job.isolatedS) / leftS;
    const terms = fair.throughput(job.group, job.aloneS / job.work);
    fair.program.atLeast(
      [...terms, [variable, -slope * job.jobs]],
      (needed - slope * rho) * job.jobs,
    );
  }
  const solution = optimum('finish-time fairness', fair.program, solver);
  return { fair, solution, root: solution.objective };
}
