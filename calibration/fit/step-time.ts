import type { StepTimeModel } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import { EXPONENTS, smallestGoodExponent } from './clock-time.ts';
import { mean } from './errors.ts';
import { at, leastSquaresFrom } from './least-squares.ts';
import { type ParameterStatus, uncertainty } from './uncertainty.ts';

/** A step alone on a GPU: clocks over their references, SM share, batch size and seconds. */
export interface StepTimePoint {
  readonly x: number;
  readonly xm: number;
  readonly share: number;
  readonly batch: number;
  readonly timeS: number;
}

/** A part of a step that grows with the batch: `fixedS + perItemS * batch`, in seconds. */
export interface AffineTime {
  readonly fixedS: number;
  readonly perItemS: number;
}

/**
 * Step time over core clock x, memory clock xm, SM share r and batch B in one form (DESIGN section 4;
 * calibration C1 c, C6): `T = h(B) + ((m(B) / xm)^q + (c(B) / (x r))^q)^(1/q)`, with host, memory and
 * core times affine in the batch.
 */
export interface BatchStepTime {
  readonly host: AffineTime;
  readonly memory: AffineTime;
  readonly core: AffineTime;
  readonly q: number;
}

/** One coefficient of a fit with what the data says of it. */
export interface StepTimeCoefficient {
  readonly name: string;
  readonly value: number;
  readonly standardError: number | null;
  readonly status: ParameterStatus;
  /** Why it was fixed; empty when it was not. */
  readonly why: string;
}

export interface StepTimeFit {
  readonly model: BatchStepTime;
  /** Host, memory and core coefficients; errors are for the exponent that was found. */
  readonly coefficients: readonly StepTimeCoefficient[];
  /** Mean of |predicted / measured - 1| on the points of the fit. */
  readonly mape: number;
  readonly residuals: readonly number[];
}

export interface StepTimeOptions {
  /** Exponents that are tried; the smallest within a thousandth of the best cost wins. */
  readonly exponents: readonly number[];
  /** Part of a step at the reference point that is the host's, where no memory clock tells. */
  readonly hostPart: number;
}

const DEFAULTS: StepTimeOptions = { exponents: EXPONENTS, hostPart: 0 };

/** The model of one batch size as the simulator takes it. */
export function atBatch({ host, memory, core, q }: BatchStepTime, batch: number): StepTimeModel {
  return {
    hostS: host.fixedS + host.perItemS * batch,
    memoryS: memory.fixedS + memory.perItemS * batch,
    coreS: core.fixedS + core.perItemS * batch,
    q,
  };
}

/** Seconds of a step of the model, alone at a share. */
export function batchStepTimeS(
  model: BatchStepTime,
  { x, xm, share, batch }: Omit<StepTimePoint, 'timeS'>,
): number {
  return stepTimeS(atBatch(model, batch), 1, x, xm, share);
}

/**
 * Fits the one form of step time to points by least squares of relative errors. Every coefficient is
 * at least 0. What the points do not vary is fixed and says why: without several memory clocks host
 * time is `hostPart` of the step; without several clocks or shares all else is core time; with one
 * batch size nothing is per item; with fewer than four settings of clock and share the form is
 * additive (q = 1).
 */
export function fitStepTime(
  points: readonly StepTimePoint[],
  options: Partial<StepTimeOptions> = {},
): StepTimeFit {
  const { exponents, hostPart } = { ...DEFAULTS, ...options };
  if (points.length === 0) throw new RangeError('expected step times to fit, found none');
  const scaleS = Math.min(...points.map(({ timeS }) => timeS));
  const scaleB = Math.max(...points.map(({ batch }) => batch));
  const slots = slotsOf(points, hostPart);
  const model = (p: readonly number[], q: number): BatchStepTime => ({
    host: affine(p, 0, scaleS, scaleB),
    memory: affine(p, 2, scaleS, scaleB),
    core: affine(p, 4, scaleS, scaleB),
    q,
  });
  const problemOf = (q: number) => ({
    residuals: (p: readonly number[]): number[] =>
      points.map((point) => batchStepTimeS(model(p, q), point) / point.timeS - 1),
    lower: slots.map(({ fixed }) => fixed ?? 0),
    upper: slots.map(({ fixed }) => fixed ?? Number.POSITIVE_INFINITY),
  });
  const settings = new Set(points.map(({ x, xm, share }) => `${x} ${xm} ${share}`)).size;
  const fits = (settings < 4 ? [1] : exponents).map((q) => ({
    q,
    ...leastSquaresFrom(problemOf(q), STARTS),
  }));
  const { q, parameters, residuals } = smallestGoodExponent(fits);
  const { status, standardErrors } = uncertainty(
    { ...problemOf(q), start: parameters },
    parameters,
  );
  return {
    model: model(parameters, q),
    coefficients: slots.map(({ name, why, fixed }, i) => {
      const scale = i % 2 === 0 ? scaleS : scaleS / scaleB;
      const error = at(standardErrors, i);
      return {
        name,
        value: at(parameters, i) * scale,
        standardError: error === null ? null : error * scale,
        status: at(status, i),
        why: fixed === null ? '' : why,
      };
    }),
    mape: mean(residuals.map(Math.abs)),
    residuals,
  };
}

function affine(p: readonly number[], i: number, scaleS: number, scaleB: number): AffineTime {
  return { fixedS: at(p, i) * scaleS, perItemS: (at(p, i + 1) * scaleS) / scaleB };
}

/** Host, memory and core time, fixed and per item, in parts of the shortest step. */
const STARTS = [
  [0.05, 0.05, 0.3, 0.2, 0.3, 0.2],
  [0.05, 0.05, 0.6, 0.3, 0.1, 0.1],
  [0.05, 0.05, 0.1, 0.1, 0.6, 0.3],
];

interface Slot {
  readonly name: string;
  /** Value in parts of the shortest step where the data cannot tell. */
  readonly fixed: number | null;
  readonly why: string;
}

function slotsOf(points: readonly StepTimePoint[], hostPart: number): Slot[] {
  const distinct = (value: (point: StepTimePoint) => number): number =>
    new Set(points.map(value)).size;
  const isCoreSeen = distinct(({ x, share }) => x * share) > 1;
  const isMemorySeen = distinct(({ xm }) => xm) > 1;
  const areBatches = distinct(({ batch }) => batch) > 1;
  const oneBatch = 'one batch size';
  const noMemory = 'one memory clock: host time cannot be told from the memory floor';
  const noCore = 'one core clock and share: all of it is taken to follow them';
  const hostFixed = isMemorySeen ? null : hostPart;
  const memoryFixed = isCoreSeen || isMemorySeen ? null : 0;
  const pair = (name: string, fixed: number | null, why: string): Slot[] => [
    { name: `${name}.fixedS`, fixed, why },
    areBatches
      ? { name: `${name}.perItemS`, fixed: fixed === null ? null : 0, why }
      : { name: `${name}.perItemS`, fixed: 0, why: oneBatch },
  ];
  return [
    ...pair('host', hostFixed, noMemory),
    ...pair('memory', memoryFixed, noCore),
    ...pair('core', null, ''),
  ];
}
