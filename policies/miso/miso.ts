import type { Decision } from '../../sim/decisions.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { fifo } from '../order/fifo.ts';
import type { Placement } from '../placement/placement.ts';
import type { Policy } from '../policy.ts';
import { ClassQueue } from '../queue/class-queue.ts';
import { JoinableGpus } from './joinable.ts';
import {
  bestPartition,
  type PartitionChoice,
  type PartitionObjective,
  type Slice,
  type SliceTimes,
} from './partition.ts';
import { fractionOf, hasSevenths, type SliceTable, sliceLeft, smallestSlice } from './slices.ts';

export interface MisoOptions {
  readonly placement: Placement;
  readonly slices: SliceTable;
  readonly objective: PartitionObjective;
  /** How long the jobs of a GPU run under MPS after one has joined; 0 for not at all. */
  readonly profileS: number;
}

/** A GPU whose jobs this policy partitions. */
interface Host {
  readonly gpu: number;
  readonly type: number;
  /** Its jobs in the order in which they came; while it is being emptied they wait in the queue. */
  readonly members: JobView[];
  /**
   * - *steady*: each job has its slice, a sole one the whole GPU
   * - *emptying*: checkpoints are being written
   * - *profiling*: all run under MPS
   */
  phase: 'steady' | 'emptying' | 'profiling';
  /** Whether a job has come that was not profiled beside the others. */
  isNew: boolean;
  /** End of profiling; NaN while clients still start. */
  profiledS: number;
}

/** A job that is not there: it takes any slice and loses nothing. */
const IDLE: SliceTimes = { 1: 1, 2: 1, 3: 1, 4: 1, 7: 1 };

/**
 * MISO: jobs of one GPU run on MIG slices of the best partition. A job goes to a free GPU, alone on the
 * whole of it; else it joins the GPU with the fewest jobs on which a slice that holds it is left. Then all
 * jobs there write checkpoints, run together under MPS to be profiled, write checkpoints again, and start
 * on their slices. When a job leaves, those that stay are partitioned anew, without profiling.
 *
 * What profiling tells is what the predictor says; it costs its time. Only GPU types with slices of
 * sevenths are partitioned, and only among single jobs: gangs, and jobs elsewhere, have whole GPUs.
 */
export class Miso implements Policy {
  readonly name = 'miso';
  readonly information = { duration: 'none', durationNoise: 0 } as const;
  readonly mode = 'exclusive';
  readonly #options: MisoOptions;
  readonly #queue = new ClassQueue(fifo(), 'seat');
  readonly #hosts = new Map<number, Host>();
  readonly #hostOf = new Map<number, Host>();
  /** Hosts that are being emptied or profiled, and steady ones whose jobs have changed. */
  readonly #moving = new Set<Host>();
  readonly #changed = new Set<Host>();
  /** By type; null where GPUs cannot be partitioned. */
  #joinable: (JoinableGpus | null)[] = [];
  readonly #choices = new Map<string, PartitionChoice | null>();

  constructor(options: MisoOptions) {
    this.#options = options;
  }

  *decide(view: View): Generator<Decision> {
    if (this.#joinable.length === 0) {
      const { types, gpuCount } = view.cluster;
      this.#joinable = types.map((type) => (hasSevenths(type) ? new JoinableGpus(gpuCount) : null));
    }
    for (const job of view.left) this.#left(view, job);
    for (const job of view.entered) {
      if (job.state === 'queued' && !this.#hostOf.has(job.index)) this.#queue.enter(job);
    }
    for (const host of [...this.#moving]) yield* this.#advance(view, host);
    yield* this.#walk(view);
    for (const host of this.#changed) yield* this.#empty(view, host);
    this.#changed.clear();
  }

  *#walk(view: View): Generator<Decision> {
    const queue = this.#queue;
    queue.open(Infinity);
    for (let job = queue.first; job !== null; job = queue.first) {
      const gpus = this.#options.placement.place(view.cluster, job);
      const host = gpus === null ? this.#hostFor(view, job) : null;
      if (gpus === null && host === null) {
        queue.dropClass();
        continue;
      }
      queue.take();
      if (gpus !== null) yield* this.#startAlone(view, job, gpus);
      else if (host !== null) this.#join(host, job);
    }
  }

  *#startAlone(view: View, job: JobView, gpus: readonly number[]): Generator<Decision> {
    for (const gpu of gpus) {
      if (view.mode(gpu) !== 'exclusive') yield { kind: 'set-mode', gpu, mode: 'exclusive' };
    }
    yield { kind: 'start', job, gpus, share: 1 };
    const [gpu] = gpus as readonly [number];
    const type = view.cluster.typeOf(gpu);
    if (job.gpuCount > 1 || this.#joinable[type] === null) return;
    const host: Host = {
      gpu,
      type,
      members: [job],
      phase: 'steady',
      isNew: false,
      profiledS: NaN,
    };
    this.#hosts.set(gpu, host);
    this.#hostOf.set(job.index, host);
    this.#file(view, host);
  }

  /** The host with the fewest jobs that a single job can join, or null; ties in the order of types. */
  #hostFor(view: View, job: JobView): Host | null {
    if (job.gpuCount > 1) return null;
    let found: Host | null = null;
    let fewest = Infinity;
    for (const type of this.#options.placement.types(job)) {
      const joinable = this.#joinable[type] ?? null;
      if (joinable === null) continue;
      const needed = smallestSlice(job.memoryGib(type), view.cluster.types[type] as GpuType);
      const gpu = joinable.fewest(needed);
      const jobs = joinable.jobsOn(gpu);
      if (jobs >= fewest) continue;
      fewest = jobs;
      found = this.#hosts.get(gpu) ?? null;
    }
    return found;
  }

  #join(host: Host, job: JobView): void {
    host.members.push(job);
    host.isNew = true;
    this.#hostOf.set(job.index, host);
    this.#changed.add(host);
    this.#joinable[host.type]?.set(host.gpu, 0, 0);
  }

  /** A job has left its GPUs: done or failed, or preempted here to start again. */
  #left(view: View, job: JobView): void {
    const host = this.#hostOf.get(job.index);
    if (host === undefined) return;
    const isBack = job.state === 'queued' && host.phase !== 'emptying';
    if (job.state !== 'done' && job.state !== 'failed' && !isBack) return;
    this.#hostOf.delete(job.index);
    host.members.splice(host.members.indexOf(job), 1);
    if (host.phase !== 'steady') return;
    if (host.members.length === 0) {
      this.#drop(host);
      return;
    }
    this.#changed.add(host);
    this.#file(view, host);
  }

