import path from 'node:path';
import type { Command } from 'commander';
import { findingsOf } from '../calibration/schema-findings.ts';
import { readYamlSource } from '../calibration/yaml.ts';
import { clusterFromText } from '../harness/clusters.ts';
import { DEFAULTS } from '../harness/defaults.ts';
import {
  isPolicyFile,
  optionValue,
  parsePolicyText,
  splitPolicyList,
} from '../harness/policy-text.ts';
import {
  clusterSchema,
  type ExperimentGiven,
  experimentSchema,
  SpecProblem,
} from '../harness/spec.ts';
import { readOptions, splitWord } from '../harness/word-options.ts';
import { InputError } from '../sim/errors.ts';
import { type CommonFlags, positiveNumber, repeatable } from './common.ts';
import { ofFlag } from './flag-error.ts';
import { type ShapeFlags, shapeGiven, withShapeOptions } from './shape-flags.ts';

/** Options that say what is run. */
export interface ExperimentFlags extends CommonFlags, ShapeFlags {
  readonly trace?: string;
  readonly format?: string;
  readonly assign?: string;
  readonly elastic?: number;
  readonly synth?: string;
  readonly referenceGpu?: string;
  readonly cluster?: string;
  readonly clusterScale?: number;
  readonly policy?: readonly string[];
  readonly seeds?: string;
  readonly reference?: string;
  readonly profiles?: readonly string[];
  readonly allowExtrapolated?: true;
  readonly sim?: readonly string[];
}

/** Adds the options that say what is run. */
export function withExperimentOptions(command: Command): Command {
  const { maxGpus, maxDurationS } = DEFAULTS.synth;
  const source = command
    .option('--trace <file>', 'jobs from a trace file')
    .option(
      '--format <name>',
      'format of the trace, or format:option=value,... (default: recognised)',
    )
    .option(
      '--synth <generator>',
      `jobs from a generator (default: philly, with gangs up to ${maxGpus} GPUs and run times up to ${maxDurationS} s); philly:maxGpus=64,maxDurationS=none moves or lifts a limit`,
    );
  return withShapeOptions(source, 'first jobs of the trace, or jobs to generate')
    .option('--assign <rule>', 'how jobs get models: rule, fixed:NAME or rule:option=value,...')
    .option(
      '--elastic <x>',
      'jobs run with 1 GPU up to so many times those that they ask for',
      positiveNumber,
    )
    .option(
      '--reference-gpu <type>',
      'GPU type of durations where the trace names none (default: V100 if the cluster has it)',
    )
    .option('--cluster <cluster>', 'preset, NODESxGPUS:TYPE,... or a YAML file')
    .option('--cluster-scale <x>', "factor on every group's nodes, at least one", positiveNumber)
    .option(
      '--policy <policy>',
      'name, name:option=value,... or ./file.ts; a comma list, or given again; all for every one (default: some of each kind)',
      repeatable,
    )
    .option('--seeds <seeds>', 'how many seeds, or a comma list of them')
    .option(
      '--reference <label>',
      'policy that changes are relative to (default: the first given, else fifo-fit)',
    )
    .option('--profiles <file>', 'profiles of your own, on top of those shipped', repeatable)
    .option('--allow-extrapolated', 'also shipped profiles without a measurement on their GPU type')
    .option(
      '--sim <key=value>',
      'option of the simulation, like failures.gpuMtbfS=1e6',
      repeatable,
    );
}

/** `a.b=c` pairs as one nested mapping. */
function nested(flag: string, pairs: readonly string[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new InputError(flag, null, null, `expected key=value, found '${pair}'`);
    const keys = pair.slice(0, equals).split('.');
    let at = root;
    for (const key of keys.slice(0, -1)) {
      const inner = at[key];
      const next = typeof inner === 'object' && inner !== null ? inner : {};
      at[key] = next;
      at = next as Record<string, unknown>;
    }
    at[keys.at(-1) as string] = optionValue(pair.slice(equals + 1));
  }
  return root;
}

function clusterOf(text: string): unknown {
  if (!/\.(ya?ml|json)$/i.test(text)) return clusterFromText(text);
  return readYamlSource(text, clusterSchema).value;
}

/** Paths of the command line start from the working folder. */
function policyOf(text: string) {
  const request = parsePolicyText(text);
  if (!isPolicyFile(request.name)) return request;
  const label = path.basename(request.name).replace(/\.[^.]*$/, '');
  const given = Object.entries(request.options).map(([name, value]) => `${name}=${value}`);
  return {
    ...request,
    name: path.resolve(request.name),
    label: given.length === 0 ? label : `${label}:${given.join(',')}`,
  };
}

function seedsOf(text: string): unknown {
  const list = text.split(',').map((part) => optionValue(part.trim()));
  return list.length === 1 ? list[0] : list;
}

function rawExperiment(flags: ExperimentFlags): Record<string, unknown> {
  const { trace, format, referenceGpu, assign, synth, cluster, policy, profiles } = flags;
  const raw: Record<string, unknown> = {};
  const workload: Record<string, unknown> = {
    ...shapeGiven(flags),
    referenceGpu,
    assign,
    elastic: flags.elastic,
    synth,
  };
  if (format !== undefined) {
    const split = splitWord(format);
    workload.format = split.word;
    if (split.rest !== null) workload.settings = ofFlag('--format', () => readOptions(split));
  }
  if (trace !== undefined) workload.trace = path.resolve(trace);
  const given = Object.entries(workload).filter(([, value]) => value !== undefined);
  if (given.length > 0) raw.workload = Object.fromEntries(given);
  if (cluster !== undefined) raw.cluster = ofFlag('--cluster', () => clusterOf(cluster));
  if (flags.clusterScale !== undefined) raw.clusterScale = flags.clusterScale;
  if (policy !== undefined) {
    raw.policies = ofFlag('--policy', () => policy.flatMap(splitPolicyList).map(policyOf));
  }
  if (flags.seeds !== undefined) raw.seeds = seedsOf(flags.seeds);
  if (flags.reference !== undefined) raw.reference = flags.reference;
  if (profiles !== undefined) raw.profiles = profiles.map((file) => path.resolve(file));
  if (flags.allowExtrapolated === true) raw.allowExtrapolated = true;
  if (flags.sim !== undefined) raw.simulation = nested('--sim', flags.sim);
  return raw;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flag that a field of the experiment comes from. */
export function flagOf(place: readonly PropertyKey[]): string {
  const [first, second] = place.map(String);
  if (first === 'workload') {
    if (second === 'settings') return '--format';
    if (second === 'synth') return `--${place.slice(1).map(String).join(' ')}`;
    return `--${kebab((second ?? 'trace').replace(/S$/, ''))}`;
  }
  if (first === 'policies') return '--policy';
  if (first === 'simulation') return `--sim ${place.slice(1).map(String).join('.')}`;
  return `--${kebab(first ?? 'experiment')}`;
}

/** Turns a problem of the experiment into one of the flag that it comes from. */
export function asFlagError(error: unknown): unknown {
  if (!(error instanceof SpecProblem)) return error;
  return new InputError(flagOf(error.path), null, null, error.message);
}

/**
 * The experiment that flags describe, with nothing filled in.
 * @throws {InputError} naming the flag
 */
export function experimentFromFlags(flags: ExperimentFlags): ExperimentGiven {
  const raw = rawExperiment(flags);
  const parsed = experimentSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [finding] = findingsOf(parsed.error.issues, experimentSchema, raw);
  if (finding === undefined) throw new InputError('options', null, null, parsed.error.message);
  throw new InputError(flagOf(finding.path), null, null, finding.detail);
}
