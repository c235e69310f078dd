import { sampleCorrelation } from 'simple-statistics';
import { type Demand, gpuSeconds } from '../statistics/demand.ts';

const HOUR_S = 3600;
const HOURS = 24;

/** How near generated jobs are to those of a real trace. */
export interface Fidelity {
  /** Two-sample Kolmogorov-Smirnov distances, 0 to 1. That of run times is also that of their logarithm. */
  readonly durationDistance: number;
  readonly gangDistance: number;
  /** Of GPUs asked for, parts of a GPU included. */
  readonly gpusDistance: number;
  /** Correlation of submissions by hour of the day, both clocks as they are; null for no variation. */
  readonly hourCorrelation: number | null;
  /** The same with the generated hours moved by this many hours, which makes it largest. */
  readonly bestShift: { readonly hours: number; readonly correlation: number } | null;
  /** GPU-hours a job over those of the real trace. */
  readonly gpuHoursRatio: number;
  /** Part of the GPU-hours that jobs of more than one GPU ask for. */
  readonly gangPart: { readonly real: number; readonly generated: number };
}

/**
 * Largest distance between the distribution functions of two samples (two-sample Kolmogorov-Smirnov).
 * 0 for samples alike, 1 for samples that do not overlap.
 */
export function distributionDistance(a: Float64Array, b: Float64Array): number {
  const [left, right] = [a.toSorted(), b.toSorted()];
  let [i, j, largest] = [0, 0, 0];
  while (i < left.length && j < right.length) {
    const value = Math.min(left[i] ?? 0, right[j] ?? 0);
    while (left[i] === value) i += 1;
    while (right[j] === value) j += 1;
    largest = Math.max(largest, Math.abs(i / left.length - j / right.length));
  }
  return largest;
}

/** Submissions by hour of the day, for a clock that shows `clockStartS` seconds after midnight at time 0. */
export function hourCounts(jobs: readonly Demand[], clockStartS = 0): number[] {
  const counts = new Array<number>(HOURS).fill(0);
  for (const { submitS } of jobs) {
    const hour = Math.floor((submitS + clockStartS) / HOUR_S) % HOURS;
    counts[hour] = (counts[hour] ?? 0) + 1;
  }
  return counts;
}

function correlationOf(a: readonly number[], b: readonly number[]): number | null {
  const value = sampleCorrelation([...a], [...b]);
  return Number.isFinite(value) ? value : null;
}

function bestShiftOf(real: readonly number[], generated: readonly number[]) {
  let best: Fidelity['bestShift'] = null;
  for (let hours = 0; hours < HOURS; hours += 1) {
    const moved = real.map((_, hour) => generated[(hour - hours + HOURS) % HOURS] ?? 0);
    const correlation = correlationOf(real, moved);
    if (correlation !== null && correlation > (best?.correlation ?? -2)) {
      best = { hours, correlation };
    }
  }
  return best;
}

function work(jobs: readonly Demand[]): { perJobS: number; gangPart: number } {
  let all = 0;
  let gangs = 0;
  for (const job of jobs) {
    all += gpuSeconds(job);
    if (job.gpuCount > 1) gangs += gpuSeconds(job);
  }
  return { perJobS: all / jobs.length, gangPart: all === 0 ? 0 : gangs / all };
}

/**
 * Compares generated jobs with real ones, of which there are some. Both clocks are taken to show
 * `clockStartS` seconds after midnight at time 0.
 */
export function fidelityOf(
  real: readonly Demand[],
  generated: readonly Demand[],
  clockStartS = 0,
): Fidelity {
  const distance = (of: (job: Demand) => number) =>
    distributionDistance(Float64Array.from(real, of), Float64Array.from(generated, of));
  const realHours = hourCounts(real, clockStartS);
  const generatedHours = hourCounts(generated, clockStartS);
  const [realWork, generatedWork] = [work(real), work(generated)];
  return {
    durationDistance: distance((job) => job.durationS),
    gangDistance: distance((job) => job.gpuCount),
    gpusDistance: distance((job) => job.gpuCount * job.share),
    hourCorrelation: correlationOf(realHours, generatedHours),
    bestShift: bestShiftOf(realHours, generatedHours),
    gpuHoursRatio: generatedWork.perJobS / realWork.perJobS,
    gangPart: { real: realWork.gangPart, generated: generatedWork.gangPart },
  };
}
