import { voltage } from '../../sim/gpu/power.ts';
import type { GpuType, Provenance, VoltageCurve } from '../../sim/gpu/profile.ts';
import { at, leastSquaresFrom } from '../fit/least-squares.ts';
import { type ParameterStatus, uncertainty } from '../fit/uncertainty.ts';
import type { WorkloadObservations } from './observations.ts';

/** A number that was fitted or fixed, with how well the data pins it. */
export interface FittedParameter {
  readonly name: string;
  readonly value: number;
  /** Null where the data does not pin it; `why` then says what was done. */
  readonly standardError: number | null;
  readonly status: ParameterStatus;
  readonly why: string;
}

/** A GPU type that workloads are fitted on. */
export interface GpuFrame {
  readonly type: GpuType;
  /** True for a type of the file; false for a shipped one, which stays as it is. */
  readonly isNew: boolean;
  readonly parameters: readonly FittedParameter[];
}

/** The curve that is taken over where the file has too few clocks: that of the V100 clock set. */
const CARRIED: VoltageCurve = { knee: 0.72, slope: 0.5 };
/** Clocks of a workload from which on its powers say something about the curve. */
const CURVE_CLOCKS = 5;
/** Where no clocks tell, the context level is at most this part of the highest power or limit. */
const CAP_PART = 0.2;
/** Part of the least constant power that is taken as the context's, as for the shipped types. */
const CONTEXT_PART = 0.9;
const DEFAULT_MEMORY_GIB = 16;
const DEFAULT_CLOCK_MHZ = 1000;

interface PowerPoint {
  readonly x: number;
  readonly xm: number;
  readonly powerW: number;
}

/** A GPU type from measurements alone: clocks, limits, context level and voltage curve. */
export function newFrame(
  name: string,
  workloads: readonly WorkloadObservations[],
  source: string,
): GpuFrame {
  const points = workloads.flatMap(({ alone }) => alone);
  const seen = (values: readonly (number | null)[]): number[] =>
    [...new Set(values.filter((value) => value !== null))].sort((a, b) => a - b);
  const clocks = seen(points.map(({ coreMhz }) => coreMhz));
  const memoryClocks = seen(points.map(({ memoryMhz }) => memoryMhz));
  const caps = seen(points.map(({ powerCapW }) => powerCapW));
  const powers = seen(points.map(({ powerW }) => powerW));
  const clocksMhz = clocks.length === 0 ? [...latentClocks()] : clocks;
  const referenceClockMhz = clocksMhz.at(-1) ?? DEFAULT_CLOCK_MHZ;
  const referenceMemoryClockMhz = memoryClocks.at(-1) ?? 1;
  const highestW = Math.max(caps.at(-1) ?? 0, powers.at(-1) ?? 0, 1);
  const sweeps = workloads.map(({ alone }) =>
    alone.flatMap(({ coreMhz, memoryMhz, powerCapW, share, powerW }): PowerPoint[] =>
      coreMhz === null || powerW === null || powerCapW !== null || share < 1
        ? []
        : [
            {
              x: coreMhz / referenceClockMhz,
              xm: (memoryMhz ?? referenceMemoryClockMhz) / referenceMemoryClockMhz,
              powerW,
            },
          ],
    ),
  );
  const curve = fitCurve(sweeps);
  const contextPowerW =
    CONTEXT_PART * Math.min(powers[0] ?? 0, curve.leastConstantW ?? CAP_PART * highestW);
  const assumed = (what: string): Provenance => ({ kind: 'assumed', source: what });
  const measured: Provenance = { kind: 'measured', source };
  const memory = Math.max(0, ...workloads.map(({ memoryGib }) => memoryGib ?? 0));
  const type: GpuType = {
    name,
    memoryGib: Math.max(memory, DEFAULT_MEMORY_GIB),
    memoryBandwidthGBps: 0,
    smCount: 1,
    referenceClockMhz,
    clocksMhz,
    referenceMemoryClockMhz,
    powerLimitW: { min: Math.min(caps[0] ?? highestW, highestW), default: highestW, max: highestW },
    idlePowerW: contextPowerW,
    contextPowerW,
    contextClockW: 0,
    sleepPowerW: 0,
    wakeS: 60,
    voltage: curve.voltage,
    mpsClientLimit: 48,
    clockTransitionS: 0.03,
    migSlices: [],
    provenance: {
      '*': assumed('not in the measurements'),
      clocksMhz: clocks.length === 0 ? assumed('no clocks in the measurements') : measured,
      referenceClockMhz: clocks.length === 0 ? assumed('no clocks in the measurements') : measured,
      powerLimitW: caps.length === 0 ? assumed('the highest power measured') : measured,
      idlePowerW: assumed('as with a context'),
      contextPowerW: assumed(
        curve.leastConstantW === null
          ? 'nine tenths of the lowest power measured, or of a fifth of the highest if that is less'
          : 'nine tenths of the least power of any workload that does not follow the core clock',
      ),
      voltage: curve.provenance(source),
    },
  };
  return { type, isNew: true, parameters: curve.parameters };
}

