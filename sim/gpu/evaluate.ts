import { memoryContention, smMet } from './contention.ts';
import { contextPowerW, dynamicPowerW } from './power.ts';
import type { GpuType, PairMeasurement, WorkloadProfile } from './profile.ts';
import { stepTimeS } from './step-time.ts';

/** How the residents of a GPU share it (DESIGN section 4). */
export const SHARING_MODES = ['exclusive', 'time-slice', 'mps', 'mig'] as const;
export type SharingMode = (typeof SHARING_MODES)[number];

/** A job that makes progress on a GPU. */
export interface Resident {
  readonly profile: WorkloadProfile;
  /** MPS active thread percentage, time slice weight or MIG slice, as a fraction in (0, 1]. */
  readonly share: number;
}

export interface GpuSetting {
  readonly mode: SharingMode;
  /** Core clock that is locked, over the reference clock. */
  readonly clockX: number;
  /** Memory clock over its reference. */
  readonly memoryX: number;
  readonly powerCapW: number;
  /** Part of the GPU's time lost when residents alternate (time slices of two or more). */
  readonly switchingLoss: number;
}

/** What a GPU does for its residents. Arrays are in the order of the residents. */
export interface OperatingPoint {
  /** Core clock after throttling, over the reference clock. */
  readonly clockX: number;
  readonly throttled: boolean;
  /** Seconds of a step of each resident. */
  readonly stepS: readonly number[];
  /** Dynamic power of each resident. */
  readonly dynamicW: readonly number[];
  /** Context power and all dynamic powers. */
  readonly powerW: number;
  /** True where a measured pair replaced the model. */
  readonly pairMeasured: boolean;
}

/** Steps of the search for the clock at a power cap; halves the interval each. */
const THROTTLE_STEPS = 48;

/** Step time alone on the whole GPU at clock x. */
export function soloStepS(profile: WorkloadProfile, x = 1, memoryX = 1): number {
  return stepTimeS(profile.time, profile.smDemand, x, memoryX, 1);
}

/** Part of a step, alone with a share, in which the job keeps the GPU busy. */
export function busyPart(profile: WorkloadProfile, share: number, x = 1, memoryX = 1): number {
  return 1 - profile.time.hostS / stepTimeS(profile.time, profile.smDemand, x, memoryX, share);
}

/**
 * Speeds and watts of one GPU for its residents: sharing, contention for SMs and memory, residual
 * interference, additive dynamic power and the power cap (DESIGN section 4). Pure.
 *
 * Dynamic power of a job scales with its speed relative to running alone at the same clock. Where
 * the demand exceeds what the cap allows (the cap times the mean `capFraction`, weighted by dynamic
 * power), the clock falls to the highest at which it does not, and never below the type's lowest:
 * then power exceeds the cap.
 */
export function evaluateGpu(
  type: GpuType,
  residents: readonly Resident[],
  setting: GpuSetting,
  pair: PairMeasurement | null = null,
): OperatingPoint {
  if (residents.length === 0) {
    return {
      clockX: setting.clockX,
      throttled: false,
      stepS: [],
      dynamicW: [],
      powerW: type.idlePowerW,
      pairMeasured: false,
    };
  }
  const usePair = pair !== null && pairApplies(residents, setting);
  const at = (clockX: number): OperatingPoint =>
    evaluateAtClock(type, residents, setting, clockX, usePair ? pair : null);

  const free = at(setting.clockX);
  const isOver = ({ powerW, dynamicW }: OperatingPoint): boolean =>
    powerW > setting.powerCapW * capFraction(residents, dynamicW);
  if (!isOver(free)) return free;
  const lowest = (type.clocksMhz[0] as number) / type.referenceClockMhz;
  let low = Math.min(lowest, setting.clockX);
  const floor = at(low);
  if (isOver(floor)) return { ...floor, throttled: true };
  let high = setting.clockX;
  for (let step = 0; step < THROTTLE_STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (isOver(at(middle))) high = middle;
    else low = middle;
  }
  return { ...at(low), throttled: true };
}

/** Average power over the cap where it binds: the mean of the residents' by dynamic power. */
export function capFraction(
  residents: readonly { readonly profile: WorkloadProfile }[],
  dynamicW: readonly number[],
): number {
  let allowed = 0;
  let all = 0;
  for (let i = 0; i < residents.length; i += 1) {
    const watts = dynamicW[i] as number;
    all += watts;
    allowed += watts * (residents[i] as Resident).profile.capFraction;
  }
  return all === 0 ? 1 : allowed / all;
}

