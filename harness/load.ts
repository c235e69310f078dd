import path from 'node:path';
import { z } from 'zod';
import { readYamlSource } from '../calibration/yaml.ts';
import { defaultLabel } from './policy-text.ts';
import { type ResolveContext, resolveExperiment } from './resolve.ts';
import type { ResolvedExperiment } from './resolved.ts';
import { type ExperimentGiven, experimentSchema, SpecProblem, TRACE_FIELDS } from './spec.ts';

/** An experiment file that was read. */
export interface LoadedExperiment {
  readonly experiment: ResolvedExperiment;
  /** Output folder that the file asks for, as an absolute path; null when it asks for none. */
  readonly output: string | null;
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

/** The experiment of a file with parts of it replaced; a trace takes the place of a generator. */
export function overrideExperiment(
  base: ExperimentGiven,
  overrides: ExperimentGiven,
): ExperimentGiven {
  const { workload: baseWorkload = {}, ...baseRest } = base;
  const { workload = {}, ...rest } = overrides;
  const ofTrace = Object.fromEntries(['trace', ...TRACE_FIELDS].map((key) => [key, undefined]));
  const kept = {
    ...baseWorkload,
    ...(workload.trace === undefined ? {} : { synth: undefined }),
    ...(workload.synth === undefined ? {} : ofTrace),
  };
  const simulation = { ...base.simulation, ...withoutUndefined(overrides.simulation ?? {}) };
  const labels = rest.policies?.map((policy) => policy.label ?? defaultLabel(policy));
  const lost = labels !== undefined && !labels.includes(base.reference ?? '');
  return {
    ...baseRest,
    ...(lost ? { reference: undefined } : {}),
    ...withoutUndefined(rest),
    workload: { ...kept, ...withoutUndefined(workload) },
    simulation,
  };
}

/** Everything may be left out: a file without a word is the default experiment. */
const fileSchema = z.preprocess((value) => value ?? {}, experimentSchema);

/**
 * Reads an experiment file. Paths in it start from its own folder; those in `overrides` are taken as
 * they are, so make them absolute.
 * @throws {InputError} with the line of the first thing that is wrong
 */
export async function loadExperimentFile(
  file: string,
  overrides: ExperimentGiven = {},
  context: Omit<ResolveContext, 'folder'> = {},
): Promise<LoadedExperiment> {
  const source = readYamlSource(file, fileSchema);
  const folder = path.dirname(path.resolve(file));
  const base = { name: path.basename(file).replace(/\.[^.]*$/, ''), ...source.value };
  const given = overrideExperiment(base, overrides);
  try {
    const experiment = await resolveExperiment(given, { ...context, folder });
    const output = given.output === undefined ? null : path.resolve(folder, given.output);
    return { experiment, output };
  } catch (error) {
    if (!(error instanceof SpecProblem) || overridden(overrides, error.path)) throw error;
    throw source.errorAt(error.path, error.message);
  }
}

/** Whether the field at a path comes from the overrides. */
function overridden(overrides: ExperimentGiven, place: readonly (string | number)[]): boolean {
  let value: unknown = overrides;
  for (const step of place.slice(0, 2)) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<string | number, unknown>)[step];
    if (value === undefined) return false;
  }
  return true;
}
