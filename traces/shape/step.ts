import { InputError } from '../../sim/errors.ts';
import { type DropReason, type QualityReport, reportAfter } from '../report.ts';
import type { TraceJob } from '../workload.ts';

/** Jobs sorted by submission, with their report: what an import or a generator gives. */
export interface JobList {
  readonly jobs: readonly TraceJob[];
  readonly report: QualityReport;
}

/** What a step made of its jobs, and its lines for the report. */
export interface StepResult {
  readonly jobs: readonly TraceJob[];
  readonly dropped?: Readonly<Partial<Record<DropReason, number>>>;
  readonly lines: readonly string[];
}

/** One way to shape a trace. Pure; keeps the order by submission. */
export type ShapeStep = (jobs: readonly TraceJob[]) => StepResult;

/** Takes the steps one after the other; the report gets the lines of each. */
export function applySteps(list: JobList, steps: readonly ShapeStep[]): JobList {
  if (steps.length === 0) return list;
  const dropped: Partial<Record<DropReason, number>> = {};
  const assumed: string[] = [];
  let { jobs } = list;
  for (const step of steps) {
    const result = step(jobs);
    jobs = result.jobs;
    assumed.push(...result.lines);
    for (const [reason, count] of Object.entries(result.dropped ?? {}) as [DropReason, number][]) {
      dropped[reason] = (dropped[reason] ?? 0) + count;
    }
  }
  return { jobs, report: reportAfter(list.report, jobs, { dropped, assumed }) };
}

/** An error in what is asked of a step. */
export function shapeError(detail: string): InputError {
  return new InputError('options', null, null, detail);
}

/** Refuses a number that a step can do nothing with. */
export function refuse(name: string, expected: string, found: number): never {
  throw shapeError(`${name}: expected ${expected}, found ${found}`);
}
