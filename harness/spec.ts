import { z } from 'zod';
import { findingsOf, show } from '../calibration/schema-findings.ts';
import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import { InputError, nearest } from '../sim/errors.ts';
import { GENERATORS } from '../traces/synth/index.ts';
import { clusterFromText } from './clusters.ts';
import { type PolicyRequest, parsePolicyText } from './policy-text.ts';
import { simulationSchema } from './simulation-schema.ts';
import { readOptions, splitWord } from './word-options.ts';

type Issues = { addIssue(message: string): void };

/** Lets a field be given as a word, which `read` turns into the object that the field really is. */
function orText<T extends z.ZodType>(read: (text: string) => unknown, schema: T) {
  return z.preprocess((value, context: Issues) => {
    if (typeof value !== 'string') return value;
    try {
      return read(value);
    } catch (error) {
      context.addIssue(error instanceof Error ? error.message : String(error));
      return z.NEVER;
    }
  }, schema);
}

const wholeFrom = (min: number) => z.int().min(min);

/** Rules whose options may be just names, as in `fixed:NAME`. */
const BARE_NAMES: Readonly<Record<string, (names: readonly string[]) => object>> = {
  fixed: (names) => ({ workload: names.join(',') }),
  uniform: (names) => ({ workloads: names }),
};

