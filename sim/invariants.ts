import type { Books } from './energy/boundaries.ts';
import { InvariantError } from './errors.ts';
import type { SimulationState } from './state.ts';

/** Relative error of the energy balance above which a run is an error. */
export const CONSERVATION_LIMIT = 1e-9;

/** |charged to jobs + uncharged - integral of GPU power| over the integral. */
export function conservationError(books: Books): number {
  const { gpuJ, idleJ, contextIdleJ, transitionJ } = books.whole;
  const booked = books.jobsJ + idleJ + contextIdleJ + transitionJ;
  return gpuJ === 0 ? Math.abs(booked) : Math.abs(booked - gpuJ) / gpuJ;
}

/** At the end: every job is final, energy is conserved, nothing is negative or not a number. */
export function checkBooks(state: SimulationState, books: Books): void {
  const { jobs } = state;
  const error = conservationError(books);
  if (!(error <= CONSERVATION_LIMIT)) {
    throw new InvariantError(
      `energy is not conserved: jobs ${books.jobsJ} J, idle ${books.whole.idleJ} J, context ${books.whole.contextIdleJ} J, transition ${books.whole.transitionJ} J, integral ${books.whole.gpuJ} J (relative error ${error})`,
    );
  }
  if (jobs.finished !== jobs.count) {
    throw new InvariantError(`jobs are left over: ${unfinished(state)}`);
  }
  for (let job = 0; job < jobs.count; job += 1) {
    mustNotBeNegative(state, job, 'queueS', jobs.queueS);
    mustNotBeNegative(state, job, 'holdS', jobs.holdS);
    mustNotBeNegative(state, job, 'runningS', jobs.runningS);
    mustNotBeNegative(state, job, 'energyJ', jobs.energyJ);
    mustNotBeNegative(state, job, 'remaining', jobs.remaining);
  }
}

function mustNotBeNegative(
  state: SimulationState,
  job: number,
  name: string,
  values: Float64Array,
): void {
  const value = values[job] as number;
  if (value >= 0) return;
  throw new InvariantError(`job '${state.jobs.spec(job).id}': ${name} is ${value}`);
}

/** After every instant, when asked for: memory, residents, powers and rates are possible. */
export function checkInstant(state: SimulationState): void {
  const { cluster, jobs, ledger, nowS } = state;
  const fail = (what: string): never => {
    throw new InvariantError(`at ${nowS} s: ${what}`);
  };
  for (let gpu = 0; gpu < cluster.gpuCount; gpu += 1) {
    const residents = cluster.residents[gpu] as readonly number[];
    if (cluster.freeMemoryGib(gpu) < -1e-6) fail(`memory of gpu ${gpu} is over-committed`);
    if (!(ledger.powerW(gpu) >= 0)) fail(`power of gpu ${gpu} is ${ledger.powerW(gpu)} W`);
    for (const job of residents) {
      if (!jobs.holdsGpus(job))
        fail(`job '${jobs.spec(job).id}' is ${jobs.state(job)} on gpu ${gpu}`);
    }
    if (residents.length > 0 && !cluster.isAvailable(gpu))
      fail(`gpu ${gpu} is down with residents`);
  }
  for (let job = state.active.first(); job >= 0; job = state.active.next(job)) {
    const id = jobs.spec(job).id;
    if (jobs.isIn(job, 'running') && !((jobs.rate[job] as number) > 0)) {
      fail(`job '${id}' runs at rate ${jobs.rate[job]}`);
    }
    for (const gpu of jobs.gpus[job] as readonly number[]) {
      if (!(cluster.residents[gpu] as readonly number[]).includes(job)) {
        fail(`job '${id}' holds gpu ${gpu} but is not its resident`);
      }
    }
  }
}

/** Names the jobs that are not final, the first ten of them. */
export function unfinished(state: SimulationState): string {
  const { jobs } = state;
  const names: string[] = [];
  let count = 0;
  for (let job = 0; job < jobs.count; job += 1) {
    const final = jobs.isIn(job, 'done') || jobs.isIn(job, 'failed') || jobs.isIn(job, 'rejected');
    if (final) continue;
    count += 1;
    if (names.length < 10) names.push(`'${jobs.spec(job).id}' (${jobs.state(job)})`);
  }
  return `${count} of ${jobs.count} jobs: ${names.join(', ')}${count > names.length ? ', ...' : ''}`;
}
