import { z } from 'zod';
import { nearest } from '../sim/errors.ts';

/** One thing that is wrong with a checked value, in the words of the house. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  /** What was expected and what was found. */
  readonly detail: string;
  /** True when the key is wrong and not its value. */
  readonly onKey: boolean;
}

type Issue = z.core.$ZodIssue;

/**
 * Turns the issues of a schema into findings: each says what was expected and what was found, and
 * an unknown key or word comes with the nearest that is known.
 *
 * @param raw the value before the check
 */
export function findingsOf(issues: readonly Issue[], schema: z.ZodType, raw: unknown): Finding[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const known = keysAt(schema, issue.path);
      return issue.keys.map((key) => ({
        path: [...issue.path, key],
        detail: unknownKey(key, known),
        onKey: true,
      }));
    }
    if (issue.code === 'invalid_union') return unionFindings(issue, schema, raw);
    const value = valueAt(raw, issue.path);
    return [{ path: issue.path, detail: detailOf(issue, value), onKey: false }];
  });
}

/** A short rendering of a value for an error message. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string')
    return `'${value.length > 60 ? `${value.slice(0, 57)}...` : value}'`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  if (near !== null) return `unknown key, did you mean '${near}'?`;
  return known.length === 0
    ? 'unknown key'
    : `unknown key, expected one of: ${[...known].sort().join(', ')}`;
}

function detailOf(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeName(issue.expected)}, found ${show(value)}`;
    case 'too_small': {
      const bound = `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
      return `expected ${bound}${unitOf(issue.origin)}, found ${show(value)}`;
    }
    case 'too_big': {
      const bound = `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
      return `expected ${bound}${unitOf(issue.origin)}, found ${show(value)}`;
    }
    case 'invalid_value':
      return invalidValue(issue.values, value);
    case 'custom':
      return issue.message;
    default:
      return `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}, found ${show(value)}`;
  }
}

function invalidValue(values: readonly unknown[], value: unknown): string {
  const words = values.filter((word) => typeof word === 'string');
  const near = typeof value === 'string' ? nearest(value, words) : null;
  const hint = near === null ? '' : `, did you mean '${near}'?`;
  return `expected one of ${values.map(show).join(', ')}, found ${show(value)}${hint}`;
}

function typeName(expected: string): string {
  if (expected === 'object' || expected === 'record') return 'a mapping';
  if (expected === 'array') return 'a list';
  if (expected === 'int') return 'a whole number';
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' items' : '';
}

/** Of a union, the branch that got furthest: the one whose complaints lie deepest, then are fewest. */
function unionFindings(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  schema: z.ZodType,
  raw: unknown,
): Finding[] {
  const value = valueAt(raw, issue.path);
  const branches = issue.errors
    .map((errors) =>
      findingsOf(
        errors.map((error) => ({ ...error, path: [...issue.path, ...error.path] })),
        schema,
        raw,
      ),
    )
    .filter((findings) => findings.length > 0);
  const depth = (findings: readonly Finding[]): number =>
    Math.max(...findings.map(({ path }) => path.length));
  branches.sort((a, b) => depth(b) - depth(a) || a.length - b.length);
  const [best, second] = branches;
  if (best === undefined) {
    return [
      { path: issue.path, detail: `${unionChoice(issue)}, found ${show(value)}`, onKey: false },
    ];
  }
  // Branches that all fail at the union itself are alternatives: name them together.
  if (second !== undefined && depth(best) === issue.path.length) {
    const wants = branches.flatMap((findings) =>
      findings.map(({ detail }) => detail.replace(/^expected /, '').replace(/, found .*$/, '')),
    );
    const detail = `expected ${[...new Set(wants)].join(' or ')}, found ${show(value)}`;
    return [{ path: issue.path, detail, onKey: false }];
  }
  return best;
}

function unionChoice(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : [];
  return options.length === 0
    ? 'expected another value'
    : `expected one of ${options.map(show).join(', ')}`;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value: unknown = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/** The keys that a schema knows at a path, over all branches that lead there. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [step, ...rest] = path;
  const keys = inside(schema).flatMap((inner) => {
    if (inner instanceof z.ZodObject) {
      const shape = inner.shape as Record<string, z.core.$ZodType>;
      if (step === undefined) return Object.keys(shape);
      const next = shape[String(step)];
      return next === undefined ? [] : keysAt(next, rest);
    }
    if (step === undefined) return [];
    if (inner instanceof z.ZodArray) return keysAt(inner.element, rest);
    if (inner instanceof z.ZodRecord) return keysAt(inner.valueType, rest);
    return [];
  });
  return [...new Set(keys)];
}

/** A schema without its wrappers; a union or a pipe has several inside. */
function inside(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(inside);
  if (schema instanceof z.ZodPipe) return [...inside(schema.in), ...inside(schema.out)];
  if (schema instanceof z.ZodLazy) return inside(schema.unwrap());
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodCatch
  ) {
    return inside(schema.unwrap());
  }
  return [schema];
}