/** Reads `rule`, `rule:option=value,...`, `rule:{yaml}`, and `fixed:NAME` or `uniform:NAME,...`. */
function assignmentFromText(text: string) {
  const split = splitWord(text);
  const { word: rule, rest } = split;
  if (rest === null) return { rule };
  const bare = /[={]/.test(rest) || rest === '' ? undefined : BARE_NAMES[rule];
  const names = rest.split(',').map((name) => name.trim());
  return { rule, options: bare?.(names) ?? readOptions(split) };
}

const assignSchema = orText(
  assignmentFromText,
  z.strictObject({
    rule: z.string().min(1),
    options: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** A value whose error shows it, also where it comes from the middle of a word. */
function shown<T>(
  expected: string,
  is: (value: unknown) => boolean,
  words: readonly string[] = [],
) {
  return z.custom<T>(is, {
    error: ({ input }) => {
      const near = typeof input === 'string' ? nearest(input, words) : null;
      const hint = near === null ? '' : `, did you mean '${near}'?`;
      return `expected ${expected}, found ${show(input)}${hint}`;
    },
  });
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** Options that every generator takes; those of its own go under `settings`. */
const COMMON_SYNTH = ['maxGpus', 'maxDurationS', 'ratePerS'];

/** Reads `generator` and `generator:option=value,...`. */
function synthFromText(text: string): object {
  const split = splitWord(text);
  const options = Object.entries(readOptions(split));
  const common = options.filter(([name]) => COMMON_SYNTH.includes(name));
  const own = options.filter(([name]) => !COMMON_SYNTH.includes(name));
  return {
    ...Object.fromEntries(common),
    ...(own.length === 0 ? {} : { settings: Object.fromEntries(own) }),
    generator: split.word,
  };
}

const generatorNames = [...GENERATORS.keys()];

const synthSchema = orText(
  synthFromText,
  z.strictObject({
    generator: shown<string>(
      `one of ${generatorNames.join(', ')}`,
      (value) => generatorNames.some((name) => name === value),
      generatorNames,
    ),
    /** Larger gangs are not drawn; the word `none` lifts the limit. */
    maxGpus: shown<number | 'none'>(
      "a whole number from 1 or 'none'",
      (value) => value === 'none' || (Number.isSafeInteger(value) && (value as number) >= 1),
      ['none'],
    ).optional(),
    /** Longer jobs are cut to this; the word `none` lifts the limit. */
    maxDurationS: shown<number | 'none'>(
      "a number of seconds from 1 or 'none'",
      (value) => value === 'none' || (isNumber(value) && value >= 1),
      ['none'],
    ).optional(),
    /** Mean submissions a second, instead of a load. */
    ratePerS: shown<number>('a number above 0', (value) => isNumber(value) && value > 0).optional(),
    /** Options of the generator itself. */
    settings: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
);

/** Reads `actual`, `requested`, `capped:S`, and `requested:capS=S`. */
function durationFromText(text: string): object {
  const split = splitWord(text);
  if (split.word !== 'capped') return { ...readOptions(split), of: split.word };
  return { of: 'actual', capS: Number(split.rest ?? Number.NaN) };
}

const DURATIONS = ['actual', 'requested'] as const;

const durationSchema = orText(
  durationFromText,
  z.strictObject({
    /** The trace's own run times, or those that users asked for. */
    of: shown<(typeof DURATIONS)[number]>(
      'actual, requested or capped:SECONDS',
      (value) => DURATIONS.some((name) => name === value),
      [...DURATIONS, 'capped'],
    ).default('actual'),
    /** Longer ones are cut to this. */
    capS: shown<number>(
      'a number of seconds above 0',
      (value) => isNumber(value) && value > 0,
    ).optional(),
  }),
);

/** Fields that shape the jobs of a trace; a generator has no use for them. */
export const shapeFields = {
  /** Only jobs of these virtual clusters. */
  virtualClusters: z.array(z.string().min(1)).min(1).optional(),
  /** Only jobs that were submitted in [fromS, toS). */
  window: z.strictObject({ fromS: z.number(), toS: z.number() }).optional(),
  duration: durationSchema.optional(),
  /** Shorter jobs are left out. */
  minDurationS: z.number().min(0).optional(),
  /** Longer jobs are left out. */
  dropLongerS: z.number().positive().optional(),
  /** Jobs of larger gangs are left out. */
  maxGang: wholeFrom(1).optional(),
  /** A part of the jobs, or how many of them, drawn with the seed. */
  sample: shown<number>(
    'a part below 1 or a whole number of jobs',
    (value) => isNumber(value) && value > 0 && (value < 1 || Number.isSafeInteger(value)),
  ).optional(),
  /** Factor on the time between submissions. */
  timeScale: z.number().positive().optional(),
} as const;

/** Fields that say how a trace is read. */
const readFields = {
  format: z.string().min(1).optional(),
  /** Options of the importer. */
  settings: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  maxBadRows: wholeFrom(0).optional(),
} as const;

/** Fields of a workload that need a trace. */
export const TRACE_FIELDS = [
  ...(Object.keys(readFields) as (keyof typeof readFields)[]),
  ...(Object.keys(shapeFields) as (keyof typeof shapeFields)[]),
] as const;

const workloadSchema = z
  .strictObject({
    trace: z.string().min(1).optional(),
    ...readFields,
    synth: synthSchema.optional(),
    ...shapeFields,
    /** Only the first so many jobs of a trace; how many a generator makes. */
    jobs: wholeFrom(1).optional(),
    /** Offered load on the cluster: the time between submissions is scaled to it. */
    load: z.number().positive().optional(),
    /** Makes jobs elastic: from 1 GPU up to so many times their own gang. */
    elastic: z.number().min(1).optional(),
    /** GPU type that durations refer to where the trace does not say. */
    referenceGpu: z.string().min(1).optional(),
    assign: assignSchema.optional(),
  })
  .refine(({ trace, synth }) => trace === undefined || synth === undefined, {
    path: ['synth'],
    error: 'trace and synth exclude each other',
  });

const groupSchema = z.strictObject({
  gpuType: z.string().min(1),
  gpusPerNode: wholeFrom(1),
  nodes: wholeFrom(1),
});

/** A cluster as a word or a mapping. */
export const clusterSchema = orText(
  clusterFromText,
  z.strictObject({
    name: z.string().min(1).default('cluster'),
    groups: z.array(groupSchema).min(1),
  }),
);

const policySchema = orText(
  parsePolicyText,
  z.strictObject({
    /** Registered name, or path of a file that exports a policy. */
    name: z.string().min(1),
    label: z.string().min(1).optional(),
    options: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])).default({}),
    /** Error on the speeds and powers that the policy is told: deviation of its logarithm. */
    profileNoise: z.number().min(0).optional(),
  }),
);

const seedsSchema = z.union([wholeFrom(1), z.array(wholeFrom(0)).min(1)], {
  error: 'expected how many seeds, or a list of seeds (whole numbers from 0)',
});

/** An experiment as a YAML file states it. Everything may be left out. */
export const experimentSchema = z.strictObject({
  name: z.string().min(1).optional(),
  workload: workloadSchema.optional(),
  cluster: clusterSchema.optional(),
  /** Factor on the nodes of every group, which keeps at least one. */
  clusterScale: z.number().positive().optional(),
  policies: z.array(policySchema).min(1).optional(),
  seeds: seedsSchema.optional(),
  /** Label of the policy that all changes are relative to; default: the first. */
  reference: z.string().min(1).optional(),
  /** Files with profiles of the user's own. */
  profiles: z.array(z.string().min(1)).optional(),
  /** Also shipped profiles that rest on no measurement on their GPU type. */
  allowExtrapolated: z.boolean().optional(),
  simulation: simulationSchema.optional(),
  output: z.string().min(1).optional(),
});

/** An experiment as given, in normal form but with nothing filled in. */
export type ExperimentGiven = z.infer<typeof experimentSchema>;
/** A workload as given. */
export type WorkloadGiven = z.infer<typeof workloadSchema>;
/** A policy as given. */
export type PolicyGiven = PolicyRequest & {
  readonly label?: string | undefined;
  readonly profileNoise?: number | undefined;
};
/** A cluster as given. */
export type ClusterGiven = ClusterSpec;

/** Something wrong in an experiment that a schema cannot see; `path` leads to the field. */
export class SpecProblem extends Error {
  override readonly name = 'SpecProblem';
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * The fields of a workload that a command line gives, checked.
 * @param placeOf what a message calls a field
 * @throws {InputError} naming the first field that is wrong
 */
export function workloadFromRaw(
  raw: unknown,
  placeOf: (place: readonly PropertyKey[]) => string,
): WorkloadGiven {
  const parsed = workloadSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [finding] = findingsOf(parsed.error.issues, workloadSchema, raw);
  if (finding === undefined) throw new InputError('options', null, null, parsed.error.message);
  throw new InputError(placeOf(['workload', ...finding.path]), null, null, finding.detail);
}