/** Without any clocks the simulator still needs some for what a cap forces: 1000 down to 150. */
function* latentClocks(): Generator<number> {
  for (let clock = 150; clock <= DEFAULT_CLOCK_MHZ; clock += 10) yield clock;
}

interface CurveFit {
  /** The least power that does not follow the core clock, of any workload; null without clocks. */
  readonly leastConstantW: number | null;
  readonly voltage: VoltageCurve;
  readonly parameters: readonly FittedParameter[];
  readonly provenance: (source: string) => Provenance;
}

/**
 * One curve for all workloads; their own two powers are solved for inside, in closed form. The context
 * level is part of the constant one here, so that it cannot bend the curve.
 */
function fitCurve(all: readonly (readonly PowerPoint[])[]): CurveFit {
  const sweeps = all.filter((sweep) => new Set(sweep.map(({ x }) => x)).size >= CURVE_CLOCKS);
  if (sweeps.length === 0) {
    const why = `no workload with power at ${CURVE_CLOCKS} locked clocks: the curve of the V100 clock set`;
    const fixed = (name: string, value: number): FittedParameter => ({
      ...{ name, value, standardError: null, status: 'fixed', why },
    });
    return {
      leastConstantW: null,
      voltage: CARRIED,
      parameters: [fixed('voltage.knee', CARRIED.knee), fixed('voltage.slope', CARRIED.slope)],
      provenance: () => ({ kind: 'transferred', source: why }),
    };
  }
  const lowest = Math.min(...sweeps.flatMap((sweep) => sweep.map(({ x }) => x)));
  const problem = {
    residuals: ([knee = 1, slope = 0]: readonly number[]): number[] =>
      sweeps.flatMap((sweep) => splitOf(sweep, { knee, slope }).residuals),
    lower: [Math.min(0.98, lowest), 0],
    upper: [1, 4],
  };
  const middle = (lowest + 1) / 2;
  const found = leastSquaresFrom(problem, [
    [middle, 0.5],
    [0.25 * lowest + 0.75, 1],
    [0.75 * lowest + 0.25, 1],
  ]);
  const { status, standardErrors } = uncertainty(
    { ...problem, start: found.parameters },
    found.parameters,
  );
  const parameters = ['voltage.knee', 'voltage.slope'].map(
    (name, i): FittedParameter => ({
      name,
      value: at(found.parameters, i),
      standardError: standardErrors[i] ?? null,
      status: status[i] ?? 'free',
      why: `shared by ${sweeps.length} workloads`,
    }),
  );
  const curve = { knee: at(found.parameters, 0), slope: at(found.parameters, 1) };
  return {
    leastConstantW: Math.min(...sweeps.map((sweep) => splitOf(sweep, curve).memoryW)),
    voltage: curve,
    parameters,
    provenance: (source) => ({
      kind: 'fitted',
      source: `${source}: one curve for ${sweeps.length} workloads; it serves to predict power and is no measured voltage`,
    }),
  };
}

interface PowerSplit {
  readonly memoryW: number;
  readonly coreW: number;
  /** Relative errors. */
  readonly residuals: readonly number[];
}

/** The best non-negative `memoryW` and `coreW` of a sweep under a curve, without a context level. */
function splitOf(sweep: readonly PowerPoint[], curve: VoltageCurve): PowerSplit {
  const rows = sweep.map(({ x, xm, powerW }) => ({
    a: xm / powerW,
    b: (voltage(curve, x) ** 2 * x) / powerW,
  }));
  let [aa, ab, bb, ay, by] = [0, 0, 0, 0, 0];
  for (const { a, b } of rows) {
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ay += a;
    by += b;
  }
  const determinant = aa * bb - ab * ab;
  let memoryW = (ay * bb - by * ab) / determinant;
  let coreW = (aa * by - ab * ay) / determinant;
  if (memoryW < 0) [memoryW, coreW] = [0, Math.max(0, by / bb)];
  else if (coreW < 0) [memoryW, coreW] = [Math.max(0, ay / aa), 0];
  return { memoryW, coreW, residuals: rows.map(({ a, b }) => a * memoryW + b * coreW - 1) };
}
