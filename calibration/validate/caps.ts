import type { VoltageCurve } from '../../sim/gpu/profile.ts';
import { fitPhasedJob, type PhaseGpu, predictPhased } from '../fit/capped-phases.ts';
import { median } from '../fit/errors.ts';
import { at } from '../fit/linear-algebra.ts';
import {
  type CapFit,
  type CapMeasurements,
  capsBind,
  fitPowerCap,
  predictUnderCap,
} from '../fit/power-cap.ts';
import type { MeasurementTable } from '../measurement.ts';
import type { SchemeGoal, SchemeResult, SchemeRow } from './scheme.ts';
import { relativeErrors, type Score, summaryOf } from './score.ts';
import { type CapSweep, capSweeps, type SweepGroup } from './sweeps.ts';

export interface CapOptions {
  /** Lowest clock over the highest, by GPU type; a card that is not named takes `otherLowestX`. */
  readonly lowestX: Readonly<Record<string, number>>;
  readonly otherLowestX: number;
  /** Voltage curve of every type: no set of caps tells clocks. */
  readonly voltage: VoltageCurve;
  /** Part of a cap that the controller lets a busy GPU draw. */
  readonly heldPart: number;
  /** Fewest caps of a sweep that is used. */
  readonly minCaps: number;
  /** Context level as a part of the lowest power of a running job on the type. */
  readonly contextPart: number;
}

const DEFAULTS: CapOptions = {
  lowestX: { V100: 135 / 1380, P100: 544 / 1328, A40: 210 / 1740 },
  otherLowestX: 0.12,
  voltage: { knee: 0.72, slope: 0.52 },
  // The middle of what was found on an RTX PRO 6000 with clocks locked and capped (calibration C5).
  heldPart: 0.985,
  minCaps: 5,
  contextPart: 0.9,
};

const GOAL: SchemeGoal = {
  timeMape: 0.03,
  powerMape: 0.035,
  worst: null,
  more: 'alternate caps: time 3 %, power 3.5 %; A40 time 8 %, power 4 %',
};
const GOALS: Readonly<Record<string, SchemeGoal>> = {
  A40: { ...GOAL, timeMape: 0.08, powerMape: 0.04, more: '' },
};
const NO_GOAL: SchemeGoal = { timeMape: null, powerMape: null, worst: null, more: '' };

const PUBLISHED: Readonly<Record<string, string>> = {
  V100: 'exploratory fit with one phase: time 2.1 %, power 2.9 %',
  RTX6000: 'exploratory fit with one phase: time 2.1 %, power 2.3 %',
  A40: 'exploratory fit with one phase: time 7.1 %, power 3.3 %',
};

/**
 * Scheme 3: power caps. Every job and batch size of a set is fitted on some of its caps and asked for
 * the others; the clock under a cap is latent (calibration C5). Naive: straight lines between the
 * nearest caps seen.
 */
export function validateCaps(
  table: MeasurementTable,
  options: Partial<CapOptions> = {},
): SchemeResult {
  const settings = { ...DEFAULTS, ...options };
  const groups = capSweeps(table).flatMap((group) => {
    const sweeps = group.sweeps.filter(({ capsW }) => capsW.length >= settings.minCaps);
    return sweeps.length === 0 ? [] : [{ ...group, sweeps }];
  });
  return {
    name: '3. Power caps',
    goal: GOAL,
    rows: groups.flatMap((group) => rowsOf(group, settings)),
    notes: [
      'Alternate caps: every second cap from the lowest on is seen, and the highest; the caps between are asked for. Other caps: those are asked for, the rest and both ends seen. Lowest cap: asked for, all others seen, which is extrapolation.',
      'Two phases: a part of each step is busy and capped, a light part is not; a busy GPU draws 98.5 % of a cap that binds. One phase: the average power is a fitted fraction of the cap, as the simulator has it.',
      'The two-phase form was worked out on every second sweep of each file, its held-out errors in view; the others had no part in it, and their errors alone are within 0.6 points of its.',
      'A job that no cap binds (power at the lowest cap seen above nine tenths of the most) is predicted by the medians of its time and power.',
      'A cap that the lowest clock cannot hold does not hold: power exceeds it.',
      'Naive: straight lines in the cap between the nearest two seen; at the lowest cap, the line through the two above.',
    ],
  };
}

type Predict = (capW: number) => { readonly timeS: number; readonly powerW: number };
type Seen = (count: number) => readonly number[];

