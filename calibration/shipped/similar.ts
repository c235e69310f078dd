import { soloStepS } from '../../sim/gpu/evaluate.ts';
import { contextPowerW, dynamicPowerW } from '../../sim/gpu/power.ts';
import type { GpuType, InterferenceModel, Provenance } from '../../sim/gpu/profile.ts';
import type { SimilarJobFacts } from '../facts/similar-jobs.ts';
import { assumed, transferred } from '../facts/sources.ts';
import { mean } from '../fit/errors.ts';
import type { Measurement } from '../measurement.ts';
import { carryOver, SOURCE } from './extrapolated.ts';
import type { ShippedGpu } from './gpus.ts';
import {
  named,
  type ShippedProfile,
  type ShippedWorkload,
  shippedProfile,
  withError,
} from './profile.ts';

/** A set of step times alone. */
export interface StepTimeSet {
  readonly jobs: readonly SimilarJobFacts[];
  readonly rows: readonly Measurement[];
  readonly source: string;
  /** Name of the shipped GPU type by that of the data set. */
  readonly gpuTypes: ReadonlyMap<string, string>;
  readonly stepIs: string;
}

/** What is there to take terms from. */
export interface SimilarSources {
  readonly fitted: readonly ShippedWorkload[];
  readonly gpus: ReadonlyMap<string, ShippedGpu>;
  readonly interference: readonly [InterferenceModel, Provenance];
  readonly rules: RuleErrors;
}

/** Mean absolute relative errors of total power by the two rules, where there are measurements. */
export interface RuleErrors {
  /** Power of a job of the same family on the same GPU type. */
  readonly similar: number;
  /** Power of the same job carried over from the V100. */
  readonly carried: number;
}

/** Jobs of the Zeus traces that are of one family: each stands in for the other. */
const FAMILIES = [
  ['bert-squad-b16', 'bert-sentiment140-b32'],
  ['resnet50-imagenet-b32', 'shufflenetv2-cifar100-b128'],
];

const percent = (part: number): string => `${(100 * part).toFixed(0)} %`;

/** Profiles of jobs of which only step times were measured, on the types where they were. */
export function similarWorkloads(set: StepTimeSet, from: SimilarSources): ShippedWorkload[] {
  return set.jobs.map((job): ShippedWorkload => {
    const onGpu: Record<string, ShippedProfile> = {};
    for (const [theirs, ours] of set.gpuTypes) {
      const gpu = from.gpus.get(ours);
      const times = set.rows.flatMap(({ gpuType, workload, batch, coRunners, stepS }) =>
        gpuType === theirs &&
        workload === job.model &&
        batch === job.batchSize &&
        coRunners.length === 0 &&
        stepS !== null
          ? [stepS]
          : [],
      );
      if (gpu === undefined || times.length === 0 || job.memoryGib[0] > gpu.type.memoryGib)
        continue;
      onGpu[ours] = profileOf(job, times, gpu, set.source, from);
    }
    return {
      name: job.name,
      kind: 'training',
      batchSize: job.batchSize ?? 1,
      description: `${job.description}; ${set.stepIs}`,
      onGpu,
    };
  });
}

function profileOf(
  job: SimilarJobFacts,
  times: readonly number[],
  gpu: ShippedGpu,
  source: string,
  { fitted, gpus, interference, rules }: SimilarSources,
): ShippedProfile {
  const name = gpu.type.name;
  const like = fitted.find((workload) => workload.name === job.like);
  const own = like?.onGpu[name];
  const base = own ?? like?.onGpu[SOURCE];
  const v100 = gpus.get(SOURCE);
  if (base === undefined || v100 === undefined) throw new RangeError(`expected ${job.like}`);
  const terms = own ?? { ...base, ...carryOver(base, v100, gpu) };
  const stepS = mean(times);
  const scale = stepS / soloStepS(named(job.name, name, { ...base, ...terms }));
  const rule =
    own === undefined
      ? `carried over from the ${SOURCE} (rule error ${percent(rules.carried)} where there are measurements)`
      : `on the ${name}`;
  const power = transferred(
    `no power measured: as ${job.like} ${rule}; one job's power for another of its family errs by ${percent(rules.similar)}`,
  );
  const division = transferred(`${source}: measured step, divided as ${job.like} ${rule}`);
  const measured: Provenance = { kind: 'measured', source: `${source}: step time on the ${name}` };
  const { time } = terms;
  return shippedProfile('training', job, {
    time: [
      {
        hostS: time.hostS * scale,
        memoryS: time.memoryS * scale,
        coreS: time.coreS * scale,
        q: time.q,
      },
      measured,
    ],
    power: [
      terms.power,
      withError(power, own === undefined ? Math.max(rules.carried, rules.similar) : rules.similar),
    ],
    capFraction: [terms.capFraction, transferred(`as ${job.like} ${rule}`)],
    smDemand: [1, assumed('no share data; the core part of the step time shrinks with the share')],
    bandwidthDemand: job.bandwidthDemand ?? [0, assumed('no data')],
    interference,
    fitError: null,
    more: { 'time.hostS': division, 'time.memoryS': division, 'time.q': division },
  });
}

/** Total power at the reference clock. */
export function totalPowerW(profile: Pick<ShippedProfile, 'power'>, type: GpuType): number {
  return contextPowerW(type, 1) + dynamicPowerW(profile.power, type.voltage, 1, 1);
}

/** How the two rules do on the jobs that were fitted on more than one type. */
export function ruleErrors(
  fitted: readonly ShippedWorkload[],
  gpus: ReadonlyMap<string, ShippedGpu>,
): RuleErrors {
  const similar: number[] = [];
  const carried: number[] = [];
  const v100 = gpus.get(SOURCE);
  for (const { name, onGpu } of fitted) {
    const other = FAMILIES.find((family) => family.includes(name))?.find((it) => it !== name);
    const mate = fitted.find((workload) => workload.name === other);
    for (const [gpuType, profile] of Object.entries(onGpu)) {
      const gpu = gpus.get(gpuType);
      if (gpu === undefined || v100 === undefined) continue;
      const measuredW = totalPowerW(profile, gpu.type);
      const its = mate?.onGpu[gpuType];
      if (its !== undefined) similar.push(Math.abs(totalPowerW(its, gpu.type) / measuredW - 1));
      const base = onGpu[SOURCE];
      if (base === undefined || gpuType === SOURCE) continue;
      const moved = carryOver(base, v100, gpu);
      carried.push(Math.abs(totalPowerW(moved, gpu.type) / measuredW - 1));
    }
  }
  return { similar: mean(similar), carried: mean(carried) };
}
