import { soloStepS } from '../../sim/gpu/evaluate.ts';
import { dynamicPowerW, voltage } from '../../sim/gpu/power.ts';
import type { GpuType, Provenance } from '../../sim/gpu/profile.ts';
import { transferred } from '../facts/sources.ts';
import { mean } from '../fit/errors.ts';
import type { ShippedGpu } from './gpus.ts';
import { named, rounded, type ShippedProfile, type ShippedWorkload, withError } from './profile.ts';

/** GPU type whose profiles are carried over. */
export const SOURCE = 'V100';

/**
 * Carries a profile over to another GPU type by data sheet: core time by the peak single-precision
 * rate, memory time by the peak bandwidth, host time as it is; dynamic power by the room between the
 * context level and the power limit.
 */
export function carryOver(
  profile: ShippedProfile,
  from: ShippedGpu,
  to: ShippedGpu,
): Pick<ShippedProfile, 'time' | 'power'> {
  const core = from.fp32Tflops / to.fp32Tflops;
  const memory = from.type.memoryBandwidthGBps / to.type.memoryBandwidthGBps;
  const power = dynamicRoomW(to.type) / dynamicRoomW(from.type);
  // Core power is stated at the flat part of the voltage curve, and the curves differ.
  const atReference = (voltage(from.type.voltage, 1) / voltage(to.type.voltage, 1)) ** 2;
  const { time } = profile;
  return {
    time: { ...time, memoryS: time.memoryS * memory, coreS: time.coreS * core },
    power: {
      memoryW: profile.power.memoryW * power,
      coreW: profile.power.coreW * power * atReference,
    },
  };
}

function dynamicRoomW(type: GpuType): number {
  return type.powerLimitW.default - type.contextPowerW;
}

/** The workloads with extrapolated profiles added on all GPU types that have none. */
export function withExtrapolated(
  workloads: readonly ShippedWorkload[],
  gpus: ReadonlyMap<string, ShippedGpu>,
): ShippedWorkload[] {
  const checks = checkRule(workloads, gpus);
  const errors = {
    time: mean(checks.map(({ timeRatio }) => Math.abs(timeRatio - 1))),
    power: mean(checks.map(({ powerRatio }) => Math.abs(powerRatio - 1))),
  };
  return workloads.map((workload) => {
    const onGpu: Record<string, ShippedProfile> = { ...workload.onGpu };
    const profile = onGpu[SOURCE];
    const from = gpus.get(SOURCE);
    for (const [target, to] of gpus) {
      if (profile === undefined || from === undefined || target in onGpu) continue;
      if (profile.memoryGib > to.type.memoryGib) continue;
      const rule: Provenance = {
        kind: 'extrapolated',
        source: `carried over from the ${SOURCE} by peak FP32 rate (core time), peak bandwidth (memory time) and the room below the power limit (power); nothing was measured on the ${target}`,
      };
      const others = Object.fromEntries(
        Object.entries(profile.provenance).map(([field, { source: origin }]) => [
          field,
          transferred(`as on the ${SOURCE}: ${origin}`),
        ]),
      );
      onGpu[target] = rounded({
        ...profile,
        ...carryOver(profile, from, to),
        provenance: {
          ...others,
          '*': rule,
          time: withError(rule, errors.time),
          power: withError(rule, errors.power),
        },
        fitError: null,
      });
    }
    return { ...workload, onGpu };
  });
}

/** How the rule does where there are measurements: predicted over fitted, at the reference clock. */
export interface RuleCheck {
  readonly job: string;
  readonly gpuType: string;
  readonly timeRatio: number;
  readonly powerRatio: number;
}

/** Applies the rule to types that do have measured profiles. */
export function checkRule(
  workloads: readonly ShippedWorkload[],
  gpus: ReadonlyMap<string, ShippedGpu>,
): RuleCheck[] {
  const from = gpus.get(SOURCE);
  return workloads.flatMap((workload) => {
    const base = workload.onGpu[SOURCE];
    return Object.entries(workload.onGpu).flatMap(([gpuType, fitted]) => {
      const to = gpus.get(gpuType);
      if (gpuType === SOURCE) return [];
      if (base === undefined || from === undefined || to === undefined) return [];
      const predicted = { ...fitted, ...carryOver(base, from, to) };
      const stepS = (profile: ShippedProfile): number =>
        soloStepS(named(workload.name, gpuType, profile));
      const powerW = ({ power }: ShippedProfile): number =>
        to.type.contextPowerW + dynamicPowerW(power, to.type.voltage, 1, 1);
      return [
        {
          job: workload.name,
          gpuType,
          timeRatio: stepS(predicted) / stepS(fitted),
          powerRatio: powerW(predicted) / powerW(fitted),
        },
      ];
    });
  });
}
