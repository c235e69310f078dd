/**
 * Seconds of the stages of an iteration alone: storage, CPU, GPU, network; or three, of which the first
 * (CPU with storage) may stretch over two slots, then GPU and network.
 */
export type StageTimes = readonly number[];

/** Resources that a group interleaves, and jobs that can be in one. */
export const RESOURCES = 4;

/** Slots of one round of a group: each job has its own place in it. */
const SLOTS = 4;
/** Two rounds are alike when their lengths differ by less than this part. */
const ALIKE = 1e-3;

/**
 * Measured over computed iteration time of a group of 1, 2, 3 and 4 jobs (released constants). The time of
 * one alone is that of its iteration, not the sum of its stages.
 */
export const OVERHEAD: readonly number[] = [1.015, 1.33 / 1.015, 1.5 / 1.015, 1.37 / 1.015];

/** Iteration times of a group in its best and its worst order, in seconds, without overhead. */
export interface Interleaving {
  readonly bestS: number;
  readonly worstS: number;
}

/**
 * How long an iteration takes when jobs use the resources in turns (Muri, SIGCOMM 2022, section 4): the
 * best and the worst over all orders of the jobs.
 *
 * Of four stages the jobs move through four slots together, each one stage behind the job before it; a
 * slot lasts as long as its longest stage.
 *
 * Of three stages (as in the traces of the released simulator) there is no barrier for all: a slot ends
 * when the GPU stage and the network stage begun with it are done, and the first stage begun one slot
 * before. The time is that of the second round, or of the first in which two rounds in a row last equally
 * long. Two jobs may also sit opposite to each other, one in its first stage while the other does the rest.
 *
 * @param jobs two to four, all with three stages or all with four
 * @throws {RangeError} otherwise
 */
export function interleave(jobs: readonly StageTimes[]): Interleaving {
  const stages = jobs[0]?.length ?? 0;
  if (jobs.length < 2 || jobs.length > RESOURCES) {
    throw new RangeError(`${jobs.length} jobs in a group, expected 2 to ${RESOURCES}`);
  }
  if ((stages !== 3 && stages !== 4) || jobs.some((job) => job.length !== stages)) {
    throw new RangeError(
      `jobs with ${jobs.map((job) => job.length).join(', ')} stages, expected 3 or 4`,
    );
  }
  let bestS = Infinity;
  let worstS = 0;
  const count = (roundS: number): void => {
    bestS = Math.min(bestS, roundS);
    worstS = Math.max(worstS, roundS);
  };
  for (const order of orders(jobs)) count(stages === 4 ? lockstepS(order) : staggeredS(order));
  if (stages === 3 && jobs.length === 2) {
    const [a, b] = jobs as readonly [StageTimes, StageTimes];
    count(Math.max(at(a, 0), rest(b)) + Math.max(at(b, 0), rest(a)));
  }
  return { bestS, worstS };
}

function lockstepS(order: readonly StageTimes[]): number {
  let roundS = 0;
  for (let slot = 0; slot < RESOURCES; slot += 1) {
    let longestS = 0;
    for (const [place, job] of order.entries()) {
      longestS = Math.max(longestS, at(job, (slot - place + RESOURCES) % RESOURCES));
    }
    roundS += longestS;
  }
  return roundS;
}

function staggeredS(order: readonly StageTimes[]): number {
  /** End of each slot; the first is the start. */
  const endS = [0];
  const since = (slot: number, place: number, stage: number): number => {
    const job = order[place % SLOTS];
    return job === undefined ? 0 : (endS[slot] as number) + at(job, stage);
  };
  const roundS = (last: number): number => (endS[last] as number) - (endS[last - SLOTS] as number);
  for (let slot = 0; slot < 2 * SLOTS; slot += 1) {
    const networkS = since(slot, slot + 1, 2);
    const gpuS = since(slot, slot + 2, 1);
    const firstS = slot === 0 ? 0 : since(slot - 1, slot + 3, 0);
    endS.push(Math.max(networkS, gpuS, firstS));
    if (slot < SLOTS) continue;
    const now = roundS(slot + 1);
    const before = roundS(slot);
    if (now > 0 && Math.abs(now - before) <= ALIKE * Math.max(now, before)) return now;
  }
  return roundS(2 * SLOTS);
}

function at(job: StageTimes, stage: number): number {
  return job[stage] as number;
}

function rest(job: StageTimes): number {
  return at(job, 1) + at(job, 2);
}

/** All orders of the jobs. */
function* orders<T>(jobs: readonly T[]): Generator<readonly T[]> {
  if (jobs.length <= 1) {
    yield jobs;
    return;
  }
  for (const [i, first] of jobs.entries()) {
    for (const others of orders(jobs.filter((_, j) => j !== i))) yield [first, ...others];
  }
}
