import type { GpuType, Provenance } from '../../sim/gpu/profile.ts';
import { assumed, datasheet, transferred } from './sources.ts';

/** Source of the clock transition time. */
export const TRANSITION =
  'about 25 ms measured on a V100 for a locked clock to take effect, rounded up';
/** Source of the MPS client limits. */
export const MPS = 'nvidia-cuda-mps-control manual: 48 clients from Volta on, 16 before';

/** Clocks from `first` to `last` in equal steps of `step`. */
export function steps(first: number, last: number, step: number): number[] {
  const count = Math.round((last - first) / step) + 1;
  return Array.from({ length: count }, (_, i) => first + i * step);
}

/** `count` clocks spread evenly over a range, rounded to whole MHz. */
export function spread(first: number, last: number, count: number): number[] {
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

/** Values that no source gives for any type. */
export const COMMON = { sleepPowerW: 0, wakeS: 60, clockTransitionS: 0.03 };
/** Where those come from. */
export const COMMON_SOURCES = {
  sleepPowerW: assumed('a sleeping node draws nothing'),
  wakeS: assumed('a minute to wake a node'),
};

/** Context level over idle level where no context was measured: between the V100's 1.8 and 1.2. */
const CONTEXT_OVER_IDLE = 1.5;

/** What is known of a type that no profile was fitted on. */
interface PlainFacts
  extends Pick<
    GpuFacts,
    | 'name'
    | 'memoryGib'
    | 'memoryBandwidthGBps'
    | 'smCount'
    | 'fp32Tflops'
    | 'referenceClockMhz'
    | 'referenceMemoryClockMhz'
    | 'idlePowerW'
  > {
  /** Lowest core clock, and the step from there to the reference clock. */
  readonly clocks: readonly [lowest: number, step: number];
  readonly limitsW: readonly [min: number, usual: number, max: number];
  /** Left out where it was not measured: then one and a half times the idle level. */
  readonly contextPowerW?: number;
  readonly mpsClientLimit?: number;
  readonly migSlices?: readonly number[];
  readonly provenance: Readonly<Record<string, Provenance>>;
}

/** A GPU type of which only facts are known. Data-sheet values were not checked against the maker's. */
export function plainGpu({ clocks, limitsW, ...facts }: PlainFacts): GpuFacts {
  const [min, usual, max] = limitsW;
  const { contextPowerW = CONTEXT_OVER_IDLE * facts.idlePowerW } = facts;
  const context = assumed('not measured: one and a half times the idle level');
  return {
    ...facts,
    contextPowerW,
    clocksMhz: steps(clocks[0], facts.referenceClockMhz, clocks[1]),
    powerLimitW: { min, default: usual, max },
    mpsClientLimit: facts.mpsClientLimit ?? 48,
    migSlices: facts.migSlices ?? [],
    ...COMMON,
    provenance: {
      '*': datasheet(`NVIDIA ${facts.name} data sheet, as generally known, not verified`),
      ...(facts.contextPowerW === undefined ? { contextPowerW: context } : {}),
      mpsClientLimit: datasheet(MPS),
      clockTransitionS: transferred(TRANSITION),
      ...COMMON_SOURCES,
      ...facts.provenance,
    },
  };
}
