import type { ClusterView } from '../sim/cluster/cluster.ts';
import type { Decision } from '../sim/decisions.ts';
import type { JobView } from '../sim/job-view.ts';
import type { Information, View } from '../sim/view.ts';
import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from './common-options.ts';
import { assign } from './lp/index.ts';
import { type Placement, spansTypes } from './placement/placement.ts';
import type { OptionValues, Policy, PolicyContext, PolicyDefinition } from './policy.ts';
import type { Predictor } from './predictor.ts';

/** GPUs of one type that are free now, in slots of the size of a gang. */
interface Slots {
  readonly type: number;
  readonly count: number;
}

/**
 * AlloX: the jobs that wait are assigned to the free GPUs and to places in the line of each so that
 * the sum of completion times is least; the first in each line starts. A job in the k-th place from
 * the end delays k jobs by its run time, itself among them, so each job and place has a cost of its own
 * and the best plan is a minimum-cost assignment. Nothing is preempted. Of the jobs that wait the
 * oldest `alpha` part is looked at, and at least as many as there are free GPUs.
 *
 * AlloX knows jobs on one GPU. Here gangs are taken by size, the largest first, and a gang of n is
 * assigned to slots of n free GPUs of one type.
 */
class Allox implements Policy {
  readonly name = 'allox';
  readonly information: Information;
  readonly mode = 'exclusive';
  readonly #predictor: Predictor;
  readonly #alpha: number;
  readonly #placement: Placement;
  /** Jobs that wait, by gang size, oldest first. */
  readonly #waiting = new Map<number, Set<JobView>>();

  constructor(options: OptionValues, context: PolicyContext, placement: Placement) {
    this.information = durationInformation(options);
    this.#predictor = context.predictor;
    this.#alpha = Number(options.alpha);
    this.#placement = placement;
  }

  *decide(view: View): Generator<Decision> {
    for (const job of view.entered) {
      if (job.state !== 'queued') continue;
      const { gpuCount } = job;
      const sized = this.#waiting.get(gpuCount) ?? new Set();
      this.#waiting.set(gpuCount, sized.add(job));
    }
    const sizes = [...this.#waiting.keys()].sort((a, b) => b - a);
    for (const size of sizes) {
      if (size > view.cluster.freeGpuTotal) continue;
      const jobs = this.#waiting.get(size) as Set<JobView>;
      for (const [job, type] of this.#firstInLine(view.cluster, jobs, size)) {
        const gpus =
          type === null
            ? this.#placement.place(view.cluster, job)
            : this.#placement.placeOn(view.cluster, job, type);
        if (gpus === null) continue;
        jobs.delete(job);
        yield { kind: 'start', job, gpus };
      }
    }
  }

  /** Jobs that start now, each with its type; null for a gang that spans types. */
  #firstInLine(
    cluster: ClusterView,
    jobs: ReadonlySet<JobView>,
    size: number,
  ): [JobView, number | null][] {
    const slots = cluster.types.flatMap((_, type): Slots[] => {
      const count = Math.floor(cluster.freeGpus(type) / size);
      return count === 0 ? [] : [{ type, count }];
    });
    const spanning = [...jobs].find((job) => spansTypes(cluster, job));
    if (spanning !== undefined) return [[spanning, null]];
    const free = slots.reduce((sum, { count }) => sum + count, 0);
    const limit = Math.max(Math.floor(this.#alpha * jobs.size), free);
    const considered: JobView[] = [];
    // A job that failed has come back behind younger ones.
    for (const job of [...jobs].sort((a, b) => a.index - b.index)) {
      if (considered.length === limit) break;
      if (slots.some(({ type }) => job.types.includes(type))) considered.push(job);
    }
    const [only] = slots;
    if (only === undefined || considered.length === 0) return [];
    return slots.length === 1
      ? this.#shortest(considered, only)
      : this.#assigned(considered, slots);
  }

  /** On one type the best plan is the shortest first. */
  #shortest(jobs: readonly JobView[], { type, count }: Slots): [JobView, number][] {
    const timed = jobs.map((job) => ({ job, runS: this.#runS(job, type) }));
    timed.sort((a, b) => a.runS - b.runS);
    return timed.slice(0, count).map(({ job }) => [job, type]);
  }

  /**
   * A line on each slot; lines of one type are alike, so a place is a type and a distance from the
   * end, as many times as the type has slots.
   */
  #assigned(jobs: readonly JobView[], slots: readonly Slots[]): [JobView, number][] {
    const places: { readonly type: number; readonly fromEnd: number; readonly line: number }[] = [];
    let lines = 0;
    for (const { type, count } of slots) {
      const longest = Math.ceil(jobs.length / count);
      for (let fromEnd = 1; fromEnd <= longest; fromEnd += 1) {
        for (let slot = 0; slot < count; slot += 1) {
          places.push({ type, fromEnd, line: lines + slot });
        }
      }
      lines += count;
    }
    const runS = jobs.map((job) => this.#predictor.types.map((_, type) => this.#runS(job, type)));
    const costs = runS.map((byType) =>
      Float64Array.from(places, ({ type, fromEnd }) => (byType[type] as number) * fromEnd),
    );
    const columns = assign(costs, places.length);
    if (columns === null) return [];
    const first = new Map<
      number,
      { readonly job: JobView; readonly fromEnd: number; type: number }
    >();
    jobs.forEach((job, i) => {
      const { type, fromEnd, line } = places[columns[i] as number] as (typeof places)[number];
      if (fromEnd > (first.get(line)?.fromEnd ?? 0)) first.set(line, { job, fromEnd, type });
    });
    return [...first.values()].map(({ job, type }) => [job, type]);
  }

  /** Run time on a type; Infinity where the job cannot run. */
  #runS(job: JobView, type: number): number {
    if (!job.types.includes(type)) return Infinity;
    return job.remainingS / this.#predictor.speed(job, type);
  }
}

/** Registry entry of {@link Allox}. */
export const alloxDefinition: PolicyDefinition = {
  name: 'allox',
  title: 'least sum of completion times by assignment of jobs to free gpus and places in line',
  source:
    "Le et al., AlloX, EuroSys 2020; rule as in Gavel's allox.py, without its rounds; gangs are an extension",
  faithfulness: 'port',
  checkedBy:
    "the rule in Gavel's clock: two recorded figures, exact; a recorded first allocation; exhaustive search on small cases",
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'alpha',
      default: 1,
      min: 0,
      max: 1,
      description: 'part of the waiting jobs, the oldest, that are looked at; less is fairer',
      source: 'allox.py: 1 for policy allox; the paper varies it',
    },
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'types' && name !== 'clock'),
  ],
  create(options, context) {
    const { placement } = placementParts({ ...options, types: 'first', clock: 1 }, context);
    return new Allox(options, context, placement as Placement);
  },
};
