import { type Demand, gpuSeconds, gpusOf } from './demand.ts';
import { numbersOf } from './range.ts';

/** How many GPUs are asked for at once. */
export interface Concurrency {
  readonly peakGpus: number;
  /** First time at which that many are. */
  readonly peakAtS: number;
  /** Mean from the first start to the last end. */
  readonly meanGpus: number;
  readonly fromS: number;
  readonly toS: number;
  /** Jobs whose start is recorded; the others are taken to start when they are submitted. */
  readonly startsRecorded: number;
}

/** A demand whose wait may be recorded. */
export type RecordedDemand = Demand & { readonly queuedS?: number | null };

function order(times: Float64Array): Uint32Array {
  const indices = new Uint32Array(times.length);
  for (let index = 0; index < indices.length; index += 1) indices[index] = index;
  return indices.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
}

/**
 * GPUs asked for at once if every job starts after its recorded wait, by a sweep over starts and ends; a
 * GPU of which a part is asked for counts as that part. At one instant ends come before starts. Null for
 * no jobs.
 */
export function concurrencyOf(jobs: readonly RecordedDemand[]): Concurrency | null {
  if (jobs.length === 0) return null;
  const startS = (job: RecordedDemand) => job.submitS + (job.queuedS ?? 0);
  const starts = numbersOf(jobs, startS);
  const ends = numbersOf(jobs, (job) => startS(job) + job.durationS);
  const gpus = numbersOf(jobs, gpusOf);
  const byStart = order(starts);
  const byEnd = order(ends);
  const startAt = (at: number) => starts[byStart[at] ?? 0] ?? 0;
  const endAt = (at: number) => ends[byEnd[at] ?? 0] ?? 0;

  let inUse = 0;
  let peakGpus = 0;
  let peakAtS = startAt(0);
  let ended = 0;
  for (let started = 0; started < jobs.length; started += 1) {
    const nowS = startAt(started);
    // A job that runs for no time has ended before it starts here, which its sum does not mind.
    while (ended < jobs.length && endAt(ended) <= nowS) {
      inUse -= gpus[byEnd[ended] ?? 0] ?? 0;
      ended += 1;
    }
    inUse += gpus[byStart[started] ?? 0] ?? 0;
    if (inUse > peakGpus) {
      peakGpus = inUse;
      peakAtS = nowS;
    }
  }

  let workGpuS = 0;
  let startsRecorded = 0;
  for (const job of jobs) {
    workGpuS += gpuSeconds(job);
    if (job.queuedS != null) startsRecorded += 1;
  }
  const fromS = startAt(0);
  const toS = endAt(jobs.length - 1);
  return {
    // Sums of shares like 0.81 leave digits behind that mean nothing.
    peakGpus: Number(peakGpus.toPrecision(12)),
    peakAtS,
    meanGpus: toS > fromS ? workGpuS / (toS - fromS) : 0,
    fromS,
    toS,
    startsRecorded,
  };
}
