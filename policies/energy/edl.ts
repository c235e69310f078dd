import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Clocks } from '../clocks/clocks.ts';
import { cheapest, clockPoints, type SoloPoint, usualLimits } from '../clocks/solo-points.ts';
import { DURATION_OPTION, durationInformation, PLACEMENT_OPTIONS } from '../common-options.ts';
import { compose } from '../compose.ts';
import { deadlineOf, earliestDeadline } from '../order/edf.ts';
import { consolidated } from '../placement/consolidated.ts';
import { fastestType } from '../placement/type-order.ts';
import type { PolicyDefinition } from '../policy.ts';
import type { Predictor } from '../predictor.ts';
import { withNodeSleep } from './node-sleep.ts';

/** Clocks of each workload on each type, made when first asked for. */
class Points {
  readonly #predictor: Predictor;
  readonly #known = new Map<string, readonly SoloPoint[]>();

  constructor(predictor: Predictor) {
    this.#predictor = predictor;
  }

  of(workload: string, type: number): readonly SoloPoint[] {
    const key = `${type} ${workload}`;
    let points = this.#known.get(key);
    if (points === undefined) {
      points = clockPoints(this.#predictor, workload, type);
      this.#known.set(key, points);
    }
    return points;
  }

  /** Run time that is left to a job at a point of a type. */
  runS(job: JobView, type: number, point: SoloPoint): number {
    const profile = this.#predictor.profile(job.workload, type);
    const referenceS = profile === null ? point.stepS : soloStepS(profile);
    return (job.remainingS / this.#predictor.speed(job, type)) * (point.stepS / referenceS);
  }
}

const energyJ = ({ powerW, stepS }: SoloPoint) => powerW * stepS;

/**
 * The clock of least energy; where that misses the deadline, the one of least energy that meets it, down
 * to `theta` times the energy-optimal run time; the fastest where none does (theta-readjustment).
 */
function edlClock(points: Points, theta: number, slack: number, nowS: () => number): Clocks {
  return {
    name: 'edl',
    limits(type, typeIndex, job) {
      const all = points.of(job.workload, typeIndex);
      const optimal = cheapest(all, energyJ);
      if (optimal === null) return usualLimits(type);
      const leftS = deadlineOf(job, slack) - nowS();
      const shortestS = theta * points.runS(job, typeIndex, optimal);
      const runS = (point: SoloPoint) => points.runS(job, typeIndex, point);
      if (runS(optimal) <= leftS) return optimal;
      const inTime = all.filter((point) => runS(point) <= leftS && runS(point) >= shortestS);
      return cheapest(inTime, energyJ) ?? cheapest(all, ({ stepS }) => stepS) ?? optimal;
    },
  };
}

/** EDL of Mei, Wang and Chu with dynamic resource sleep. */
export const edlDefinition: PolicyDefinition = {
  name: 'edl',
  title:
    'earliest deadline first at the clock of least energy, faster by up to theta rather than on one more node; idle nodes sleep',
  source:
    'Mei, Wang and Chu, arXiv 2104.00486: EDF, theta-readjustment, dynamic resource sleep; core clock only, gangs as they are',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules; the analytical savings of its model are in docs/validation.md',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'theta',
      default: 0.9,
      min: 0.01,
      max: 1,
      description: 'part of the energy-optimal run time to which a job may be shortened',
      source: 'section 5; published 0.9',
    },
    {
      name: 'slack',
      default: 2,
      min: 1,
      max: 1e6,
      description: 'deadline of a job that states none, in durations after its submission',
      source: 'published: duration over a utilisation of 0.15 to 0.85, mean 2',
    },
    {
      name: 'sleepAfterS',
      default: 120,
      min: 0,
      max: 1e9,
      description: 'idle time after which a node is switched off',
      source: 'released drs_thres: 2 slots of a minute',
    },
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS.filter(({ name }) => name === 'strict'),
  ],
  create(options, context) {
    let nowS = 0;
    const { predictor } = context;
    const theta = Number(options.theta);
    const slack = Number(options.slack);
    const points = new Points(predictor);
    // Free GPUs all start at once, so the shortest processing time is that of the fastest type.
    const types = fastestType((job, type) => predictor.speed(job, type));
    const policy = compose({
      name: 'edl',
      walk: 'fit-first',
      order: earliestDeadline(slack),
      information: durationInformation(options),
      placement: consolidated({ types, strict: options.strict === true }),
      clocks: edlClock(points, theta, slack, () => nowS),
    });
    /** The last time at which a readjusted job would still be done in time. */
    const latestStartS = (job: JobView): number => {
      const [type] = types(job);
      const optimal = type === undefined ? null : cheapest(points.of(job.workload, type), energyJ);
      if (type === undefined || optimal === null) return -Infinity;
      const wakeS = predictor.types[type]?.wakeS ?? 0;
      return deadlineOf(job, slack) - theta * points.runS(job, type, optimal) - wakeS;
    };
    return withNodeSleep(
      {
        ...policy,
        decide(view) {
          nowS = view.nowS;
          return policy.decide(view);
        },
      },
      { afterS: Number(options.sleepAfterS), urgentAtS: latestStartS },
    );
  },
};
