import { z } from 'zod';
import { InputError } from '../../sim/errors.ts';
import type { TraceJob } from '../workload.ts';

/** A rule made ready for one set of jobs. */
export interface Picker {
  /** Pure: the workload of a job, given one uniform draw from [0, 1), which it need not use. */
  pick(job: TraceJob, draw: number): string;
  /** Options with their defaults, for the record. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the rule assumes, and where it departs from its source. */
  readonly assumed: readonly string[];
}

/** A way to give jobs the model that the trace does not name. */
export interface AssignmentRule {
  readonly name: string;
  readonly title: string;
  /** `jobs` are sorted by submission. Bad options are an `InputError`. */
  prepare(options: unknown, jobs: readonly TraceJob[]): Picker;
}

/** An error in the options of a rule. */
export function ruleError(rule: string, detail: string): InputError {
  return new InputError('options', null, null, `assignment rule ${rule}: ${detail}`);
}

/** Options checked against their schema. */
export function ruleOptions<T>(rule: string, schema: z.ZodType<T>, options: unknown): T {
  const result = schema.safeParse(options ?? {});
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => {
    const field = issue.path.length === 0 ? 'options' : issue.path.join('.');
    return `${field}: ${issue.message.toLowerCase()}`;
  });
  throw ruleError(rule, issues.join('; '));
}

/** A workload name in options. */
export const workloadName = z.string().min(1);

/** The element at a uniform draw from [0, 1). */
export function pickUniform(rule: string, names: readonly string[], draw: number): string {
  const name = names[Math.floor(draw * names.length)];
  if (name === undefined) throw ruleError(rule, 'has no workload to choose from');
  return name;
}
