import { assign } from '../../../policies/lp/index.ts';
import { InputError } from '../../../sim/errors.ts';
import { type ActiveJob, stepsLeft } from './combinations.ts';
import { type Allocate, noShares } from './rule.ts';

/** Throughput that stands for none. */
const LEAST_RATE = 1e-10;

/**
 * AlloX (`allox`): the jobs that have no GPU are assigned to the free GPUs and their places in line so
 * that the sum of completion times is least, and the first in line of each GPU gets it, to the end. A
 * job in the k-th place from the last delays k jobs, itself among them, by its run time. Considered
 * are the oldest `alpha` of them, and at least as many as there are free GPUs.
 */
export function allox(alpha: number): Allocate {
  const typeOf = new Map<ActiveJob, number>();
  return (state) => {
    const { jobs, gpus, nowS } = state;
    for (const { spec, gang } of jobs) {
      if (gang === 1) continue;
      const detail = `job ${spec.id} has scale factor ${gang}, and allox only takes jobs with 1`;
      throw new InputError('--trace', null, null, detail);
    }
    const free = [...gpus];
    const waiting: ActiveJob[] = [];
    for (const job of jobs) {
      const type = typeOf.get(job);
      if (type === undefined) waiting.push(job);
      else free[type] = (free[type] as number) - 1;
    }
    const workers = free.flatMap((count, type) => new Array<number>(Math.max(0, count)).fill(type));
    const elapsedS = (job: ActiveJob): number => nowS - job.spec.arrivalS;
    waiting.sort((a, b) => elapsedS(b) - elapsedS(a));
    const considered = waiting.slice(
      0,
      Math.max(Math.trunc(alpha * waiting.length), workers.length),
    );
    for (const [job, type] of firstInLine(considered, workers, elapsedS)) typeOf.set(job, type);
    const shares = noShares(state);
    for (const job of jobs) {
      const type = typeOf.get(job);
      if (type !== undefined) (shares.get(job.alone) as Float64Array)[type] = 1;
    }
    return shares;
  };
}

/** The jobs that start now, each with the type of its GPU. */
function firstInLine(
  jobs: readonly ActiveJob[],
  workers: readonly number[],
  elapsedS: (job: ActiveJob) => number,
): Map<ActiveJob, number> {
  const started = new Map<ActiveJob, number>();
  const places = jobs.length * workers.length;
  if (places === 0) return started;
  const costs = jobs.map((job) => {
    const row = new Float64Array(places);
    workers.forEach((type, worker) => {
      const runS = stepsLeft(job) / ((job.rates[type] as number) || LEAST_RATE);
      for (let place = 0; place < jobs.length; place += 1) {
        const delayS = place === 0 ? runS : (place + 1) * runS;
        row[place * workers.length + worker] = delayS + elapsedS(job);
      }
    });
    return row;
  });
  const columns = assign(costs, places) as Int32Array;
  // The job furthest from the last place of a GPU is the first in its line.
  const furthest = new Int32Array(workers.length).fill(-1);
  const first: ActiveJob[] = [];
  jobs.forEach((job, i) => {
    const column = columns[i] as number;
    const worker = column % workers.length;
    const place = Math.floor(column / workers.length);
    if (place <= (furthest[worker] as number)) return;
    furthest[worker] = place;
    first[worker] = job;
  });
  workers.forEach((type, worker) => {
    const job = first[worker];
    if (job !== undefined) started.set(job, type);
  });
  return started;
}
