import { energyGreedyDefinition } from '../../../policies/energy-greedy.ts';
import { heshareDefinition } from '../../../policies/heshare/index.ts';
import type { OptionValues, PolicyDefinition } from '../../../policies/policy.ts';
import { makePredictor, type Predictor } from '../../../policies/predictor.ts';
import { Cluster, type ClusterSpec } from '../../../sim/cluster/cluster.ts';
import type { Decision } from '../../../sim/decisions.ts';
import type { ProfileSet } from '../../../sim/gpu/profile.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { DEFAULT_SIMULATION_OPTIONS, type SimulationOptions } from '../../../sim/options.ts';
import { randomStream } from '../../../sim/random.ts';
import type { JobRow, SimulationResult } from '../../../sim/result.ts';
import { simulate } from '../../../sim/simulate.ts';
import type { DecisionMaker } from '../../../sim/view.ts';

/** One decision with what a test wants to see of it. */
export interface Recorded {
  readonly atS: number;
  readonly kind: Decision['kind'];
  readonly job: string | null;
  readonly gpus: readonly number[];
  readonly value: number | readonly number[] | null;
}

export interface Outcome {
  readonly result: SimulationResult;
  readonly decisions: readonly Recorded[];
  row(id: string): JobRow;
}

export interface RunSpec {
  readonly profiles: ProfileSet;
  readonly cluster: ClusterSpec;
  readonly jobs: readonly JobSpec[];
  readonly options?: OptionValues;
  readonly simulation?: Partial<SimulationOptions>;
  readonly seed?: number;
}

/** The predictor that a policy with all information gets on these types. */
export function predictorOf(profiles: ProfileSet, noise = 0, seed = 1): Predictor {
  return makePredictor({
    profiles,
    types: profiles.gpuTypes,
    information: 'all',
    noise,
    random: randomStream(seed, 'predictor'),
  });
}

export function defaults(definition: PolicyDefinition): OptionValues {
  return Object.fromEntries(definition.options.map((option) => [option.name, option.default]));
}

/** Runs HeShare with exact estimates unless told otherwise, all invariants checked. */
export function runHeshare(spec: RunSpec): Outcome {
  return run(heshareDefinition, { ...spec, options: { durationNoise: 0, ...spec.options } });
}

export function runEnergyGreedy(spec: RunSpec): Outcome {
  return run(energyGreedyDefinition, spec);
}

function run(definition: PolicyDefinition, spec: RunSpec): Outcome {
  const { profiles, cluster, jobs, options = {}, simulation = {}, seed = 1 } = spec;
  const { types } = new Cluster(cluster, profiles);
  const information = definition.profile;
  const random = randomStream(seed, 'policy');
  const predictor = makePredictor({ profiles, types, information, noise: 0, random });
  const tariff = DEFAULT_SIMULATION_OPTIONS;
  const policy = definition.create(
    { ...defaults(definition), ...options },
    { cluster, profiles, predictor, random, tariff },
  );
  const decisions: Recorded[] = [];
  const result = simulate(
    {
      jobs,
      cluster,
      profiles,
      options: { ...DEFAULT_SIMULATION_OPTIONS, paranoid: true, ...simulation },
      seed,
    },
    recording(policy, decisions),
  );
  const rows = new Map<string, JobRow>();
  for (let job = 0; job < result.jobCount; job += 1) {
    const row = result.jobRow(job);
    rows.set(row.id, row);
  }
  const row = (id: string): JobRow => {
    const found = rows.get(id);
    if (found === undefined) throw new RangeError(`no job '${id}'`);
    return found;
  };
  return { result, decisions, row };
}

function recording(policy: DecisionMaker, decisions: Recorded[]): DecisionMaker {
  return {
    name: policy.name,
    information: policy.information,
    mode: policy.mode,
    *decide(view) {
      for (const decision of policy.decide(view)) {
        decisions.push(recorded(decision, view.nowS));
        yield decision;
      }
    },
  };
}

function recorded(decision: Decision, atS: number): Recorded {
  const job = 'job' in decision ? decision.job.id : null;
  let gpus: readonly number[] = [];
  if ('gpus' in decision) gpus = decision.gpus;
  else if ('gpu' in decision) gpus = [decision.gpu];
  let value: number | readonly number[] | null = null;
  if (decision.kind === 'set-clock') value = decision.clockMhz;
  else if (decision.kind === 'set-cap') value = decision.powerCapW;
  else if (decision.kind === 'set-share') value = decision.share;
  else if (decision.kind === 'start') value = decision.share ?? null;
  return { atS, kind: decision.kind, job, gpus, value };
}
