import type {
  FitError,
  InterferenceModel,
  Provenance,
  Workload,
  WorkloadProfile,
} from '../../sim/gpu/profile.ts';
import { assumed } from '../facts/sources.ts';
import type { Fact, WorkloadFacts } from '../facts/workloads.ts';

/** A profile as files have it: its workload and GPU type are the keys above it. */
export type ShippedProfile = Omit<WorkloadProfile, 'workload' | 'gpuType'>;

/** A workload as files have it. */
export interface ShippedWorkload extends Omit<Workload, 'onGpu'> {
  readonly onGpu: Readonly<Record<string, ShippedProfile>>;
}

/** The parts of a profile that a fit gives, each with its source. */
export interface FittedParts {
  readonly time: readonly [WorkloadProfile['time'], Provenance];
  readonly power: readonly [WorkloadProfile['power'], Provenance];
  readonly interference: readonly [InterferenceModel, Provenance];
  /** Left out where no cap was measured. */
  readonly capFraction?: Fact;
  readonly bandwidthDemand: Fact;
  readonly smDemand: Fact;
  readonly fitError: FitError | null;
  /** Further provenance, by field. */
  readonly more?: Readonly<Record<string, Provenance>>;
}

/** Parallel efficiency of which none of the data sets says anything. */
const SCALING = { withinNode: 0.95, acrossNodes: 0.9 };

/** Seconds to write a checkpoint; inference has no state to keep. */
const CHECKPOINT_S = { training: 5, inference: 0 };

/** Where no cap was measured, the average power is taken to reach it. */
const NO_CAP_DATA: Fact = [1, assumed('no cap data: the average power reaches a cap')];

/** A source with the error of the quantity that it gives, in four digits. */
export function withError(source: Provenance, error: number | null | undefined): Provenance {
  return error == null ? source : { ...source, error: Number(error.toPrecision(4)) };
}

/** Joins facts and fit into a profile, all numbers rounded to 6 significant digits. */
export function shippedProfile(
  kind: Workload['kind'],
  facts: WorkloadFacts,
  fitted: FittedParts,
): ShippedProfile {
  const { capFraction = NO_CAP_DATA } = fitted;
  return rounded({
    time: fitted.time[0],
    power: fitted.power[0],
    capFraction: capFraction[0],
    memoryGib: facts.memoryGib[0],
    smDemand: fitted.smDemand[0],
    bandwidthDemand: fitted.bandwidthDemand[0],
    interference: fitted.interference[0],
    startS: facts.startS[0],
    restartS: facts.startS[0],
    checkpointS: CHECKPOINT_S[kind],
    scaling: SCALING,
    provenance: {
      '*': fitted.time[1],
      time: withError(fitted.time[1], fitted.fitError?.timeMape),
      power: withError(fitted.power[1], fitted.fitError?.powerMape),
      memoryGib: facts.memoryGib[1],
      capFraction: capFraction[1],
      smDemand: fitted.smDemand[1],
      bandwidthDemand: fitted.bandwidthDemand[1],
      interference: fitted.interference[1],
      startS: facts.startS[1],
      restartS: facts.startS[1],
      checkpointS: assumed(`${CHECKPOINT_S[kind]} s for ${kind}`),
      scaling: assumed('95 % kept in a node and 90 % across nodes at each doubling'),
      ...fitted.more,
    },
    fitError: fitted.fitError,
  });
}

/** A profile with the names of its workload and GPU type, as the simulator takes it. */
export function named(workload: string, gpuType: string, profile: ShippedProfile): WorkloadProfile {
  return { workload, gpuType, ...profile };
}

/** A copy with every number in it rounded to 6 significant digits. */
export function rounded<T>(value: T): T {
  return roundedUnknown(value) as T;
}

function roundedUnknown(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(6));
  if (Array.isArray(value)) return value.map(roundedUnknown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, roundedUnknown(inner)]),
  );
}
