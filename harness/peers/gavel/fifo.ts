import { PythonRandom } from '../python-random.ts';
import type { ActiveJob, JobCombination } from './combinations.ts';
import { type Allocate, type GavelState, noShares } from './rule.ts';

/**
 * FIFO on the fastest worker type that has room (`fifo_perf`): jobs in order of arrival, until the
 * first that has room nowhere. With `packsAbove`, the jobs behind that one join jobs that run, the one
 * with which the summed normalised throughput is largest and above it; the first that joins none ends
 * it (`fifo_packed`).
 */
export function fifoOnFastest(packsAbove: number | null): Allocate {
  return (state) => {
    const room = [...state.gpus];
    const placed = new Map<JobCombination, number>();
    let next = 0;
    for (; next < state.jobs.length && room.some((gpus) => gpus > 0); next += 1) {
      const job = state.jobs[next] as ActiveJob;
      const type = fastestType(job, room);
      // The released code has taken this job off its queue, so it is not packed either.
      if (type < 0) {
        next += 1;
        break;
      }
      placed.set(job.alone, type);
      room[type] = (room[type] as number) - job.gang;
    }
    if (packsAbove !== null) pack(state, placed, state.jobs.slice(next), packsAbove);
    const shares = noShares(state);
    for (const [combination, type] of placed) (shares.get(combination) as Float64Array)[type] = 1;
    return shares;
  };
}

function fastestType({ gang, rates }: ActiveJob, room: readonly number[]): number {
  let fastest = -1;
  rates.forEach((rate, type) => {
    if ((room[type] as number) === 0 || (room[type] as number) < gang) return;
    if (fastest < 0 || rate > (rates[fastest] as number)) fastest = type;
  });
  return fastest;
}

function pack(
  { pairs }: GavelState,
  placed: Map<JobCombination, number>,
  queue: readonly ActiveJob[],
  above: number,
): void {
  for (const job of queue) {
    let best: { readonly with: JobCombination; readonly pair: JobCombination } | null = null;
    let most = above;
    for (const [combination, type] of placed) {
      if (combination.jobs.length > 1 || combination.gang !== job.gang) continue;
      const pair = pairs.find(({ jobs }) => jobs[0] === combination.jobs[0] && jobs[1] === job);
      if (pair === undefined) continue;
      const sum = normalisedThroughput(pair, type);
      if (sum > most) {
        most = sum;
        best = { with: combination, pair };
      }
    }
    if (best === null) return;
    const type = placed.get(best.with) as number;
    placed.delete(best.with);
    placed.set(best.pair, type);
  }
}

function normalisedThroughput({ jobs, rates }: JobCombination, type: number): number {
  let sum = 0;
  jobs.forEach((job, i) => {
    const rate = rates[i]?.[type] as number;
    if (rate > 0) sum += rate / (job.rates[type] as number);
  });
  return sum;
}

/**
 * FIFO (`fifo`): a job keeps its worker type until it ends, and then the head of the queue takes its
 * place if it fits; if not, the released code leaves both for the next time. It means to give a job a
 * random type with room, but gives it the last of its list of types, and strikes the random one off the
 * list when that is full.
 */
export function fifoOnLast(seed: number): Allocate {
  const random = new PythonRandom(seed);
  const typeOf = new Map<ActiveJob, number>();
  return (state) => {
    const { jobs, gpus } = state;
    const room = [...gpus];
    const active = new Set(jobs);
    const queue = jobs.filter((job) => !typeOf.has(job));
    const give = (job: ActiveJob, type: number): void => {
      typeOf.set(job, type);
      room[type] = (room[type] as number) - job.gang;
    };
    for (const [job, type] of [...typeOf].sort(([a], [b]) => a.spec.id - b.spec.id)) {
      if (active.has(job)) {
        room[type] = (room[type] as number) - job.gang;
        continue;
      }
      const head = queue.shift();
      if (head !== undefined && head.gang <= (room[type] as number)) give(head, type);
      typeOf.delete(job);
    }
    const listed = gpus.flatMap((_, type) => ((room[type] as number) > 0 ? [type] : []));
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const { gang } = job;
      const last = listed.at(-1);
      const fitting = listed.filter((type) => (room[type] as number) >= gang);
      if (last === undefined || fitting.length === 0) break;
      const drawn = fitting[random.below(fitting.length)] as number;
      give(job, last);
      if (room[last] === 0) listed.splice(listed.indexOf(drawn), 1);
    }
    const shares = noShares(state);
    for (const [job, type] of typeOf) (shares.get(job.alone) as Float64Array)[type] = 1;
    return shares;
  };
}
