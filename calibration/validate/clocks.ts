import type { VoltageCurve } from '../../sim/gpu/profile.ts';
import {
  fitDynamicPower,
  fitVoltageCurve,
  linearPowerPredictor,
  powerOverClock,
} from '../fit/clock-power.ts';
import { EXPONENTS } from '../fit/clock-time.ts';
import { at } from '../fit/linear-algebra.ts';
import { batchStepTimeS, fitStepTime } from '../fit/step-time.ts';
import type { MeasurementTable } from '../measurement.ts';
import type { SchemeResult, SchemeRow } from './scheme.ts';
import { relativeErrors, type Score, summaryOf } from './score.ts';
import {
  type ClockPoint,
  type ClockSweep,
  clockSweeps,
  everySecond,
  type SweepGroup,
} from './sweeps.ts';

export interface ClockOptions {
  /** Fewest clocks of a sweep that is used, so that alternate ones leave enough for three terms. */
  readonly minClocks: number;
  /** Exponents of the roofline that the time fit may take. */
  readonly exponents: readonly number[];
}

const DEFAULTS: ClockOptions = { minClocks: 6, exponents: EXPONENTS };

/** The set that the goals were set for; others are reported as they come out. */
const GOAL_SOURCE = 'v100-clocks';

const PUBLISHED =
  'exploratory fits of the V100 set: time 0.85 %, power 1.22..1.3 %; linear power 3.46 %';
const PUBLISHED_HALVES = 'exploratory fit of the V100 set: 1.27 %';
const PUBLISHED_TWO = 'exploratory fit of the V100 set, two clocks: time 4.75 %, power 2.10 %';

/**
 * Scheme 1: locked core clocks. The voltage curve of a GPU type and the two time and two power terms
 * of each application are fitted on some clocks, and asked for others (calibration C1 c, C2, C3 a).
 * Naive: time inverse to the clock, power linear in it.
 */
export function validateClocks(
  table: MeasurementTable,
  options: Partial<ClockOptions> = {},
): SchemeResult {
  const settings = { ...DEFAULTS, ...options };
  const groups = clockSweeps(table).flatMap((group) => {
    const sweeps = group.sweeps.filter(
      ({ points }) => hasOneMemoryClock(points) && points.length >= settings.minClocks,
    );
    return sweeps.length < 2 ? [] : [{ ...group, sweeps }];
  });
  return {
    name: '1. Locked core clocks',
    goal: {
      timeMape: 0.012,
      powerMape: 0.016,
      worst: 0.035,
      more: 'alternate clocks: time 1.2 %, power 1.6 %, worst application 3.5 %; curve of the other half of the applications: power 1.8 %',
    },
    rows: groups.flatMap((group) => rowsOf(group, settings)),
    notes: [
      'Alternate clocks: every second clock from the lowest on is seen, and the highest; the clocks between are asked for.',
      'Other half: the voltage curve is learned on every second application, at all clocks; the others fit their own two powers under it on alternate clocks. Both halves in turn.',
      'Two and three clocks: the lowest and the highest, and the middle one, with the curve of the other half; with two the time is additive (q = 1).',
      'Goals are those of the V100 clock set; other sets are reported as they come out.',
      'Naive: time inverse to the clock and power linear in it, both scaled to the clocks seen.',
    ],
  };
}

