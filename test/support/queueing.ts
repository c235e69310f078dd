import assert from 'node:assert/strict';
import { studentTCritical } from '../../harness/student-t.ts';
import { compose } from '../../policies/compose.ts';
import type { Decision } from '../../sim/decisions.ts';
import type { JobSpec } from '../../sim/job.ts';
import { exponential, type RandomSource, randomStream, standardNormal } from '../../sim/random.ts';
import type { Summary } from '../../sim/result.ts';
import { simulate } from '../../sim/simulate.ts';
import type { DecisionMaker } from '../../sim/view.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from './flat.ts';
import { policyOf } from './scripted.ts';

// Queues as queueing theory knows them, and comparison with it by independent replications.

/** Draws service times of mean 1 s. */
export type Law = (random: RandomSource) => number;

export const exponentialLaw: Law = (random) => exponential(random, 1);
export const constantLaw: Law = () => 1;

/** Lognormal with mean 1 and this squared coefficient of variation. */
export function lognormalLaw(variation2: number): Law {
  const sigma2 = Math.log1p(variation2);
  return (random) => Math.exp(Math.sqrt(sigma2) * standardNormal(random) - sigma2 / 2);
}

/** Poisson arrivals of jobs with independent service times. */
export function queue(count: number, arrivalRate: number, law: Law, seed: number): JobSpec[] {
  const gaps = randomStream(seed, 'gaps');
  const services = randomStream(seed, 'services');
  let submitS = 0;
  return Array.from({ length: count }, (_, i) => {
    submitS += exponential(gaps, 1 / arrivalRate);
    return flatJob({ id: `${i}`, submitS, durationS: law(services) });
  });
}

export const QUEUE_PROFILES = profileSet(
  [flatGpu({ idlePowerW: 50, mpsClientLimit: 10_000 })],
  [flatProfile({ memoryGib: 0 })],
);

export interface Experiment {
  /** Arrivals come at a rate of `rho * gpus` a second. */
  readonly gpus: number;
  readonly rho: number;
  readonly law: Law;
  readonly jobs: number;
  readonly policy: () => DecisionMaker;
}

const REPLICATIONS = 10;

export interface Replication {
  readonly summary: Summary;
  /** The load that its measured jobs happen to bring. */
  readonly load: number;
}

/** Independent replications, each measured without its first tenth and the drain at its end. */
export function replicate({ gpus, rho, law, jobs: count, policy }: Experiment): Replication[] {
  return Array.from({ length: REPLICATIONS }, (_, seed) => {
    const jobs = queue(count, rho * gpus, law, seed);
    const warmUp = Math.floor(count / 10);
    const fromS = jobs[warmUp]?.submitS ?? NaN;
    const toS = jobs.at(-1)?.submitS ?? NaN;
    const world = worldOf({
      jobs,
      cluster: clusterOf({ nodes: gpus }),
      profiles: QUEUE_PROFILES,
      options: { paranoid: false, measure: { fromS, toS }, switchingLoss: 0 },
    });
    const { summary } = simulate(world, policy());
    const workS = jobs.slice(warmUp).reduce((sum, { durationS }) => sum + durationS, 0);
    return { summary, load: workS / (toS - fromS) / gpus };
  });
}

/**
 * Mean waits with a control variate: much of the spread between replications is that of the loads that
 * they happen to have, whose mean is known. The slope is the theory's at rho.
 */
export function controlledWaits(
  runs: readonly Replication[],
  theory: (rho: number) => number,
  rho: number,
): number[] {
  const slope = (theory(rho + 1e-4) - theory(rho - 1e-4)) / 2e-4;
  return runs.map(({ summary, load }) => summary.queueS.mean - slope * (load - rho));
}

/** The theory's value lies in the 99 % interval of the simulated mean, which is within 3 % of it. */
export function agrees(what: string, simulated: readonly number[], theory: number): void {
  const n = simulated.length;
  const mean = simulated.reduce((sum, x) => sum + x, 0) / n;
  const variance = simulated.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1);
  const half = studentTCritical(0.99, n - 1) * Math.sqrt(variance / n);
  const found = `${what}: ${mean} +- ${half}, theory ${theory}`;
  assert.ok(Math.abs(mean - theory) <= half, found);
  assert.ok(Math.abs(mean - theory) <= 0.03 * theory, found);
}

/** Mean wait of M/M/c by Erlang's second formula. */
export function erlangWaitS(c: number, rho: number): number {
  const load = c * rho;
  let term = 1;
  let sum = 0;
  for (let k = 0; k < c; k += 1) {
    sum += term;
    term *= load / (k + 1);
  }
  const waiting = term / (1 - rho);
  return waiting / (sum + waiting) / (c * (1 - rho));
}

/** First in, first out on whole GPUs. */
export const fifo = (): DecisionMaker => compose({ name: 'fifo', walk: 'head-of-line' });

/** Every job joins the one GPU at once. */
export const processorSharing = (mode: 'mps' | 'time-slice') => (): DecisionMaker =>
  policyOf(
    function* (view): Generator<Decision> {
      for (const job of view.queue) yield { kind: 'start', job, gpus: [0], share: 1 };
    },
    { mode },
  );
