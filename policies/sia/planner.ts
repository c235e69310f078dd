import type { JobView } from '../../sim/job-view.ts';
import type { Holding, Plan, Planner, PlanState, TypeRoom } from '../elastic/index.ts';
import type { ChoiceSet, Choices } from './configurations.ts';
import { costOf, netCostOf, type SiaWeights } from './program.ts';
import type { ProgramRow, RowCounts, RowOption } from './rows.ts';
import { solveWhole } from './whole.ts';

export interface SiaOptions {
  readonly weights: SiaWeights;
  /** Seconds that a restart costs, as the age factor counts them. */
  readonly restartS: number;
  /** Choices that the age factor weighs: all but the present one, or only those of its type. */
  readonly penaltyScope: 'all' | 'same-type';
  /** With more jobs than this a round is the rounded relaxation, which is not always an optimum. */
  readonly exactJobs: number;
}

/** What the planner knows of a job. */
interface SiaJob {
  readonly job: JobView;
  /** Largest gang that it has had. */
  most: number;
  restarts: number;
  set: ChoiceSet;
}

/** Jobs that the program cannot tell apart: the same choices, costs and present choice. */
interface AlikeJobs {
  readonly set: ChoiceSet;
  readonly row: ProgramRow;
  readonly jobs: Iterable<SiaJob>;
}

/** Age factor below which a job's growth is still held back by its youth. */
const YOUNG = 0.9;

/**
 * A round of Sia: what each job runs as follows from one integer program over all jobs. A new job starts
 * with its least number of GPUs and may have at most twice what it has had before.
 *
 * Jobs that are alike are one row with an integer instead of many with a bit each, which changes no optimum.
 * Of more than `exactJobs` jobs the linear relaxation is rounded.
 */
export class SiaPlanner implements Planner {
  readonly #choices: Choices;
  readonly #options: SiaOptions;
  readonly #jobs = new Map<JobView, SiaJob>();
  /** Jobs with GPUs, or that are about to get some. */
  readonly #running = new Set<SiaJob>();
  /** Jobs that wait, by the number of their set of choices. */
  readonly #waiting = new Map<number, Set<SiaJob>>();
  /** Rounds with an optimum for certain, and those with a rounded relaxation that may be none. */
  provenRounds = 0;
  roundedRounds = 0;

  constructor(choices: Choices, options: SiaOptions) {
    this.#choices = choices;
    this.#options = options;
  }

  enter(job: JobView): null {
    const set = this.#choices.of(job, job.minGpus);
    const known: SiaJob = { job, most: 0, restarts: 0, set };
    this.#jobs.set(job, known);
    this.#wait(known);
    return null;
  }

  leave(job: JobView): void {
    const known = this.#jobs.get(job);
    if (known === undefined) return;
    this.#jobs.delete(job);
    this.#running.delete(known);
    this.#waiting.get(known.set.id)?.delete(known);
  }

  plan(state: PlanState): Plan {
    const alike = [...this.#runningRows(state), ...this.#waitingRows()];
    const rows = alike.map(({ row }) => row);
    const counts = this.#solve(rows, state.room);
    const targets = new Map<JobView, Holding>();
    for (const [index, { set, jobs }] of alike.entries()) {
      const ofRow = counts[index] as readonly number[];
      let choice = 0;
      let left = ofRow[0] ?? 0;
      for (const { job } of jobs) {
        while (left === 0 && choice < ofRow.length) {
          choice += 1;
          left = ofRow[choice] ?? 0;
        }
        const chosen = set.choices[choice];
        if (chosen === undefined) break;
        targets.set(job, chosen);
        left -= 1;
      }
    }
    const changes = this.#note(state, targets);
    return { targets, againAtS: this.#mayGrow(state, changes) ? state.nowS : Infinity };
  }

  #wait(known: SiaJob): void {
    const { id } = known.set;
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(known));
  }