function rowsOf(group: SweepGroup<ClockSweep>, { exponents }: ClockOptions): SchemeRow[] {
  const frame = { referenceMhz: referenceOf(group.sweeps), exponents };
  const { sweeps } = group;
  const what = (how: string): string => `${group.gpuType} (${group.source}), ${how}`;
  const alternate = sweeps.map(({ points }) => split(points, alternateIndices(points.length)));
  const curve = curveOf(
    alternate.map(({ seen }) => seen),
    frame,
  );
  const ours = summaryOf(sweeps.map((sweep, i) => scoreOf(sweep, at(alternate, i), curve, frame)));
  const naive = summaryOf(sweeps.map((sweep, i) => naiveScore(sweep, at(alternate, i), frame)));
  const naiveErrors = { naiveTime: naive.timeMape, naivePower: naive.powerMape };
  const noGoal = { timeMape: null, powerMape: null, worst: null, more: '' };
  const isGoalSet = group.source === GOAL_SOURCE;
  const byHalf = (indices: (count: number) => readonly number[]): Score[] => {
    const curves = ([0, 1] as const).map((parity) =>
      curveOf(
        everySecond(sweeps, parity).map(({ points }) => points),
        frame,
      ),
    );
    return sweeps.map((sweep, i) =>
      scoreOf(
        sweep,
        split(sweep.points, indices(sweep.points.length)),
        at(curves, 1 - (i % 2)),
        frame,
      ),
    );
  };
  const halves = summaryOf(byHalf(alternateIndices));
  const three = summaryOf(byHalf((n) => [0, Math.floor((n - 1) / 2), n - 1]));
  const two = summaryOf(byHalf((n) => [0, n - 1]));
  return [
    {
      ...{ what: what('alternate clocks'), ...ours, ...naiveErrors },
      published: isGoalSet ? PUBLISHED : '',
      ...(isGoalSet ? {} : { goal: noGoal }),
    },
    {
      ...{ what: what('curve of the other half'), ...halves, timeMape: null, ...naiveErrors },
      naiveTime: null,
      worst: null,
      published: isGoalSet ? PUBLISHED_HALVES : '',
      goal: isGoalSet ? { ...noGoal, powerMape: 0.018 } : noGoal,
    },
    ...[
      { ...three, what: what('three clocks'), published: '' },
      { ...two, what: what('two clocks'), published: isGoalSet ? PUBLISHED_TWO : '' },
    ].map((row) => ({ ...row, naiveTime: null, naivePower: null, goal: noGoal })),
  ];
}

interface Frame {
  readonly referenceMhz: number;
  readonly exponents: readonly number[];
}

interface Split {
  readonly seen: readonly ClockPoint[];
  readonly asked: readonly ClockPoint[];
}

function scoreOf(
  { workload }: ClockSweep,
  { seen, asked }: Split,
  curve: VoltageCurve,
  frame: Frame,
): Score {
  const time = fitStepTime(
    seen.map((point) => timePoint(point, frame)),
    frame,
  );
  const power = fitDynamicPower(powerSweep(seen, frame), curve, 0);
  return {
    workload,
    time: relativeErrors(
      asked.map(({ stepS }) => stepS),
      asked.map((point) => batchStepTimeS(time.model, timePoint(point, frame))),
    ),
    power: relativeErrors(
      asked.map(({ powerW }) => powerW),
      powerOverClock(powerSweep(asked, frame).x, power, curve, 0),
    ),
  };
}

function naiveScore({ workload }: ClockSweep, { seen, asked }: Split, frame: Frame): Score {
  const line = linearPowerPredictor(powerSweep(seen, frame));
  // The scale s of s / x with the least squares of relative errors.
  const ratios = seen.map(({ coreMhz, stepS }) => 1 / (coreMhz * stepS));
  const scale = ratios.reduce((sum, r) => sum + r, 0) / ratios.reduce((sum, r) => sum + r * r, 0);
  return {
    workload,
    time: asked.map(({ coreMhz, stepS }) => Math.abs(scale / coreMhz / stepS - 1)),
    power: asked.map(({ coreMhz, powerW }) =>
      Math.abs(line(coreMhz / frame.referenceMhz) / powerW - 1),
    ),
  };
}

function curveOf(sweeps: readonly (readonly ClockPoint[])[], frame: Frame): VoltageCurve {
  return fitVoltageCurve(
    sweeps.map((points) => powerSweep(points, frame)),
    0,
  );
}

function timePoint({ coreMhz, stepS }: ClockPoint, { referenceMhz }: Frame) {
  return { x: coreMhz / referenceMhz, xm: 1, share: 1, batch: 1, timeS: stepS };
}

function powerSweep(points: readonly ClockPoint[], { referenceMhz }: Frame) {
  return {
    x: points.map(({ coreMhz }) => coreMhz / referenceMhz),
    powerW: points.map(({ powerW }) => powerW),
  };
}

/** Every second index from the first, and the last. */
export function alternateIndices(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i).filter((i) => i % 2 === 0 || i === count - 1);
}

function split(points: readonly ClockPoint[], seen: readonly number[]): Split {
  return {
    seen: points.filter((_, i) => seen.includes(i)),
    asked: points.filter((_, i) => !seen.includes(i)),
  };
}

function hasOneMemoryClock(points: readonly ClockPoint[]): boolean {
  return new Set(points.map(({ memoryMhz }) => memoryMhz)).size === 1;
}

function referenceOf(sweeps: readonly ClockSweep[]): number {
  return Math.max(...sweeps.flatMap(({ points }) => points.map(({ coreMhz }) => coreMhz)));
}
