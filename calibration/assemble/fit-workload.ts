import { voltage } from '../../sim/gpu/power.ts';
import type { FitError, GpuType } from '../../sim/gpu/profile.ts';
import { EXPONENTS, smallestGoodExponent } from '../fit/clock-time.ts';
import { mean } from '../fit/errors.ts';
import { at, leastSquaresFrom } from '../fit/least-squares.ts';
import { type ParameterStatus, uncertainty } from '../fit/uncertainty.ts';
import type { FittedParameter } from './gpu-frame.ts';
import type { WorkloadObservations } from './observations.ts';
import { type Evidence, evidenceOf, predictAlone, type SoloTerms } from './workload-model.ts';

/** Time, power and cap terms of one workload with their errors. */
export interface FittedWorkload {
  readonly terms: SoloTerms;
  readonly evidence: Evidence;
  readonly parameters: readonly FittedParameter[];
  /** Null where less than two of the kind were measured. */
  readonly timeMape: number | null;
  readonly powerMape: number | null;
  readonly worst: number;
  readonly fitError: FitError;
}

/** Clocks from which on the exponent of the roofline is looked for. */
const EXPONENT_CLOCKS = 4;
const CAP_FRACTION = { lower: 0.6, start: 0.94, upper: 1 };
/** Part of the power limit that a workload of which no power is known is assumed to draw, dynamic. */
const UNKNOWN_PART = 0.5;

interface Slot {
  readonly name: string;
  readonly scale: number;
  readonly lower: number;
  readonly upper: number;
  /** Where fixed. */
  readonly fixed: number | null;
  readonly why: string;
}

interface Pinned {
  readonly status: ParameterStatus;
  readonly error: number | null;
}

/** Parameters that are fitted together, by their slots, to these kinds of residuals. */
interface Stage {
  readonly slots: readonly number[];
  readonly times: boolean;
  readonly powers: boolean;
  readonly findsExponent: boolean;
}

const TIMES: Stage = { slots: [0, 1], times: true, powers: false, findsExponent: true };
const POWERS: Stage = { slots: [2, 3, 4], times: false, powers: true, findsExponent: false };
const ALL: Stage = { slots: [0, 1, 2, 3, 4], times: true, powers: true, findsExponent: true };

/** Bounds of a stage: what is not its own is held where it is. */
function boundsOf(slots: readonly Slot[], stage: Stage, held: readonly number[]) {
  const side = (of: 'lower' | 'upper'): number[] =>
    slots.map((slot, i) => slot.fixed ?? (stage.slots.includes(i) ? slot[of] : at(held, i)));
  return { lower: side('lower'), upper: side('upper') };
}

/**
 * Fits the points of a workload alone by least squares of relative errors: memory and core time with
 * the exponent of the roofline, then memory and core power, which follows the speed. Where a cap binds,
 * the clock is latent and follows from the power, so all are fitted together, with the average power
 * under the cap. What the points do not vary is fixed, with the reason.
 */
export function fitWorkload(data: WorkloadObservations, type: GpuType): FittedWorkload {
  const evidence = evidenceOf(data.alone);
  const slots = slotsOf(data, type, evidence);
  const termsOf = (p: readonly number[], q: number): SoloTerms => {
    const value = (i: number): number => at(p, i) * at(slots, i).scale;
    return {
      time: { hostS: 0, memoryS: value(0), coreS: value(1), q },
      power: { memoryW: value(2), coreW: value(3) },
      capFraction: value(4),
    };
  };
  const isFree = evidence.clocks >= EXPONENT_CLOCKS || (evidence.capsBind && evidence.caps >= 4);
  const exponents = isFree ? EXPONENTS : [1];
  const stages = evidence.capsBind ? [ALL] : [TIMES, POWERS];
  let q = 1;
  let p: readonly number[] = at(STARTS, 0);
  const pinned: Pinned[] = slots.map(() => ({ status: 'fixed', error: null }));
  for (const stage of stages) {
    const bound = boundsOf(slots, stage, p);
    const problemOf = (exponent: number) => ({
      residuals: (values: readonly number[]) =>
        residualsOf(data, type, termsOf(values, exponent), stage),
      ...bound,
    });
    const fits = (stage.findsExponent ? exponents : [q]).map((exponent) => {
      const found = leastSquaresFrom(problemOf(exponent), STARTS);
      return { exponent, cost: found.cost, found: found.parameters };
    });
    const best = smallestGoodExponent(fits);
    q = best.exponent;
    p = best.found;
    const { status, standardErrors } = uncertainty({ ...problemOf(q), start: p }, p);
    for (const i of stage.slots) {
      pinned[i] = { status: status[i] ?? 'free', error: standardErrors[i] ?? null };
    }
  }
  const terms = termsOf(p, q);
  const parameters = slots.map((slot, i): FittedParameter => {
    const { status, error } = at(pinned, i);
    return {
      name: slot.name,
      value: at(p, i) * slot.scale,
      standardError: error === null ? null : error * slot.scale,
      status,
      why: slot.fixed === null ? '' : slot.why,
    };
  });
  parameters.push({
    ...{ name: 'time.q', value: q, standardError: null, status: isFree ? 'free' : 'fixed' },
    why: isFree
      ? `best of ${EXPONENTS.join(', ')}`
      : `fewer than ${EXPONENT_CLOCKS} clocks: additive`,
  });
  return { terms, evidence, parameters, ...errorsOf(data, type, terms) };
}

