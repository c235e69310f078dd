import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { ExpectedEnds } from '../queue/expected-ends.ts';
import { FirstWithin } from '../queue/first-within.ts';
import { type JobClass, JobClasses } from '../queue/job-classes.ts';
import { isReserved, type Reservation, reserve } from './reservation.ts';
import { NOTHING, type Starter } from './starter.ts';
import type { Walk } from './walk.ts';

/** Queued jobs of one workload and gang size. */
interface Lane {
  readonly jobClass: JobClass;
  /** Work per second, by position in the types of the class. */
  readonly speeds: readonly number[];
  /** By remaining work in seconds on the reference GPU. */
  readonly jobs: FirstWithin;
}

/** A job that may be started ahead of the head. */
interface Candidate {
  readonly lane: Lane;
  readonly job: JobView;
}

/**
 * EASY backfilling (Lifka 1995): jobs start in order of submission; when the head does not fit, it
 * gets a reservation at the *shadow* time, the earliest at which it is expected to fit, and a later
 * job may start now if it is expected to end by then, or if it takes only *extra* GPUs, those that
 * the head will leave free.
 *
 * With several GPU types the reservation is for the type that has room first (for all types of the
 * head when it needs several); on other types every job that fits may start. Expected ends are start
 * + remaining time at solo speed: costs of starting are not in them. A gang that spans types starts
 * only as the head.
 *
 * O(running + classes x log queue) an ask while the head is blocked, per job that is started.
 */
export class EasyBackfill implements Walk {
  readonly #starter: Starter;
  readonly #speed: (job: JobView, type: number) => number;
  readonly #classes = new JobClasses('speed');
  readonly #lanes: Lane[] = [];
  readonly #ends = new ExpectedEnds();

  /** @param speed work per second of a job on a type, alike for jobs of one workload and gang size */
  constructor(starter: Starter, speed: (job: JobView, type: number) => number) {
    this.#starter = starter;
    this.#speed = speed;
  }

  decide(view: View): Iterable<Decision> {
    for (const job of view.left) this.#ends.remove(job);
    for (const job of view.entered) {
      if (job.state === 'queued') this.#laneOf(job).jobs.add(job, job.remainingS);
    }
    const idle = view.queue.size === 0 || view.cluster.freeGpuTotal === 0;
    return idle ? NOTHING : this.#walk(view);
  }

  *#walk(view: View): Generator<Decision> {
    let head = view.queue.first;
    while (head !== null) {
      const gpus = this.#starter.placement.place(view.cluster, head);
      if (gpus === null) break;
      yield* this.#start(view, head, gpus);
      head = view.queue.first;
    }
    if (head === null || view.queue.size < 2 || view.cluster.freeGpuTotal === 0) return;

    const reservation = reserve(view.cluster, head, this.#ends, view.nowS);
    const unplaceable = new Set<Lane>();
    for (;;) {
      const next = this.#next(view, head, reservation, unplaceable);
      if (next === null) return;
      const { job, lane } = next;
      const gpus = this.#placeBackfill(view, head, reservation, next);
      if (gpus === null) unplaceable.add(lane);
      else yield* this.#start(view, job, gpus);
    }
  }

  /** The first job in order of submission that may start ahead of the head. */
  #next(
    view: View,
    head: JobView,
    reservation: Reservation,
    unplaceable: ReadonlySet<Lane>,
  ): Candidate | null {
    let best: Candidate | null = null;
    for (const lane of this.#lanes) {
      if (lane.jobs.size === 0 || unplaceable.has(lane)) continue;
      const { gpuCount, types } = lane.jobClass;
      let mostWork = -Infinity;
      for (let i = 0; i < types.length; i += 1) {
        const type = types[i] as number;
        if (view.cluster.freeGpus(type) < gpuCount) continue;
        const work = windowS(view, head, reservation, type, gpuCount) * (lane.speeds[i] as number);
        if (work > mostWork) mostWork = work;
      }
      const job = mostWork < 0 ? null : lane.jobs.first(mostWork);
      if (job !== null && (best === null || job.index < best.job.index)) best = { lane, job };
    }
    return best;
  }

  #placeBackfill(
    view: View,
    head: JobView,
    reservation: Reservation,
    { job, lane }: Candidate,
  ): readonly number[] | null {
    for (const type of this.#starter.placement.types(job)) {
      if (view.cluster.freeGpus(type) < job.gpuCount) continue;
      const speed = lane.speeds[lane.jobClass.types.indexOf(type)] as number;
      const windowWork = windowS(view, head, reservation, type, job.gpuCount) * speed;
      if (job.remainingS > windowWork) continue;
      const gpus = this.#starter.placement.placeOn(view.cluster, job, type);
      if (gpus === null) continue;
      const outlasts = job.remainingS > (reservation.shadowS - view.nowS) * speed;
      if (outlasts && isReserved(reservation, head, type)) reservation.extra -= job.gpuCount;
      return gpus;
    }
    return null;
  }

  *#start(view: View, job: JobView, gpus: readonly number[]): Generator<Decision> {
    const lane = this.#laneOf(job);
    lane.jobs.remove(job);
    let slowest = Infinity;
    for (const gpu of gpus) {
      const i = lane.jobClass.types.indexOf(view.cluster.typeOf(gpu));
      slowest = Math.min(slowest, lane.speeds[i] as number);
    }
    this.#ends.add(job, view.nowS + job.remainingS / slowest);
    yield* this.#starter.start(view, job, gpus);
  }

  #laneOf(job: JobView): Lane {
    const jobClass = this.#classes.of(job);
    const known = this.#lanes[jobClass.index];
    if (known !== undefined) return known;
    const speeds = job.types.map((type) => this.#speed(job, type));
    const made = { jobClass, speeds, jobs: new FirstWithin() };
    this.#lanes[jobClass.index] = made;
    return made;
  }
}

/** How long a job may run on free GPUs of a type without delaying the head. */
function windowS(
  view: View,
  head: JobView,
  reservation: Reservation,
  type: number,
  gpuCount: number,
): number {
  if (!isReserved(reservation, head, type) || gpuCount <= reservation.extra) return Infinity;
  return reservation.shadowS - view.nowS;
}
