import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import type { PhillyAttempt, PhillyRecord } from './philly-record.ts';
import type { TraceClock } from './trace-clock.ts';
import { traceJob } from './trace-job.ts';
import type { ZeroDurationRule } from './zero-duration.ts';

/**
 * What the attempts of a job come to. `merged`: one job from the start of the first attempt to the end of
 * the last; `sum`: one job as long as all attempts that have both times; `separate`: each attempt a job,
 * submitted at the end of the one before.
 */
export type AttemptRule = 'merged' | 'sum' | 'separate';
/** Which attempt says how many GPUs a job asks for. */
export type GangRule = 'first' | 'largest';

interface TimedAttempt {
  readonly startS: number | null;
  readonly endS: number | null;
  readonly gpus: number;
}

/** An attempt on GPUs with both times. */
interface Run extends TimedAttempt {
  readonly startS: number;
  readonly endS: number;
}

/** Why an attempt says nothing of a run time; null when it does. */
function missing({ startS, endS, gpus }: TimedAttempt): DropReason | null {
  if (startS === null) return 'no_start';
  if (endS === null) return 'no_end';
  return gpus === 0 ? 'cpu_only' : null;
}

function isRun(attempt: TimedAttempt): attempt is Run {
  return missing(attempt) === null;
}

/** A record being turned into jobs. */
interface Subject {
  readonly record: PhillyRecord;
  readonly row: number;
  readonly submitS: number;
  readonly attempts: readonly TimedAttempt[];
}

/** Turns the records of the Philly job log into jobs, and counts what it assumed on the way. */
export class PhillyJobs {
  readonly #clock: TraceClock;
  readonly #attempts: AttemptRule;
  readonly #gang: GangRule;
  readonly #zero: ZeroDurationRule;
  #records = 0;
  #severalAttempts = 0;
  #otherGangs = 0;
  #gapGpuS = 0;
  #skipped = 0;
  #startBeforeArrival = 0;

  constructor(clock: TraceClock, attempts: AttemptRule, gang: GangRule, zero: ZeroDurationRule) {
    this.#clock = clock;
    this.#attempts = attempts;
    this.#gang = gang;
    this.#zero = zero;
  }

  /** The jobs of a record, or why there are none: one result, or one for each attempt. */
  jobsOf(record: PhillyRecord, row: number): readonly (TraceJob | DropReason)[] {
    const submitS = this.#clock.epochS(record.submitWallS);
    const attempts = this.#timed(record.attempts, submitS);
    this.#records += 1;
    if (attempts.length > 1) this.#severalAttempts += 1;
    if (attempts.some(({ gpus }) => gpus !== attempts[0]?.gpus)) this.#otherGangs += 1;
    if (attempts.length === 0) return ['no_start'];
    const subject = { record, row, submitS, attempts };
    switch (this.#attempts) {
      case 'merged':
        return [this.#merged(subject)];
      case 'sum':
        return [this.#summed(subject)];
      case 'separate':
        return this.#separate(subject);
    }
  }

  /** Times in the repeated hour are its first pass, unless that is before what must have come before. */
  #timed(attempts: readonly PhillyAttempt[], submitS: number): readonly TimedAttempt[] {
    let notBeforeS = submitS;
    const next = (wallS: number | null) => {
      if (wallS === null) return null;
      notBeforeS = this.#clock.epochS(wallS, notBeforeS);
      return notBeforeS;
    };
    return attempts.map(({ startWallS, endWallS, gpus }) => {
      const startS = next(startWallS);
      return { startS, endS: next(endWallS), gpus };
    });
  }

  #merged(subject: Subject): TraceJob | DropReason {
    const { attempts } = subject;
    const startS = attempts[0]?.startS ?? null;
    const endS = attempts.at(-1)?.endS ?? null;
    const gpus = this.#gangOf(attempts);
    const reason = missing({ startS, endS, gpus });
    if (reason !== null || startS === null || endS === null) return reason ?? 'no_end';
    const ranS = attempts
      .filter(isRun)
      .reduce((sum, run) => sum + Math.max(0, run.endS - run.startS), 0);
    this.#gapGpuS += Math.max(0, endS - startS - ranS) * gpus;
    return this.#job(subject, startS, endS - startS, gpus);
  }

  #summed(subject: Subject): TraceJob | DropReason {
    const { attempts } = subject;
    const runs = attempts.filter(isRun).filter(({ startS, endS }) => endS > startS);
    const [first] = runs;
    if (first === undefined) {
      const reasons = attempts.map(missing);
      return reasons.find((reason) => reason !== null) ?? 'nonpositive_duration';
    }
    this.#skipped += attempts.length - runs.length;
    const durationS = runs.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
    const gpus = this.#gangOf(runs);
    return this.#job(subject, first.startS, durationS, gpus);
  }

  #separate(subject: Subject): readonly (TraceJob | DropReason)[] {
    const { id } = subject.record;
    let arrivalS = subject.submitS;
    return subject.attempts.map((attempt, index) => {
      const part = {
        ...subject,
        record: { ...subject.record, id: `${id}#${index + 1}` },
        submitS: arrivalS,
      };
      if (attempt.endS !== null) arrivalS = Math.max(arrivalS, attempt.endS);
      if (!isRun(attempt)) return missing(attempt) ?? 'no_end';
      const { startS, endS, gpus } = attempt;
      return this.#job(part, startS, endS - startS, gpus);
    });
  }

  #gangOf(attempts: readonly TimedAttempt[]): number {
    if (this.#gang === 'first') return attempts[0]?.gpus ?? 0;
    return Math.max(...attempts.map(({ gpus }) => gpus));
  }

  #job(
    { record, row, submitS }: Subject,
    startS: number,
    ranS: number,
    gpuCount: number,
  ): TraceJob | DropReason {
    const durationS = this.#zero.apply(ranS);
    if (durationS === null) return 'nonpositive_duration';
    if (startS < submitS) this.#startBeforeArrival += 1;
    return traceJob({
      id: record.id,
      submitS,
      durationS,
      gpuCount,
      queuedS: startS < submitS ? null : startS - submitS,
      user: record.user,
      virtualCluster: record.virtualCluster,
      status: record.status,
      row,
    });
  }

  /** For the report. */
  assumed(): readonly string[] {
    const lines: string[] = [];
    const several = `${this.#severalAttempts} of ${this.#records} jobs have several attempts`;
    switch (this.#attempts) {
      case 'merged':
        lines.push(
          'run time is from the start of the first attempt to the end of the last',
          `${several}; ${(this.#gapGpuS / 3600).toFixed(1)} GPU-hours lie outside of attempts with both times`,
        );
        break;
      case 'sum':
        lines.push(
          'run time is the sum of the attempts with both times',
          `${several}; ${this.#skipped} attempts of jobs that are kept are not counted`,
        );
        break;
      case 'separate':
        lines.push(
          'each attempt is a row and a job, submitted at the end of the attempt before',
          several,
        );
    }
    if (this.#otherGangs > 0) {
      const taken = this.#attempts === 'separate' ? 'each its own' : `the ${this.#gang}`;
      lines.push(`${this.#otherGangs} jobs have attempts of different GPUs: ${taken} are taken`);
    }
    if (this.#startBeforeArrival > 0) {
      lines.push(`${this.#startBeforeArrival} jobs start before they arrive: no queueing time`);
    }
    return lines;
  }
}
