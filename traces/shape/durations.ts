import { refuse, type ShapeStep, shapeError } from './step.ts';

/**
 * Jobs run for as long as their users asked for (their time limit); those that state none keep their run
 * time. A trace in which none does is an `InputError`.
 */
export function requestedDurations(): ShapeStep {
  return (jobs) => {
    const unstated = jobs.filter(({ requestedS }) => requestedS === null).length;
    if (unstated === jobs.length) {
      throw shapeError('duration requested: no job of the trace states the time it asked for');
    }
    const lines = ['jobs run for the time that they asked for'];
    if (unstated > 0) {
      lines.push(`${unstated} jobs that state no requested time keep their run time`);
    }
    const changed = jobs.map((job) => ({ ...job, durationS: job.requestedS ?? job.durationS }));
    return { jobs: changed, lines };
  };
}

/** Longer run times are cut to this. */
export function cappedDurations(capS: number): ShapeStep {
  if (!(capS > 0 && Number.isFinite(capS))) refuse('capped run time', 'seconds above 0', capS);
  return (jobs) => {
    const longer = jobs.filter(({ durationS }) => durationS > capS).length;
    return {
      jobs: jobs.map((job) => (job.durationS > capS ? { ...job, durationS: capS } : job)),
      lines: [`${longer} run times above ${capS} s are cut to it`],
    };
  };
}