const STARTS = [
  [0.5, 0.5, 0.3, 0.7, CAP_FRACTION.start],
  [0.9, 0.2, 0.1, 0.9, 0.85],
  [0.1, 0.9, 0.6, 0.5, CAP_FRACTION.start],
];

function slotsOf(data: WorkloadObservations, type: GpuType, evidence: Evidence): Slot[] {
  const times = data.alone.flatMap(({ stepS }) => (stepS === null ? [] : [stepS]));
  const powers = data.alone.flatMap(({ powerW }) => (powerW === null ? [] : [powerW]));
  const timeScale = times.length === 0 ? 1 : Math.min(...times);
  const v = voltage(type.voltage, 1) ** 2;
  const room =
    powers.length === 0
      ? UNKNOWN_PART * (type.powerLimitW.default - type.contextPowerW)
      : Math.max(Math.max(...powers) - type.contextPowerW, 0.01 * type.contextPowerW, 1e-3);
  const tellsTime = evidence.clocks > 1 || evidence.shares > 1 || evidence.capsBind;
  const tellsPower = evidence.powers > 0 && (evidence.clocks > 1 || evidence.capsBind);
  const noSplit = 'one clock, one share and no cap that binds: all of it follows the core clock';
  const noPower = `no power measured: assumed ${UNKNOWN_PART} of the room below the power limit`;
  const slot = (
    name: string,
    scale: number,
    bounds: readonly [number, number],
    fixed: number | null,
    why: string,
  ): Slot => ({ name, scale, lower: bounds[0], upper: bounds[1], fixed, why });
  return [
    times.length === 0
      ? slot('time.memoryS', 1, [0, 1], 0, 'no time measured')
      : slot('time.memoryS', timeScale, [0, 3], tellsTime ? null : 0, noSplit),
    times.length === 0
      ? slot('time.coreS', 1, [0, 1], 1, 'no time measured: a step of 1 s')
      : slot('time.coreS', timeScale, [0, 3], null, ''),
    powers.length === 0
      ? slot('power.memoryW', 1, [0, 1], 0, noPower)
      : slot('power.memoryW', room, [0, 3], tellsPower ? null : 0, noSplit),
    powers.length === 0
      ? slot('power.coreW', room / v, [0, 1], 1, noPower)
      : slot('power.coreW', room / v, [0, 3], null, ''),
    slot(
      'capFraction',
      1,
      [CAP_FRACTION.lower, CAP_FRACTION.upper],
      evidence.capsBind ? null : CAP_FRACTION.upper,
      'no cap binds',
    ),
  ];
}

function residualsOf(
  { alone }: WorkloadObservations,
  type: GpuType,
  terms: SoloTerms,
  { times, powers }: Stage,
): number[] {
  return alone.flatMap((point) => {
    const { stepS, powerW } = predictAlone(terms, type, point);
    return [
      ...(point.stepS === null || !times ? [] : [stepS / point.stepS - 1]),
      ...(point.powerW === null || !powers ? [] : [powerW / point.powerW - 1]),
    ];
  });
}

function errorsOf(data: WorkloadObservations, type: GpuType, terms: SoloTerms) {
  const times: number[] = [];
  const powers: number[] = [];
  for (const point of data.alone) {
    const { stepS, powerW } = predictAlone(terms, type, point);
    if (point.stepS !== null) times.push(Math.abs(stepS / point.stepS - 1));
    if (point.powerW !== null) powers.push(Math.abs(powerW / point.powerW - 1));
  }
  // One point is met exactly, which says nothing.
  const timeMape = times.length < 2 ? null : mean(times);
  const powerMape = powers.length < 2 ? null : mean(powers);
  return {
    timeMape,
    powerMape,
    worst: Math.max(0, ...times, ...powers),
    fitError: {
      timeMape,
      powerMape,
      points: Math.max(1, data.alone.length),
    },
  };
}
