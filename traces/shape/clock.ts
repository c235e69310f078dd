import { offeredLoad } from '../statistics/load.ts';
import type { TraceJob } from '../workload.ts';
import { refuse, type ShapeStep, shapeError } from './step.ts';

/** Time between submissions times a factor; the first one stays where it is. */
function stretched(jobs: readonly TraceJob[], factor: number): TraceJob[] {
  const firstS = jobs[0]?.submitS ?? 0;
  return jobs.map((job) => ({ ...job, submitS: firstS + (job.submitS - firstS) * factor }));
}

/** The first submission moves to time 0, and all others with it. */
export function fromZero(): ShapeStep {
  return (jobs) => {
    const firstS = jobs[0]?.submitS ?? 0;
    if (firstS === 0) return { jobs, lines: [] };
    return {
      jobs: jobs.map((job) => ({ ...job, submitS: job.submitS - firstS })),
      lines: [`submissions moved by ${-firstS} s to start at 0`],
    };
  };
}

/** Stretches (above 1) or compresses (below 1) the time between submissions; run times are kept. */
export function timeScaled(factor: number): ShapeStep {
  if (!(factor > 0 && Number.isFinite(factor))) refuse('time scale', 'a number above 0', factor);
  return (jobs) => ({
    jobs: stretched(jobs, factor),
    lines: [`time between submissions multiplied by ${factor}`],
  });
}

/**
 * Stretches or compresses the submissions linearly, the first one staying where it is, so that the
 * offered load is `load`. Durations are kept; daily rhythms are stretched with the rest.
 */
export function scaledToLoad(load: number, capacityGpus: number): ShapeStep {
  if (!(capacityGpus > 0)) refuse('capacity', 'a number of GPUs above 0', capacityGpus);
  if (!(load > 0 && Number.isFinite(load))) refuse('load', 'a number above 0', load);
  return (jobs) => {
    if (jobs.length === 0) return { jobs, lines: [] };
    const before = offeredLoad(jobs, capacityGpus);
    if (!Number.isFinite(before)) {
      throw shapeError('load: expected jobs with different submission times to scale');
    }
    const factor = before / load;
    const line =
      `time between submissions multiplied by ${factor} for an offered load of ${load} ` +
      `on ${capacityGpus} GPUs (was ${before})`;
    return { jobs: stretched(jobs, factor), lines: [line] };
  };
}
