import type { Summary } from '../sim/result.ts';

/** A unit for people and how many SI units one of it is. */
export interface DisplayUnit {
  readonly unit: string;
  readonly size: number;
}

/** A figure of a run that policies are compared by. */
export interface Metric {
  /** Name in `comparison.json` and `comparison.csv`; the unit is in it. */
  readonly name: string;
  /** Heading of its column, at most two lines. */
  readonly title: string;
  readonly of: (summary: Summary) => number;
  /** Units to show it in, largest first. */
  readonly units: readonly DisplayUnit[];
}

const HOUR_S = 3600;
const KWH_J = 3.6e6;

const TIME: readonly DisplayUnit[] = [
  { unit: 'h', size: HOUR_S },
  { unit: 'min', size: 60 },
  { unit: 's', size: 1 },
];
const ENERGY: readonly DisplayUnit[] = [
  { unit: 'GWh', size: 1e6 * KWH_J },
  { unit: 'MWh', size: 1e3 * KWH_J },
  { unit: 'kWh', size: KWH_J },
  { unit: 'Wh', size: 1e-3 * KWH_J },
  { unit: 'J', size: 1 },
];
const POWER: readonly DisplayUnit[] = [
  { unit: 'MW', size: 1e6 },
  { unit: 'kW', size: 1e3 },
  { unit: 'W', size: 1 },
];
const ENERGY_DELAY: readonly DisplayUnit[] = [
  { unit: 'MWh·h', size: 1e3 * KWH_J * HOUR_S },
  { unit: 'kWh·h', size: KWH_J * HOUR_S },
  { unit: 'Wh·h', size: 1e-3 * KWH_J * HOUR_S },
  { unit: 'J·s', size: 1 },
];
const PERCENT: readonly DisplayUnit[] = [{ unit: '%', size: 0.01 }];

/** The figures that policies are compared by, in the order of the table's columns. */
export const METRICS: readonly Metric[] = [
  { name: 'jctMeanS', title: 'JCT\nmean', of: (run) => run.jctS.mean, units: TIME },
  { name: 'jctMedianS', title: 'JCT\nmedian', of: (run) => run.jctS.median, units: TIME },
  { name: 'jctP99S', title: 'JCT\np99', of: (run) => run.jctS.p99, units: TIME },
  { name: 'queueMeanS', title: 'queue\nmean', of: (run) => run.queueS.mean, units: TIME },
  { name: 'makespanS', title: 'make-\nspan', of: (run) => run.makespanS, units: TIME },
  { name: 'energyJ', title: 'energy\ntotal', of: (run) => run.energyJ.total, units: ENERGY },
  {
    name: 'energyPerJobJ',
    title: 'energy\nper job',
    of: (run) => run.energyJ.perJobMean,
    units: ENERGY,
  },
  { name: 'edpJs', title: 'energy\nx delay', of: (run) => run.edpJs, units: ENERGY_DELAY },
  { name: 'meanPowerW', title: 'mean\npower', of: (run) => run.meanPowerW, units: POWER },
  { name: 'gpuUtilisation', title: 'GPU\nuse', of: (run) => run.gpuUtilisation, units: PERCENT },
];

/** The largest of a metric's units in which the value is at least 1; the smallest if none is. */
export function displayUnit(units: readonly DisplayUnit[], value: number): DisplayUnit {
  const fits = units.find(({ size }) => Math.abs(value) >= size);
  return fits ?? units.at(-1) ?? { unit: '', size: 1 };
}

/** A number for people: three significant digits, never an exponent; `-` when it is no number. */
export function threeDigits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 99.95 || size === 0) return value.toFixed(0);
  return value.toFixed(size >= 9.995 ? 1 : 2);
}

/** Seconds for people: `3.25 h`. */
export function formatDuration(seconds: number): string {
  const { unit, size } = displayUnit(TIME, seconds);
  return `${threeDigits(seconds / size)} ${unit}`;
}

/** Watts for people: `1.20 kW`. */
export function formatPower(watts: number): string {
  const { unit, size } = displayUnit(POWER, watts);
  return `${threeDigits(watts / size)} ${unit}`;
}