  /** Has all jobs of a host write checkpoints. */
  *#empty(view: View, host: Host): Generator<Decision> {
    host.phase = 'emptying';
    host.profiledS = NaN;
    this.#joinable[host.type]?.set(host.gpu, 0, 0);
    this.#moving.add(host);
    for (const job of [...host.members]) {
      if (job.gpus.length > 0) yield { kind: 'preempt', job };
    }
    yield* this.#advance(view, host);
  }

  /** Goes on with a host that has been emptied, or profiled. */
  *#advance(view: View, host: Host): Generator<Decision> {
    if (host.phase === 'profiling') {
      if (host.members.length === 0) this.#drop(host);
      else if (view.nowS >= host.profiledS) yield* this.#empty(view, host);
      else yield* this.#awaitProfile(view, host);
      return;
    }
    if ((view.cluster.residents[host.gpu] as readonly number[]).length > 0) return;
    if (host.members.length === 0 || !view.cluster.isAvailable(host.gpu)) this.#drop(host);
    else yield* this.#restart(view, host);
  }

  /** Starts the jobs of an empty host: one alone, under MPS where one is new, else on slices. */
  *#restart(view: View, host: Host): Generator<Decision> {
    const { gpu, members } = host;
    const clients = view.cluster.types[host.type]?.mpsClientLimit ?? 1;
    const isAlone = members.length === 1;
    const { profileS } = this.#options;
    const profiles = !isAlone && host.isNew && profileS > 0 && members.length <= clients;
    host.isNew = false;
    if (isAlone || profiles) {
      yield { kind: 'set-mode', gpu, mode: isAlone ? 'exclusive' : 'mps' };
      for (const job of members) yield { kind: 'start', job, gpus: [gpu], share: 1 };
    } else {
      const { partition, assignment } = this.#partition(view, host);
      const type = view.cluster.types[host.type] as GpuType;
      const slices = partition.map((slice) => fractionOf(slice, type));
      yield { kind: 'set-mode', gpu, mode: 'mig', slices };
      for (const [i, share] of slices.entries()) {
        const job = members[assignment[i] as number];
        if (job !== undefined) yield { kind: 'start', job, gpus: [gpu], share };
      }
    }
    if (profiles) {
      host.phase = 'profiling';
      yield* this.#awaitProfile(view, host);
    } else {
      host.phase = 'steady';
      this.#moving.delete(host);
      this.#file(view, host);
    }
  }

  /** Profiling lasts from when all clients run. */
  *#awaitProfile(view: View, host: Host): Generator<Decision> {
    if (!Number.isNaN(host.profiledS) || host.members.some(({ state }) => state === 'starting')) {
      return;
    }
    host.profiledS = view.nowS + this.#options.profileS;
    yield { kind: 'call-back', atS: host.profiledS };
  }

  /**
   * The best partition for the jobs of a host, with as many slices as jobs, or with idle ones where those
   * would be too small.
   */
  #partition(view: View, host: Host): PartitionChoice {
    const type = view.cluster.types[host.type] as GpuType;
    const smallest = host.members.map((job) => smallestSlice(job.memoryGib(host.type), type));
    const workloads = host.members.map(({ workload }) => workload);
    const key = JSON.stringify([host.type, smallest, workloads]);
    let choice = this.#choices.get(key) ?? null;
    if (choice !== null) return choice;
    const jobs = workloads.map((workload, i) =>
      this.#options.slices.times(workload, host.type, smallest[i] as Slice),
    );
    for (; choice === null; jobs.push(IDLE)) {
      if (jobs.length > 7) throw new RangeError(`no partition holds the slices ${smallest.join()}`);
      choice = bestPartition(jobs, this.#options.objective);
    }
    this.#choices.set(key, choice);
    return choice;
  }

  /** Shows a steady host to jobs that look for a GPU. */
  #file(view: View, host: Host): void {
    const type = view.cluster.types[host.type] as GpuType;
    const needed = host.members.map((job) => smallestSlice(job.memoryGib(host.type), type));
    this.#joinable[host.type]?.set(host.gpu, needed.length, sliceLeft(needed));
  }

  /** Gives a GPU up; jobs that were to run there queue again. */
  #drop(host: Host): void {
    this.#moving.delete(host);
    this.#changed.delete(host);
    this.#hosts.delete(host.gpu);
    this.#joinable[host.type]?.set(host.gpu, 0, 0);
    for (const job of host.members) {
      this.#hostOf.delete(job.index);
      this.#queue.enter(job);
    }
  }
}
