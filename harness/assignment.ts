import { nearest } from '../sim/errors.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import { ASSIGNMENT_RULES } from '../traces/assign/assign.ts';
import { located, oneOf } from './located.ts';
import type { ResolvedAssignment } from './resolved.ts';
import { SpecProblem, type WorkloadGiven } from './spec.ts';

type Options = ResolvedAssignment['options'];

/** What a rule takes: the names of its options, and how they are written. */
export interface RuleUsage {
  readonly names: readonly string[];
  readonly usage: string;
}

const NOTHING: RuleUsage = { names: [], usage: 'no options' };

/** How the options of every assignment rule are written. */
export const RULE_USAGE: Readonly<Record<string, RuleUsage>> = {
  column: { names: ['map', 'known'], usage: 'no options or {map: {NAME: WORKLOAD, ...}}' },
  fixed: { names: ['workload'], usage: 'workload=NAME' },
  'gavel-mix': NOTHING,
  'pai-tag': {
    names: ['map', 'fallback'],
    usage: 'no options, fallback=RULE or {map: {TAG: WORKLOAD, ...}, fallback: RULE}',
  },
  'pollux-gpu-hours': NOTHING,
  uniform: { names: ['workloads'], usage: 'NAME,... or {workloads: [NAME, ...]}' },
  'zeus-runtime': NOTHING,
};

function optionsText(options: Options, names: readonly string[]): string {
  const found = Object.entries(options).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  if (found.length === 0) return 'no options';
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  const near = unknown === undefined ? null : nearest(unknown, names);
  return `${found.join(',')}${near === null ? '' : `, did you mean '${near}'?`}`;
}

/** Asks the rule itself, without any job. @throws {RangeError} that says how they are written */
function checkOptions(rule: string, options: Options): void {
  try {
    ASSIGNMENT_RULES.get(rule)?.prepare(options, []);
  } catch {
    const { names, usage } = RULE_USAGE[rule] ?? NOTHING;
    throw new RangeError(`${rule}: expected ${usage}, found ${optionsText(options, names)}`);
  }
}

/** Workloads that options name. */
function workloadsIn({ workload, workloads, map }: Options): unknown[] {
  return [workload, workloads, Object.values(map ?? {})].flat();
}

/**
 * Checks how jobs are to get their workloads, as far as that needs no job.
 * @throws {SpecProblem} naming the rule, and what was expected and found
 */
export async function resolveAssignment(
  { assign, trace }: WorkloadGiven,
  profiles: ProfileSet,
): Promise<ResolvedAssignment | null> {
  if (assign === undefined) return null;
  const { rule, options = {} } = assign;
  const place = ['workload', 'assign'];
  await located([...place, 'rule'], () => {
    oneOf('assignment rule', rule, [...ASSIGNMENT_RULES.keys()]);
  });
  if (rule === 'column' && trace === undefined) {
    const detail = 'column: expected a trace that names models, found a generator';
    throw new SpecProblem([...place, 'rule'], detail);
  }
  const known = profiles.workloads.map((workload) => workload.name);
  await located([...place, 'options'], () => {
    checkOptions(rule, options);
    for (const name of workloadsIn(options)) {
      if (typeof name === 'string') oneOf('workload', name, known);
    }
  });
  return { rule, options };
}
