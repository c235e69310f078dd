import { chooseRound, TimeShares } from '../../../policies/rounds/index.ts';
import { InputError } from '../../../sim/errors.ts';
import { PythonRandom } from '../python-random.ts';
import {
  type ActiveJob,
  activate,
  combine,
  type JobCombination,
  stepsLeft,
} from './combinations.ts';
import { LeaseCount } from './leases.ts';
import type { GavelAllocation, GavelRule } from './rule.ts';
import { ruleNamed } from './rules.ts';
import type { ThroughputTable } from './throughputs.ts';
import type { GavelJob } from './trace.ts';

/** In which the peer fills worker types that it does not shuffle. */
const FILL_ORDER = ['v100', 'p100', 'k80'];
/** Rounds without a step after which a job is given up. */
const MOST_FAILURES = 5;
/** What the seed of the shuffling of worker types is behind the seed of the run. */
const SHUFFLER_SEED = 5;

export interface GavelReplaySpec {
  readonly trace: readonly GavelJob[];
  readonly throughputs: ThroughputTable;
  /** GPUs by worker type: v100, p100, k80. */
  readonly cluster: Readonly<Record<string, number>>;
  /** Name of a rule. */
  readonly policy: string;
  /** 0 when absent. */
  readonly seed?: number;
  /** Longest round (`time_per_iteration`); 360 s when absent. */
  readonly roundS?: number;
  /** Least time between two allocations (`minimum_time_between_allocation_resets`); 1920 s. */
  readonly resetS?: number;
  /** `allox`: part of the waiting jobs that is looked at; 1 when absent. */
  readonly alpha?: number;
}

/** A job's line of the output. */
export interface GavelJobResult {
  readonly id: number;
  readonly arrivalS: number;
  /** NaN for a job that was given up. */
  readonly endS: number;
  readonly jctS: number;
}

export interface GavelReplay {
  /** In the order of the trace. */
  readonly jobs: readonly GavelJobResult[];
  /** Time of the last event. */
  readonly makespanS: number;
  /** Mean over the jobs that were not given up. */
  readonly averageJctS: number;
  /** Mean over GPUs of the time booked on them, over the makespan. */
  readonly utilization: number;
  readonly rounds: number;
  /** Jobs that kept their GPUs from one round to the next, and those that might have. */
  readonly leasesKept: number;
  readonly leasesOffered: number;
}

/** What runs in a round. */
interface Running {
  readonly combination: JobCombination;
  readonly type: number;
  readonly steps: readonly number[];
  readonly finishS: number;
}

/**
 * Gavel's simulator (`Scheduler.simulate` with a trace): rounds of whole steps, each as long as its
 * longest job, all jobs in lockstep. Its clock books a round from the end of the round before, also
 * where the cluster was idle in between.
 *
 * The solver of `policies/lp` has to be loaded.
 *
 * @throws {InputError} on a job that the throughput table does not have, and on one that can never run
 * @throws {RangeError} on an unknown policy
 */
export function replayGavel(spec: GavelReplaySpec): GavelReplay {
  return new Replay(spec).run();
}

class Replay {
  readonly #trace: readonly GavelJob[];
  readonly #throughputs: ThroughputTable;
  readonly #rule: GavelRule;
  readonly #roundS: number;
  readonly #resetS: number;
  readonly #workerTypes: readonly string[];
  readonly #gpus: readonly number[];
  readonly #allocate: (nowS: number) => GavelAllocation;
  readonly #shuffler: PythonRandom;
  readonly #books: TimeShares<JobCombination>;
  readonly #leases: LeaseCount;
  readonly #active = new Set<ActiveJob>();
  readonly #pairs = new Set<JobCombination>();
  readonly #results: GavelJobResult[] = [];
  #nowS = 0;
  #arrived = 0;
  #running: readonly Running[] = [];
  #roundStartS = 0;
  #roundEndS: number | null = null;
  #lastResetS = 0;
  #isChanged = true;
  #rounds = 0;
  #bookedS = 0;

