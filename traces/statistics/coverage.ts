import { type Demand, gpuSeconds } from './demand.ts';

/** Equal stretches into which the span of submissions is cut. */
export const STRETCHES = 40;

/** How submissions lie over their span. */
export interface Coverage {
  /** First submission, on the clock of the trace. */
  readonly fromS: number;
  readonly stretchS: number;
  /** Jobs submitted in each stretch. */
  readonly jobs: readonly number[];
  /** GPU-hours that the jobs submitted in each stretch ask for. */
  readonly gpuHours: readonly number[];
  /** Part of the span, 0 to 1, by which 10, 50 and 90 % of the jobs have been submitted. */
  readonly arrivedBy: { readonly p10: number; readonly p50: number; readonly p90: number };
  /** Longest time without a submission. */
  readonly longestGap: { readonly fromS: number; readonly lengthS: number };
}

/** Coverage by jobs sorted by submission; null where they do not lie apart. */
export function coverageOf(jobs: readonly Demand[]): Coverage | null {
  const fromS = jobs[0]?.submitS ?? 0;
  const spanS = (jobs.at(-1)?.submitS ?? 0) - fromS;
  if (!(spanS > 0)) return null;
  const counts = new Array<number>(STRETCHES).fill(0);
  const work = new Array<number>(STRETCHES).fill(0);
  let lastS = fromS;
  let gap = { fromS, lengthS: 0 };
  for (const job of jobs) {
    const at = Math.min(STRETCHES - 1, Math.floor(((job.submitS - fromS) / spanS) * STRETCHES));
    counts[at] = (counts[at] ?? 0) + 1;
    work[at] = (work[at] ?? 0) + gpuSeconds(job) / 3600;
    if (job.submitS - lastS > gap.lengthS) gap = { fromS: lastS, lengthS: job.submitS - lastS };
    lastS = job.submitS;
  }
  const arrivedBy = (part: number) => {
    const job = jobs[Math.max(0, Math.ceil(part * jobs.length) - 1)];
    return ((job?.submitS ?? fromS) - fromS) / spanS;
  };
  return {
    fromS,
    stretchS: spanS / STRETCHES,
    jobs: counts,
    gpuHours: work,
    arrivedBy: { p10: arrivedBy(0.1), p50: arrivedBy(0.5), p90: arrivedBy(0.9) },
    longestGap: gap,
  };
}
