import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Clocks } from '../clocks/clocks.ts';
import { cheapest, clockPoints, type SoloPoint, usualLimits } from '../clocks/solo-points.ts';
import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from '../common-options.ts';
import { compose } from '../compose.ts';
import { deadlineOf, earliestDeadline } from '../order/edf.ts';
import type { PolicyDefinition } from '../policy.ts';
import type { Predictor } from '../predictor.ts';

/**
 * The clock of least power at which the job is predicted to end before its deadline, stretched by
 * `1 + alpha`; the fastest where none is. What is left to the deadline is counted from the job's start.
 */
function deadlineClock(
  predictor: Predictor,
  alpha: number,
  slack: number,
  nowS: () => number,
): Clocks {
  const known = new Map<string, readonly SoloPoint[]>();
  const pointsOf = (workload: string, type: number): readonly SoloPoint[] => {
    const key = `${type} ${workload}`;
    let points = known.get(key);
    if (points === undefined) {
      points = clockPoints(predictor, workload, type);
      known.set(key, points);
    }
    return points;
  };
  return {
    name: 'deadline',
    limits(type: GpuType, typeIndex: number, job: JobView) {
      const profile = predictor.profile(job.workload, typeIndex);
      if (profile === null) return usualLimits(type);
      const runS = job.remainingS / predictor.speed(job, typeIndex);
      const leftS = deadlineOf(job, slack) - nowS();
      const points = pointsOf(job.workload, typeIndex);
      const stepS = soloStepS(profile);
      const inTime = points.filter((point) => (runS * point.stepS) / stepS < leftS * (1 + alpha));
      const choice = cheapest(inTime, ({ powerW }) => powerW) ?? cheapest(points, (at) => at.stepS);
      return choice ?? usualLimits(type);
    },
  };
}

/** Deadline-aware frequency scaling of Ilager, Buyya and others (CCGrid 2020). */
export const deadlineDvfsDefinition: PolicyDefinition = {
  name: 'deadline-dvfs',
  title:
    'earliest deadline first on whole GPUs, at the clock of least power that meets the deadline',
  source: 'Ilager et al., CCGrid 2020; shashikantilager/gpu-ddvfs',
  faithfulness: 'port',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'alpha',
      default: 0.1,
      min: 0,
      max: 10,
      description: 'part by which a predicted time may exceed what is left to the deadline',
      source: 'released configuration',
    },
    {
      name: 'slack',
      default: 2,
      min: 1,
      max: 1e6,
      description: 'deadline of a job that states none, in durations after its submission',
      source: 'assumed',
    },
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
  ],
  create(options, context) {
    let nowS = 0;
    const slack = Number(options.slack);
    const policy = compose({
      name: 'deadline-dvfs',
      walk: 'fit-first',
      order: earliestDeadline(slack),
      information: durationInformation(options),
      ...placementParts({ ...options, clock: 1 }, context),
      clocks: deadlineClock(context.predictor, Number(options.alpha), slack, () => nowS),
    });
    return {
      ...policy,
      decide(view) {
        nowS = view.nowS;
        return policy.decide(view);
      },
    };
  },
};
