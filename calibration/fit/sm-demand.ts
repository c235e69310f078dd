import { evaluateGpu } from '../../sim/gpu/evaluate.ts';
import type { GpuType, WorkloadProfile } from '../../sim/gpu/profile.ts';
import { EXPONENTS } from './clock-time.ts';
import { leastSquares } from './least-squares.ts';
import { at } from './linear-algebra.ts';
import type { SoloUtilisation, UtilisationPredictor } from './utilisation-speed.ts';

/**
 * SM demand of a job while it is busy, by its GPU utilisation alone: `min(1, whole * u^exponent)`.
 * `nvidia-smi` counts time in which any kernel runs, not the SMs that it fills; jobs that leave the
 * GPU idle for longer also run smaller kernels.
 */
export interface SmDemandLaw {
  readonly whole: number;
  readonly exponent: number;
}

/** The SM demand that the law gives, in (0, 1]. */
export function smDemandOf({ whole, exponent }: SmDemandLaw, utilisation: number): number {
  return Math.max(Number.MIN_VALUE, Math.min(1, whole * utilisation ** exponent));
}

/** The roofline's sharpest exponent: memory time hides behind core time until it is the longer. */
const SHARP = Math.max(...EXPONENTS);
/** A job that never shows up on the GPU still uses a bit of it. */
const LEAST_UTILISATION = 1e-3;

/**
 * The profile of a job of which only utilisations alone are known, with a step of 1 s: busy for its
 * GPU utilisation, the host's for the rest; the memory is in use for its memory utilisation, which is
 * also its bandwidth demand.
 */
export function utilisationProfile(
  type: GpuType,
  { utilisation, bandwidth }: SoloUtilisation,
  law: SmDemandLaw,
): WorkloadProfile {
  const busyS = Math.min(1, Math.max(LEAST_UTILISATION, utilisation));
  const memoryS = Math.min(bandwidth, 0.99 * busyS);
  const coreS = (busyS ** SHARP - memoryS ** SHARP) ** (1 / SHARP);
  return {
    workload: 'utilisation',
    gpuType: type.name,
    time: { hostS: 1 - busyS, memoryS, coreS, q: SHARP },
    power: { memoryW: 0, coreW: 0 },
    capFraction: 1,
    memoryGib: 0,
    smDemand: smDemandOf(law, busyS),
    bandwidthDemand: Math.min(1, bandwidth),
    interference: { sensitivity: 0, aggressiveness: 0 },
    startS: 0,
    restartS: 0,
    checkpointS: 0,
    scaling: { withinNode: 1, acrossNodes: 1 },
    provenance: {},
    fitError: null,
  };
}

/** Speeds of two jobs side by side without limits, as the simulator has them: under `mps`, 100 % each. */
export function pairSpeeds(
  type: GpuType,
  jobs: readonly [SoloUtilisation, SoloUtilisation],
  law: SmDemandLaw,
): [number, number] {
  const residents = jobs.map((job) => ({ profile: utilisationProfile(type, job, law), share: 1 }));
  const { stepS } = evaluateGpu(type, residents, {
    mode: 'mps',
    clockX: 1,
    memoryX: 1,
    powerCapW: Infinity,
    switchingLoss: 0,
  });
  return [1 / at(stepS, 0), 1 / at(stepS, 1)];
}

/** Two jobs side by side and their speeds over those alone. */
export interface UtilisationPair {
  readonly jobs: readonly [SoloUtilisation, SoloUtilisation];
  readonly speeds: readonly [number, number];
}

/** Fits the law to pairs, by least squares of the speeds that the simulator gives. */
export function fitSmDemand(type: GpuType, pairs: readonly UtilisationPair[]): SmDemandLaw {
  const law = (p: readonly number[]): SmDemandLaw => ({ whole: at(p, 0), exponent: at(p, 1) });
  const { parameters } = leastSquares({
    residuals: (p) =>
      pairs.flatMap(({ jobs, speeds }) => {
        const predicted = pairSpeeds(type, jobs, law(p));
        return [predicted[0] - speeds[0], predicted[1] - speeds[1]];
      }),
    start: [0.75, 0.5],
    lower: [0.5, 0],
    upper: [1, 2],
  });
  return law(parameters);
}

/** The simulator with a law, as a predictor of one side. */
export function structuralPredictor(type: GpuType, law: SmDemandLaw): UtilisationPredictor {
  return (me, other) => pairSpeeds(type, [me, other], law)[0];
}
