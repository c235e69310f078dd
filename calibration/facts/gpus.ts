import type { GpuType } from '../../sim/gpu/profile.ts';
import { assumed, datasheet, measured, PWR, transferred } from './sources.ts';

const TRANSITION = 'about 25 ms measured on a V100 for a locked clock to take effect, rounded up';
const MPS = 'nvidia-cuda-mps-control manual: 48 clients from Volta on, 16 before';

/** Clocks from `first` to `last` in equal steps of `step`. */
function steps(first: number, last: number, step: number): number[] {
  const count = Math.round((last - first) / step) + 1;
  return Array.from({ length: count }, (_, i) => first + i * step);
}

/** `count` clocks spread evenly over a range, rounded to whole MHz. */
function spread(first: number, last: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    Math.round(first + (i * (last - first)) / (count - 1)),
  );
}

/** A GPU type without what the fit adds: the voltage curve, and the context level where null. */
export interface GpuFacts extends Omit<GpuType, 'contextPowerW' | 'contextClockW' | 'voltage'> {
  /** Null where it follows from the lowest power measured on the type. */
  readonly contextPowerW: number | null;
  /** Peak single-precision rate, for profiles that are carried over by rule. */
  readonly fp32Tflops: number;
}

const COMMON = { sleepPowerW: 0, wakeS: 60, clockTransitionS: 0.03 };
const COMMON_SOURCES = {
  sleepPowerW: assumed('a sleeping node draws nothing'),
  wakeS: assumed('a minute to wake a node'),
};

/**
 * GPU types as data sheets and real `nvidia-smi` captures have them: each value with its source. What
 * the fits add is not here.
 */
export const GPU_FACTS: readonly GpuFacts[] = [
  {
    name: 'P100',
    memoryGib: 16,
    memoryBandwidthGBps: 732,
    smCount: 56,
    fp32Tflops: 9.3,
    referenceClockMhz: 1328,
    clocksMhz: spread(544, 1328, 63),
    referenceMemoryClockMhz: 715,
    powerLimitW: { min: 125, default: 250, max: 250 },
    idlePowerW: 27,
    contextPowerW: null,
    mpsClientLimit: 16,
    migSlices: [],
    ...COMMON,
    provenance: {
      '*': datasheet('NVIDIA P100 PCIe 16 GB data sheet'),
      clocksMhz: measured(
        'nvidia-smi capture: 63 clocks 544..1328 MHz about 12.6 MHz apart; spread evenly and rounded to whole MHz here',
      ),
      powerLimitW: measured('nvidia-smi capture of a P100-PCIe-16GB'),
      idlePowerW: measured('nvidia-smi captures of P100-PCIe-16GB: 26..28 W'),
      mpsClientLimit: datasheet(MPS),
      clockTransitionS: transferred(TRANSITION),
      ...COMMON_SOURCES,
    },
  },
  {
    name: 'V100',
    memoryGib: 32,
    memoryBandwidthGBps: 900,
    smCount: 80,
    fp32Tflops: 15.7,
    referenceClockMhz: 1530,
    clocksMhz: steps(600, 1530, 15),
    referenceMemoryClockMhz: 877,
    powerLimitW: { min: 100, default: 300, max: 300 },
    idlePowerW: 30,
    contextPowerW: null,
    mpsClientLimit: 48,
    migSlices: [],
    ...COMMON,
    provenance: {
      '*': datasheet('NVIDIA V100-SXM2 data sheet'),
      memoryGib: datasheet('NVIDIA V100-SXM2 data sheet: sold with 16 and 32 GB, taken as 32'),
      clocksMhz: assumed(
        'every second of the 7.5 MHz steps, down to 600 MHz: fitted on locked clocks 757..1530 MHz, below on the clocks that power caps forced in the Zeus traces; the card goes down to 135 MHz, where nothing was measured',
      ),
      powerLimitW: measured('Zeus traces cap a V100 down to 100 W; iGniter: 300 W'),
      idlePowerW: transferred(`${PWR}: 30 W`),
      mpsClientLimit: datasheet(MPS),
      clockTransitionS: measured(TRANSITION),
      ...COMMON_SOURCES,
    },
  },
  {
    name: 'A40',
    memoryGib: 48,
    memoryBandwidthGBps: 696,
    smCount: 84,
    fp32Tflops: 37.4,
    referenceClockMhz: 1740,
    clocksMhz: steps(210, 1740, 15),
    referenceMemoryClockMhz: 7251,
    powerLimitW: { min: 100, default: 300, max: 300 },
    idlePowerW: 30,
    contextPowerW: null,
    mpsClientLimit: 48,
    migSlices: [],
    ...COMMON,
    provenance: {
      '*': datasheet('NVIDIA A40 data sheet'),
      clocksMhz: assumed('210..1740 MHz in steps of 15 as on other Ampere cards; no capture'),
      powerLimitW: measured('Zeus traces cap an A40 from 100 to 300 W'),
      idlePowerW: transferred(`${PWR}: 30 W for the A10, which has the same chip`),
      mpsClientLimit: datasheet(MPS),
      clockTransitionS: transferred(TRANSITION),
      ...COMMON_SOURCES,
    },
  },
  {
    name: 'T4',
    memoryGib: 15,
    memoryBandwidthGBps: 320,
    smCount: 40,
    fp32Tflops: 8.1,
    referenceClockMhz: 1590,
    clocksMhz: steps(300, 1590, 15),
    referenceMemoryClockMhz: 5001,
    powerLimitW: { min: 60, default: 70, max: 70 },
    idlePowerW: 10,
    contextPowerW: 26.8,
    mpsClientLimit: 48,
    migSlices: [],
    ...COMMON,
    provenance: {
      '*': datasheet('NVIDIA T4 data sheet'),
      memoryGib: measured('nvidia-smi capture of a T4: 15360 MiB'),
      clocksMhz: measured('nvidia-smi capture of a T4: 87 clocks 300..1590 MHz'),
      referenceMemoryClockMhz: measured('nvidia-smi capture of a T4'),
      powerLimitW: measured('nvidia-smi capture of a T4'),
      idlePowerW: transferred(`${PWR}: 10 W`),
      contextPowerW: measured('nvidia-smi capture of a T4 in P0 without load: 26.78 W'),
      mpsClientLimit: datasheet(MPS),
      clockTransitionS: transferred(TRANSITION),
      ...COMMON_SOURCES,
    },
  },
  {
    name: 'A100',
    memoryGib: 40,
    memoryBandwidthGBps: 1555,
    smCount: 108,
    fp32Tflops: 19.5,
    referenceClockMhz: 1410,
    clocksMhz: steps(210, 1410, 15),
    referenceMemoryClockMhz: 1215,
    powerLimitW: { min: 100, default: 400, max: 400 },
    idlePowerW: 50,
    contextPowerW: 66.9,
    mpsClientLimit: 48,
    migSlices: [1 / 7, 2 / 7, 3 / 7, 4 / 7, 1],
    ...COMMON,
    provenance: {
      '*': datasheet('NVIDIA A100-SXM4-40GB data sheet'),
      clocksMhz: measured('nvidia-smi capture of an A100-SXM4-40GB: 81 clocks 210..1410 MHz'),
      powerLimitW: measured('nvidia-smi capture of an A100-SXM4-40GB'),
      idlePowerW: transferred(`${PWR}: 50 W`),
      contextPowerW: measured('nvidia-smi capture of an A100-SXM4-40GB without load: 66.9 W'),
      mpsClientLimit: datasheet(MPS),
      clockTransitionS: transferred(TRANSITION),
      ...COMMON_SOURCES,
    },
  },
];