const ALTERNATE: Seen = (count) => range(count).filter((i) => i % 2 === 0 || i === count - 1);
const OTHERS: Seen = (count) =>
  range(count).filter((i) => i % 2 === 1 || i === 0 || i === count - 1);
const ALL_BUT_LOWEST: Seen = (count) => range(count).slice(1);

function rowsOf(
  { gpuType, source, sweeps }: SweepGroup<CapSweep>,
  options: CapOptions,
): SchemeRow[] {
  const row = (how: string, seen: Seen, phases: 1 | 2, goal: SchemeGoal): SchemeRow => {
    const split = sweeps.map((sweep) => splitOf(sweep, seen(sweep.capsW.length)));
    const gpu = gpuOf(gpuType, split, options);
    const fits = phases === 2 ? phasedFits(split, gpu) : onePhaseFits(split, gpu);
    const ours = summaryOf(split.map((item, i) => scoreOf(item, at(fits, i))));
    const naive = summaryOf(split.map((item) => scoreOf(item, lineThrough(item.seen))));
    return {
      what: `${gpuType} (${source}), ${how}`,
      ...ours,
      naiveTime: naive.timeMape,
      naivePower: naive.powerMape,
      published: PUBLISHED[gpuType] ?? '',
      goal,
    };
  };
  const goal = GOALS[gpuType] ?? GOAL;
  return [
    row('alternate caps, two phases', ALTERNATE, 2, goal),
    row('other caps, two phases', OTHERS, 2, goal),
    row('lowest cap, two phases', ALL_BUT_LOWEST, 2, NO_GOAL),
    row('alternate caps, one phase', ALTERNATE, 1, goal),
  ].map((line) =>
    line.what.endsWith('lowest cap, two phases') ? { ...line, published: '' } : line,
  );
}

interface Split {
  readonly workload: string;
  readonly seen: CapMeasurements;
  readonly asked: CapMeasurements;
}

function splitOf(sweep: CapSweep, seen: readonly number[]): Split {
  const pick = (keep: (index: number) => boolean): CapMeasurements => ({
    capsW: sweep.capsW.filter((_, i) => keep(i)),
    timeS: sweep.timeS.filter((_, i) => keep(i)),
    powerW: sweep.powerW.filter((_, i) => keep(i)),
  });
  return {
    workload: sweep.workload,
    seen: pick((i) => seen.includes(i)),
    asked: pick((i) => !seen.includes(i)),
  };
}

function gpuOf(gpuType: string, split: readonly Split[], options: CapOptions): PhaseGpu {
  const lowestW = Math.min(...split.flatMap(({ seen }) => seen.powerW));
  return {
    voltage: options.voltage,
    contextPowerW: options.contextPart * lowestW,
    lowestX: options.lowestX[gpuType] ?? options.otherLowestX,
    highestX: 1,
    heldPart: options.heldPart,
  };
}

function phasedFits(split: readonly Split[], gpu: PhaseGpu): Predict[] {
  return split.map(({ seen }) => {
    if (!capsBind(seen)) return unbound(seen);
    const { job } = fitPhasedJob(seen, gpu);
    return (capW) => predictPhased(job, gpu, capW);
  });
}

function onePhaseFits(split: readonly Split[], gpu: PhaseGpu): Predict[] {
  return split.map(({ seen }): Predict => {
    if (!capsBind(seen)) return unbound(seen);
    const fit: CapFit = fitPowerCap(seen, gpu, 0);
    return (capW) => predictUnderCap(fit, gpu, capW);
  });
}

function unbound(seen: CapMeasurements): Predict {
  const point = { timeS: median(seen.timeS), powerW: median(seen.powerW) };
  return () => point;
}

/** Straight lines between neighbours, continued beyond the ends. */
function lineThrough({ capsW, timeS, powerW }: CapMeasurements): Predict {
  return (capW) => {
    const above = Math.min(
      Math.max(
        capsW.findIndex((cap) => cap > capW),
        1,
      ),
      capsW.length - 1,
    );
    const below = above - 1;
    const part = (capW - at(capsW, below)) / (at(capsW, above) - at(capsW, below));
    const between = (values: readonly number[]): number =>
      at(values, below) + part * (at(values, above) - at(values, below));
    return { timeS: between(timeS), powerW: between(powerW) };
  };
}

function scoreOf({ workload, asked }: Split, predict: Predict): Score {
  const points = asked.capsW.map(predict);
  return {
    workload,
    time: relativeErrors(
      asked.timeS,
      points.map(({ timeS }) => timeS),
    ),
    power: relativeErrors(
      asked.powerW,
      points.map(({ powerW }) => powerW),
    ),
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
