import { z } from 'zod';
import { show } from '../calibration/schema-findings.ts';
import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import { nearest } from '../sim/errors.ts';
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

/** The built-in generators of jobs. */
export const GENERATORS = ['philly'] as const;

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

const synthSchema = orText(
  (text) => {
    const split = splitWord(text);
    return { ...readOptions(split), generator: split.word };
  },
  z.strictObject({
    generator: shown<(typeof GENERATORS)[number]>(
      `one of ${GENERATORS.join(', ')}`,
      (value) => GENERATORS.some((name) => name === value),
      GENERATORS,
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
  }),
);

const workloadSchema = z
  .strictObject({
    trace: z.string().min(1).optional(),
    format: z.string().min(1).optional(),
    /** Options of the importer. */
    settings: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    maxBadRows: wholeFrom(0).optional(),
    synth: synthSchema.optional(),
    /** Only the first so many jobs of a trace; how many a generator makes. */
    jobs: wholeFrom(1).optional(),
    /** Only the jobs of a trace that were submitted in [fromS, toS). */
    window: z.strictObject({ fromS: z.number(), toS: z.number() }).optional(),
    /** Offered load on the cluster: the time between submissions is scaled to it. */
    load: z.number().positive().optional(),
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
