import type { Policy, PolicyContext } from '../../policies/policy.ts';
import { makePredictor } from '../../policies/predictor.ts';
import { policyNamed, resolveOptions } from '../../policies/registry.ts';
import type { JobSpec } from '../../sim/job.ts';
import { randomStream } from '../../sim/random.ts';
import type { JobRow, SimulationResult } from '../../sim/result.ts';
import { type SimulationConfig, simulate } from '../../sim/simulate.ts';
import { flatJob } from '../support/flat.ts';

/** A job of the flat workload that takes `gpuCount` GPUs for `durationS`. */
export function job(
  id: string,
  submitS: number,
  gpuCount: number,
  durationS: number,
  over: Partial<JobSpec> = {},
): JobSpec {
  return flatJob({ id, submitS, gpuCount, durationS, ...over });
}

/** What a policy of the registry is made of on a world, without noise. */
export function contextOf(world: SimulationConfig, name: string): PolicyContext {
  const names = [...new Set(world.cluster.groups.map(({ gpuType }) => gpuType))];
  const types = names.map((type) => {
    const found = world.profiles.gpuTypes.find((known) => known.name === type);
    if (found === undefined) throw new RangeError(`no gpu type ${type}`);
    return found;
  });
  const random = randomStream(world.seed, name);
  const information = policyNamed(name).profile;
  const predictor = makePredictor({
    profiles: world.profiles,
    types,
    information,
    noise: 0,
    random,
  });
  return {
    cluster: world.cluster,
    profiles: world.profiles,
    predictor,
    random,
    tariff: world.options,
  };
}

/** A policy of the registry, ready for one run on a world. */
export function policyOn(
  world: SimulationConfig,
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): Policy {
  const definition = policyNamed(name);
  return definition.create(resolveOptions(definition, options), contextOf(world, name));
}

/** Runs a policy of the registry. */
export function run(
  world: SimulationConfig,
  name: string,
  options: Readonly<Record<string, unknown>> = {},
): SimulationResult {
  return simulate(world, policyOn(world, name, options));
}

/** Rows by the id of the job. */
export function rowsById(result: SimulationResult): Readonly<Record<string, JobRow>> {
  const rows: Record<string, JobRow> = {};
  for (let i = 0; i < result.jobCount; i += 1) {
    const row = result.jobRow(i);
    rows[row.id] = row;
  }
  return rows;
}

/** First start and end of each job, by id. */
export function schedule(result: SimulationResult): Record<string, [startS: number, endS: number]> {
  return Object.fromEntries(
    Object.values(rowsById(result)).map((row) => [row.id, [row.startS, row.endS]]),
  );
}