  constructor(spec: GavelReplaySpec) {
    const { cluster, seed = 0, roundS = 360, resetS = 1920, alpha = 1 } = spec;
    this.#trace = spec.trace;
    this.#throughputs = spec.throughputs;
    this.#rule = ruleNamed(spec.policy);
    this.#roundS = roundS;
    this.#resetS = resetS;
    const types = Object.keys(cluster).filter((type) => (cluster[type] as number) > 0);
    this.#workerTypes = types.sort();
    this.#gpus = types.map((type) => cluster[type] as number);
    this.#shuffler = new PythonRandom(seed + SHUFFLER_SEED);
    this.#books = new TimeShares(types.length, roundS);
    this.#leases = new LeaseCount(this.#gpus);
    const allocate = this.#rule.create({ seed, alpha });
    this.#allocate = (nowS) =>
      allocate({
        nowS,
        workerTypes: this.#workerTypes,
        gpus: this.#gpus,
        jobs: [...this.#active],
        pairs: [...this.#pairs],
      });
  }

  run(): GavelReplay {
    const trace = this.#trace;
    this.#nowS = trace[0]?.arrivalS ?? 0;
    while (this.#results.length < trace.length) {
      this.#advance();
      this.#endRound();
      this.#admit();
      if (this.#results.length < trace.length) this.#startRound();
    }
    return this.#result();
  }

  /** To the end of the round, or to the next arrival where nothing runs. */
  #advance(): void {
    const next = this.#trace[this.#arrived];
    if (next === undefined && this.#running.length === 0) this.#lastResetS = 0;
    const finishS = Math.max(0, ...this.#running.map((running) => running.finishS));
    if (finishS > 0) {
      if (this.#roundEndS !== null) this.#roundStartS = this.#roundEndS;
      this.#roundEndS = finishS;
      this.#nowS = finishS;
    } else if (next !== undefined) {
      this.#nowS = next.arrivalS;
    } else if (this.#running.length === 0 && this.#rounds > 0) {
      this.#refuseIdle();
    }
  }

  #refuseIdle(): void {
    const [stuck] = this.#active;
    if (this.#isChanged || stuck === undefined) return;
    const { id, scaleFactor } = stuck.spec;
    const detail = `job ${id} (scale factor ${scaleFactor}) can never run on this cluster`;
    throw new InputError('--trace', null, null, detail);
  }

  /** Books what ran, the last to finish first, as the peer's heap gives them back. */
  #endRound(): void {
    const byFinish = [...this.#running].sort(
      (a, b) => b.finishS - a.finishS || firstId(a.combination) - firstId(b.combination),
    );
    for (const { combination, type, steps, finishS } of byFinish) {
      const ranS = finishS - this.#roundStartS;
      for (const job of combination.jobs) job.latestS = finishS;
      if (ranS <= 0 || !steps.every((count) => everyWorkerSteps(count, combination.gang))) {
        this.#fail(combination);
        continue;
      }
      combination.jobs.forEach((job, i) => {
        job.failures = 0;
        job.stepsRun += steps[i] as number;
      });
      this.#books.receive(combination, type, ranS);
      this.#bookedS += ranS * combination.gang;
      for (const job of combination.jobs) if (stepsLeft(job) <= 0) this.#remove(job, job.latestS);
    }
    this.#running = [];
  }

  #fail({ jobs }: JobCombination): void {
    this.#isChanged = true;
    const [job] = jobs;
    if (jobs.length > 1 || job === undefined) return;
    job.failures += 1;
    if (job.failures >= MOST_FAILURES) this.#remove(job, Number.NaN);
  }

  #remove(job: ActiveJob, endS: number): void {
    const { id, arrivalS } = job.spec;
    this.#results.push({ id, arrivalS, endS, jctS: endS - arrivalS });
    this.#active.delete(job);
    this.#books.remove(job.alone);
    for (const pair of this.#pairs) {
      if (!pair.jobs.includes(job)) continue;
      this.#pairs.delete(pair);
      this.#books.remove(pair);
    }
    this.#isChanged = true;
  }

  #admit(): void {
    for (;;) {
      const spec = this.#trace[this.#arrived];
      if (spec === undefined || spec.arrivalS > this.#nowS) return;
      this.#arrived += 1;
      const job = activate(spec, this.#workerTypes, this.#throughputs);
      this.#books.add(job.alone);
      if (this.#rule.packs) {
        for (const other of this.#active) {
          if (other.gang !== job.gang) continue;
          const pair = combine(other, job, this.#workerTypes, this.#throughputs);
          this.#pairs.add(pair);
          this.#books.add(pair, 0);
        }
      }
      this.#active.add(job);
      this.#isChanged = true;
    }
  }

  #startRound(): void {
    this.#reallocate();
    const rule = this.#rule;
    const types = FILL_ORDER.flatMap((name) => {
      const type = this.#workerTypes.indexOf(name);
      return type < 0 ? [] : [type];
    });
    if (rule.shuffles) this.#shuffler.shuffle(types);
    const chosen = chooseRound<JobCombination>({
      types,
      gpus: this.#gpus,
      order: (type) => this.#books.order(type),
      members: ({ jobs }) => jobs,
      mayRun: (combination, type) =>
        combination.rates.every((rates) => (rates[type] as number) > 0) &&
        (!rule.skipsIdleShares || this.#books.priority(combination, type) > 0),
    });
    // A job that came after the last allocation holds its place in the round without running.
    const runs = chosen.map((pieces) =>
      pieces.flatMap(({ combination }) => (this.#books.hasShare(combination) ? [combination] : [])),
    );
    this.#leases.next(runs, types, (job) => this.#active.has(job));
    this.#running = runs.flatMap((each, type) =>
      each.map((combination) => this.#start(combination, type)),
    );
    this.#rounds += 1;
  }

  #start(combination: JobCombination, type: number): Running {
    let finishS = this.#nowS;
    const steps = combination.jobs.map((job, i) => {
      const rate = combination.rates[i]?.[type] as number;
      const count = Math.min(Math.trunc(rate * this.#roundS), stepsLeft(job));
      finishS = Math.max(finishS, this.#nowS + count / rate);
      job.latestS = this.#nowS;
      return count;
    });
    return { combination, type, steps, finishS };
  }

  #reallocate(): void {
    const elapsedS = this.#nowS - this.#lastResetS;
    const isDue = elapsedS >= this.#resetS || this.#lastResetS === 0;
    if (!this.#isChanged || !isDue) return;
    this.#books.reset(elapsedS);
    this.#lastResetS = this.#nowS;
    this.#isChanged = false;
    const allocation = this.#allocate(this.#nowS);
    this.#books.setShares((combination) => allocation.get(combination) ?? null);
  }

  #result(): GavelReplay {
    const jobs = this.#results.sort((a, b) => a.id - b.id);
    const finished = jobs.filter(({ jctS }) => !Number.isNaN(jctS));
    const gpus = this.#gpus.reduce((sum, count) => sum + count, 0);
    return {
      jobs,
      makespanS: this.#nowS,
      averageJctS: finished.reduce((sum, { jctS }) => sum + jctS, 0) / finished.length,
      utilization: this.#bookedS / gpus / (this.#nowS - (this.#trace[0]?.arrivalS ?? 0)),
      rounds: this.#rounds,
      leasesKept: this.#leases.kept,
      leasesOffered: this.#leases.offered,
    };
  }
}

function firstId({ jobs }: JobCombination): number {
  return jobs[0]?.spec.id ?? -1;
}

/** Steps are dealt to the workers of a gang, the rest to the last: none may go without. */
function everyWorkerSteps(steps: number, gang: number): boolean {
  return steps > 0 && Math.floor(steps / gang) > 0;
}
