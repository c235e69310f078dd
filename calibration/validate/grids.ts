import {
  boardPowerW,
  fitBoardPower,
  fitSharedVoltage,
  type PowerPoint,
} from '../fit/board-power.ts';
import { linearPowerPredictor } from '../fit/clock-power.ts';
import { EXPONENTS } from '../fit/clock-time.ts';
import { at } from '../fit/linear-algebra.ts';
import { batchStepTimeS, fitStepTime, type StepTimePoint } from '../fit/step-time.ts';
import type { MeasurementTable } from '../measurement.ts';
import type { SchemeResult, SchemeRow } from './scheme.ts';
import { relativeErrors, type Score, summaryOf } from './score.ts';
import { type ClockPoint, type ClockSweep, clockSweeps, type SweepGroup } from './sweeps.ts';

export interface GridOptions {
  /** Exponents of the roofline that the time fit may take. */
  readonly exponents: readonly number[];
}

const PUBLISHED =
  'exploratory additive fits, alternate points: GTX 1080 Ti time 1.2 %, RTX 2070 S time 1.12 %, power 0.9 %';

/**
 * Scheme 2: grids of core and memory clocks. Half of each grid, as on a chessboard, is held out; host,
 * memory and core time, three powers and the voltage curve of the GPU type are fitted on the other
 * half (calibration C1, C3 a). Naive: time inverse to the core clock, power linear in it.
 */
export function validateGrids(
  table: MeasurementTable,
  options: Partial<GridOptions> = {},
): SchemeResult {
  const exponents = options.exponents ?? EXPONENTS;
  const groups = clockSweeps(table).flatMap((group) => {
    const sweeps = group.sweeps.filter(isGrid);
    return sweeps.length === 0 ? [] : [{ ...group, sweeps }];
  });
  return {
    name: '2. Grids of core and memory clocks',
    goal: {
      timeMape: 0.015,
      powerMape: 0.012,
      worst: null,
      more: 'alternate points: time 1.5 %, power 1.2 %',
    },
    rows: groups.map((group) => rowOf(group, exponents)),
    notes: [
      'Alternate points: of the i-th core and j-th memory clock, points with even i + j are seen, the others asked for.',
      'Naive: time inverse to the core clock and power linear in it, scaled to the points seen; it does not know the memory clock.',
    ],
  };
}

function isGrid({ points }: ClockSweep): boolean {
  const cores = new Set(points.map(({ coreMhz }) => coreMhz)).size;
  const memories = new Set(points.map(({ memoryMhz }) => memoryMhz)).size;
  return cores >= 2 && memories >= 2 && points.length >= 8;
}

interface Half {
  readonly workload: string;
  readonly seen: readonly GridPoint[];
  readonly asked: readonly GridPoint[];
}

type GridPoint = StepTimePoint & PowerPoint;

function rowOf(group: SweepGroup<ClockSweep>, exponents: readonly number[]): SchemeRow {
  const all = group.sweeps.flatMap(({ points }) => points);
  const halves = group.sweeps.map((sweep) => chessboard(sweep, all));
  const { curve } = fitSharedVoltage(halves.map(({ seen }) => seen));
  const ours = summaryOf(
    halves.map(({ workload, seen, asked }): Score => {
      const time = fitStepTime(seen, { exponents }).model;
      const power = fitBoardPower(seen, curve);
      return errorsOf(workload, asked, (point) => ({
        timeS: batchStepTimeS(time, point),
        powerW: boardPowerW(power, curve, point),
      }));
    }),
  );
  const naive = summaryOf(
    halves.map(({ workload, seen, asked }): Score => {
      const line = linearPowerPredictor({
        x: seen.map(({ x }) => x),
        powerW: seen.map(({ powerW }) => powerW),
      });
      const ratios = seen.map(({ x, timeS }) => 1 / (x * timeS));
      const scale =
        ratios.reduce((sum, r) => sum + r, 0) / ratios.reduce((sum, r) => sum + r * r, 0);
      return errorsOf(workload, asked, ({ x }) => ({ timeS: scale / x, powerW: line(x) }));
    }),
  );
  return {
    what: `${group.gpuType} (${group.source}), alternate points`,
    ...ours,
    naiveTime: naive.timeMape,
    naivePower: naive.powerMape,
    published: PUBLISHED,
  };
}

function chessboard({ workload, points }: ClockSweep, all: readonly ClockPoint[]): Half {
  const cores = ascending(points.map(({ coreMhz }) => coreMhz));
  const memories = ascending(points.map(({ memoryMhz }) => memoryMhz));
  const referenceMhz = at(ascending(all.map(({ coreMhz }) => coreMhz)).reverse(), 0);
  const referenceMemoryMhz = at(ascending(all.map(({ memoryMhz }) => memoryMhz)).reverse(), 0);
  const placed = points.map(({ coreMhz, memoryMhz, stepS, powerW }) => ({
    isSeen: (cores.indexOf(coreMhz) + memories.indexOf(memoryMhz)) % 2 === 0,
    point: {
      x: coreMhz / referenceMhz,
      xm: memoryMhz / referenceMemoryMhz,
      share: 1,
      batch: 1,
      timeS: stepS,
      powerW,
    },
  }));
  const pick = (seen: boolean): GridPoint[] =>
    placed.flatMap(({ isSeen, point }) => (isSeen === seen ? [point] : []));
  return { workload, seen: pick(true), asked: pick(false) };
}

function errorsOf(
  workload: string,
  asked: readonly GridPoint[],
  predict: (point: GridPoint) => { readonly timeS: number; readonly powerW: number },
): Score {
  const predicted = asked.map(predict);
  return {
    workload,
    time: relativeErrors(
      asked.map(({ timeS }) => timeS),
      predicted.map(({ timeS }) => timeS),
    ),
    power: relativeErrors(
      asked.map(({ powerW }) => powerW),
      predicted.map(({ powerW }) => powerW),
    ),
  };
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
