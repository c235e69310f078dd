import type { GpuType } from '../../sim/gpu/profile.ts';

/**
 * A GPU type of which nothing but the name is known, for what does not depend on it: speeds at the
 * reference clock when no power is known. It has no power limit and one clock.
 */
export function plainGpu(name: string): GpuType {
  return {
    name,
    memoryGib: 1,
    memoryBandwidthGBps: 1,
    smCount: 1,
    referenceClockMhz: 1,
    clocksMhz: [1],
    referenceMemoryClockMhz: 1,
    powerLimitW: { min: 0, default: Infinity, max: Infinity },
    idlePowerW: 0,
    contextPowerW: 0,
    contextClockW: 0,
    sleepPowerW: 0,
    wakeS: 0,
    voltage: { knee: 1, slope: 0 },
    mpsClientLimit: 48,
    clockTransitionS: 0,
    migSlices: [],
    provenance: {},
  };
}