/** Pair tables hold speeds of plain co-location: two residents without thread limits. */
function pairApplies(residents: readonly Resident[], setting: GpuSetting): boolean {
  return (
    residents.length === 2 &&
    setting.mode === 'mps' &&
    residents.every((resident) => resident.share >= 1)
  );
}

function evaluateAtClock(
  type: GpuType,
  residents: readonly Resident[],
  setting: GpuSetting,
  clockX: number,
  pair: PairMeasurement | null,
): OperatingPoint {
  const memoryX = setting.memoryX;
  let stepS: number[];
  if (pair !== null) stepS = pairSteps(residents, pair, clockX, memoryX);
  else if (setting.mode === 'mps') stepS = mpsSteps(residents, clockX, memoryX);
  else if (setting.mode === 'mig') stepS = migSteps(residents, clockX, memoryX);
  else stepS = timeSliceSteps(residents, clockX, memoryX, setting.switchingLoss);

  const dynamicW: number[] = [];
  let powerW = contextPowerW(type, clockX);
  for (let i = 0; i < residents.length; i += 1) {
    const { profile } = residents[i] as Resident;
    const relativeSpeed = soloStepS(profile, clockX, memoryX) / (stepS[i] as number);
    const watts = dynamicPowerW(profile.power, type.voltage, clockX, memoryX) * relativeSpeed;
    dynamicW.push(watts);
    powerW += watts;
  }
  return { clockX, throttled: false, stepS, dynamicW, powerW, pairMeasured: pair !== null };
}

function pairSteps(
  residents: readonly Resident[],
  pair: PairMeasurement,
  x: number,
  memoryX: number,
): number[] {
  const swapped = residents[0]?.profile.workload !== pair.workloads[0];
  return residents.map(({ profile }, i) => {
    const speed = (i === 0) === swapped ? pair.speeds[1] : pair.speeds[0];
    return soloStepS(profile, x, memoryX) / speed;
  });
}

function timeSliceSteps(
  residents: readonly Resident[],
  x: number,
  memoryX: number,
  switchingLoss: number,
): number[] {
  let weight = 0;
  for (const resident of residents) weight += resident.share;
  const useful = residents.length > 1 ? 1 - switchingLoss : 1;
  return residents.map(
    ({ profile, share }) => (soloStepS(profile, x, memoryX) * weight) / (share * useful),
  );
}

/** A MIG slice has its own SMs, memory and bandwidth: no neighbour is felt. */
function migSteps(residents: readonly Resident[], x: number, memoryX: number): number[] {
  return residents.map(({ profile, share }) =>
    stepTimeS(profile.time, profile.smDemand, x, memoryX * share, share),
  );
}

/**
 * Shares that sum to at most 1 are honoured. Above, residents that are busy at the same time get SMs
 * in proportion to what they can use of their shares ({@link smMet}).
 */
function mpsSteps(residents: readonly Resident[], x: number, memoryX: number): number[] {
  const n = residents.length;
  const demands: number[] = [];
  const busy: number[] = [];
  const soloS: number[] = [];
  const factors: number[] = [];
  const met: number[] = [];
  let aggressiveness = 0;
  for (const { profile } of residents) aggressiveness += profile.interference.aggressiveness;
  for (const { profile, share } of residents) {
    soloS.push(soloStepS(profile));
    demands.push(Math.min(share, profile.smDemand));
    busy.push(busyPart(profile, share, x, memoryX));
    const others = aggressiveness - profile.interference.aggressiveness;
    factors.push(n === 1 ? 1 : 1 + profile.interference.sensitivity * others);
  }
  smMet(demands, busy, met);

  const stepOf = (i: number, kappa: number): number => {
    const { profile } = residents[i] as Resident;
    const effective = (demands[i] as number) * (met[i] as number);
    const factor = factors[i] as number;
    return stepTimeS(profile.time, profile.smDemand, x, memoryX, effective, kappa, factor);
  };
  const bandwidthAt = (kappa: number): number => {
    let used = 0;
    for (let i = 0; i < n; i += 1) {
      const demand = (residents[i] as Resident).profile.bandwidthDemand;
      if (demand > 0) used += (demand * (soloS[i] as number)) / stepOf(i, kappa);
    }
    return used;
  };
  const kappa = n === 1 ? 1 : memoryContention(bandwidthAt, memoryX);
  const stepS: number[] = [];
  for (let i = 0; i < n; i += 1) stepS.push(stepOf(i, kappa));
  return stepS;
}