  /** Rows of jobs with GPUs; those that have lost them wait again. */
  #runningRows({ nowS, holding }: PlanState): Iterable<AlikeJobs> {
    const groups = new Map<string, { set: ChoiceSet; options: RowOption[]; jobs: SiaJob[] }>();
    for (const known of this.#running) {
      const held = holding(known.job);
      if (held === null) {
        this.#running.delete(known);
        this.#wait(known);
        continue;
      }
      const { set } = known;
      const previous = set.choices.findIndex((c) => c.type === held.type && c.gpus === held.gpus);
      const options = this.#optionsOf(set, previous, this.#ageFactor(known, nowS));
      const key = `${set.id} ${previous} ${options.map(({ cost }) => cost.toFixed(3)).join(' ')}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { set, options, jobs: [known] });
      else group.jobs.push(known);
    }
    return [...groups.values()].map(({ set, options, jobs }) => ({
      set,
      row: { copies: jobs.length, options },
      jobs,
    }));
  }

  #waitingRows(): AlikeJobs[] {
    const rows: AlikeJobs[] = [];
    for (const jobs of this.#waiting.values()) {
      const [first] = jobs;
      if (first === undefined) continue;
      const { set } = first;
      rows.push({ set, row: { copies: jobs.size, options: this.#optionsOf(set, -1, 1) }, jobs });
    }
    return rows;
  }

  /** @param previous the present choice, or -1 */
  #optionsOf({ choices }: ChoiceSet, previous: number, factor: number): RowOption[] {
    const { weights, penaltyScope } = this.#options;
    const present = choices[previous];
    return choices.map(({ type, gpus, speed }, index) => {
      const inScope = penaltyScope === 'all' || present?.type === type;
      const isPenalised = present !== undefined && index !== previous && inScope;
      const cost = costOf(isPenalised ? speed * factor : speed, weights.fairness);
      return { type, gpus, cost: netCostOf(cost, index, present ? previous : null, weights) };
    });
  }

  /** What a restart leaves of a job's speed, by its age and the restarts that it has had. */
  #ageFactor({ job, restarts }: SiaJob, nowS: number): number {
    const { restartS } = this.#options;
    const ageS = nowS - job.submitS;
    return Math.max(ageS - restartS * restarts, 0) / (ageS + restartS);
  }

  #solve(rows: readonly ProgramRow[], room: TypeRoom): RowCounts {
    const { exactJobs, weights } = this.#options;
    const { idleCost, changeCost } = weights;
    // Costs of speeds are rounded to cents.
    const isCents = [idleCost, changeCost].every(isWholeCents);
    const { counts, isProven } = solveWhole('sia round', rows, room.lefts(), {
      exact: this.#jobs.size <= exactJobs,
      unit: isCents ? 0.01 : 0,
    });
    if (isProven) this.provenRounds += 1;
    else this.roundedRounds += 1;
    return counts;
  }

  /** Keeps what a plan changes. @returns whether it changes anything */
  #note({ holding }: PlanState, targets: ReadonlyMap<JobView, Holding>): boolean {
    let changes = false;
    for (const known of this.#running) {
      if (targets.has(known.job)) continue;
      changes = true;
      this.#running.delete(known);
      this.#wait(known);
    }
    for (const [job, { type, gpus }] of targets) {
      const held = holding(job);
      if (held?.type === type && held.gpus === gpus) continue;
      changes = true;
      const known = this.#jobs.get(job) as SiaJob;
      if (job.hasStarted) known.restarts += 1;
      this.#waiting.get(known.set.id)?.delete(known);
      this.#running.add(known);
      known.most = Math.max(known.most, gpus);
      const limit = Math.max(job.minGpus, Math.min(job.maxGpus, 2 * known.most));
      known.set = this.#choices.of(job, limit);
    }
    return changes;
  }

  /** Whether a job may grow in the next round though nothing else happens. */
  #mayGrow({ nowS }: PlanState, changes: boolean): boolean {
    for (const known of this.#running) {
      const isGrowing = known.most < known.job.maxGpus;
      if (isGrowing && (changes || this.#ageFactor(known, nowS) < YOUNG)) return true;
    }
    return false;
  }
}

function isWholeCents(cost: number): boolean {
  return Math.abs(cost * 100 - Math.round(cost * 100)) < 1e-9;
}
