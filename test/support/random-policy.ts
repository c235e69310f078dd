import type { Decision } from '../../sim/decisions.ts';
import type { SharingMode } from '../../sim/gpu/evaluate.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import { type RandomSource, randomStream } from '../../sim/random.ts';
import type { DecisionMaker, View } from '../../sim/view.ts';

const SHARES = [1, 1, 1, 1, 0.5, 0.25, 0.125, 0.1, 0.37];
const MODES: readonly SharingMode[] = ['exclusive', 'time-slice', 'mps', 'mig'];

/**
 * Decides anything that the rules allow, at random, as long as its patience lasts: starts with a gang of
 * any size that the job allows, preemptions, moves, rejections, new shares, clocks, caps and modes,
 * nodes switched off and on, call-backs. Then it wakes all nodes and starts whatever fits, so that every
 * run ends. It knows the rules of placement by itself.
 */
export class RandomPolicy implements DecisionMaker {
  readonly name = 'random';
  readonly information = { duration: 'oracle', durationNoise: 0 } as const;
  readonly mode: SharingMode;
  readonly #random: RandomSource;
  #patience: number;
  /** Slices to which jobs will move on GPUs that they hold, by job. */
  readonly #moving = new Map<JobView, ReadonlyMap<number, number>>();

  constructor(seed: number, mode: SharingMode, patience: number) {
    this.#random = randomStream(seed, 'random-policy');
    this.mode = mode;
    this.#patience = patience;
  }

  *decide(view: View): Generator<Decision> {
    for (const job of this.#moving.keys()) {
      if (job.state !== 'checkpointing') this.#moving.delete(job);
    }
    while (this.#patience > 0 && this.#chance(0.7)) {
      this.#patience -= 1;
      const decision = this.#anything(view);
      if (decision !== null) yield decision;
    }
    if (this.#patience > 0) {
      // Whatever else happens, it will lose its patience some day.
      yield { kind: 'call-back', atS: view.nowS + 1 + 20 * this.#random() };
      return;
    }
    yield* this.#startAll(view);
  }

  #chance(p: number): boolean {
    return this.#random() < p;
  }

  #pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }

  #anything(view: View): Decision | null {
    const gpu = Math.floor(this.#random() * view.cluster.gpuCount);
    const node = Math.floor(this.#random() * view.cluster.nodeCount);
    switch (Math.floor(this.#random() * 15)) {
      case 0:
        return this.#preempt(view);
      case 1:
        return this.#move(view);
      case 2:
        return this.#setShare(view);
      case 3:
      case 4: {
        const clockMhz = this.#pick(typeOf(view, gpu).clocksMhz) ?? NaN;
        return { kind: 'set-clock', gpu, clockMhz };
      }
      case 5: {
        const { min, max } = typeOf(view, gpu).powerLimitW;
        return { kind: 'set-cap', gpu, powerCapW: min + (max - min) * this.#random() ** 2 };
      }
      case 6:
        return this.#setMode(view, gpu);
      case 7:
        return this.#sleep(view, node);
      case 8:
        return view.cluster.nodeState(node) === 'asleep' ? { kind: 'wake', node } : null;
      case 9:
        return { kind: 'call-back', atS: view.nowS + this.#random() * 10 + 1e-6 };
      case 10: {
        const job = this.#pick([...view.queue].filter(({ hasStarted }) => !hasStarted));
        if (job === undefined || !this.#chance(0.2)) return null;
        return { kind: 'reject', job, reason: 'whim' };
      }
      default: {
        const job = this.#pick([...view.queue]);
        return job === undefined ? null : this.#start(view, job);
      }
    }
  }

  #preempt(view: View): Decision | null {
    const may = [...view.active].filter(({ state }) => state === 'starting' || state === 'running');
    const job = this.#pick(may);
    return job === undefined ? null : { kind: 'preempt', job };
  }

  #start(view: View, job: JobView): Decision | null {
    const found = this.#place(view, job);
    return found === null ? null : { kind: 'start', job, ...found };
  }

  #move(view: View): Decision | null {
    const job = this.#pick([...view.active].filter(({ state }) => state === 'running'));
    const found = job === undefined ? null : this.#place(view, job);
    if (job === undefined || found === null) return null;
    this.#willMove(job, found.gpus, found.share);
    return { kind: 'migrate', job, ...found };
  }

  #setShare(view: View): Decision | null {
    const job = this.#pick([...view.active].filter(({ state }) => state === 'running'));
    if (job === undefined) return null;
    const share: number[] = [];
    for (const gpu of job.gpus) {
      const wanted = this.#shareOn(view, job, gpu);
      if (wanted === null) return null;
      share.push(wanted);
    }
    this.#willMove(job, job.gpus, share);
    return { kind: 'set-share', job, share };
  }

  #willMove(job: JobView, gpus: readonly number[], share: readonly number[]): void {
    const targets = gpus.map((gpu, i) => [gpu, share[i] ?? NaN] as const);
    this.#moving.set(job, new Map(targets.filter(([gpu]) => job.gpus.includes(gpu))));
  }

  #setMode(view: View, gpu: number): Decision | null {
    if (view.cluster.residents[gpu]?.length !== 0) return null;
    const mode = this.#pick(MODES) ?? 'mps';
    if (mode !== 'mig') return { kind: 'set-mode', gpu, mode };
    const slices: number[] = [];
    let left = 1;
    for (let i = 0; i < 4; i += 1) {
      const slice = this.#pick(typeOf(view, gpu).migSlices.filter((size) => size <= left));
      if (slice === undefined) break;
      slices.push(slice);
      left -= slice;
    }
    return slices.length === 0 ? null : { kind: 'set-mode', gpu, mode, slices };
  }

  #sleep(view: View, node: number): Decision | null {
    const { cluster } = view;
    const first = cluster.firstGpu(node);
    for (let gpu = first; gpu < first + cluster.gpusInNode(node); gpu += 1) {
      if (cluster.residents[gpu]?.length !== 0) return null;
    }
    return cluster.nodeState(node) === 'on' ? { kind: 'sleep', node } : null;
  }

  /** GPUs in random order on which the job can be, with a share that each can give. */
  #place(view: View, job: JobView): { gpus: number[]; share: number[] } | null {
    const order = Array.from({ length: view.cluster.gpuCount }, (_, gpu) => gpu)
      .map((gpu) => [this.#random(), gpu] as const)
      .sort(([a], [b]) => a - b);
    const size = job.minGpus + Math.floor(this.#random() * (job.maxGpus - job.minGpus + 1));
    const gpus: number[] = [];
    const share: number[] = [];
    for (const [, gpu] of order) {
      if (gpus.length === size) break;
      if (!hasRoom(view, job, gpu)) continue;
      const wanted = this.#shareOn(view, job, gpu);
      if (wanted === null) continue;
      gpus.push(gpu);
      share.push(wanted);
    }
    return gpus.length >= job.minGpus ? { gpus, share } : null;
  }

  /** A share that the mode of the GPU allows the job, or null. */
  #shareOn(view: View, job: JobView, gpu: number): number | null {
    const others = (view.cluster.residents[gpu] ?? []).filter((other) => other !== job.index);
    const type = typeOf(view, gpu);
    switch (view.mode(gpu)) {
      case 'exclusive':
        return others.length === 0 ? (this.#pick(SHARES) ?? 1) : null;
      case 'mps':
        return others.length < type.mpsClientLimit ? (this.#pick(SHARES) ?? 1) : null;
      case 'mig': {
        const need = job.memoryGib(view.cluster.typeOf(gpu));
        const free = this.#freeSlices(view, job, gpu);
        return this.#pick(free.filter((slice) => slice * type.memoryGib >= need)) ?? null;
      }
      default:
        return this.#pick(SHARES) ?? 1;
    }
  }

  #freeSlices(view: View, job: JobView, gpu: number): number[] {
    const free = [...view.slices(gpu)];
    const take = (share: number): void => {
      free.splice(free.indexOf(share), 1);
    };
    (view.cluster.residents[gpu] ?? []).forEach((other, slot) => {
      if (other !== job.index) take(view.cluster.shares[gpu]?.[slot] ?? NaN);
    });
    for (const [other, targets] of this.#moving) {
      const target = targets.get(gpu);
      if (other !== job && target !== undefined) take(target);
    }
    return free;
  }

  *#startAll(view: View): Generator<Decision> {
    for (let node = 0; node < view.cluster.nodeCount; node += 1) {
      if (view.cluster.nodeState(node) === 'asleep') yield { kind: 'wake', node };
    }
    for (let gpu = 0; gpu < view.cluster.gpuCount; gpu += 1) {
      const isEmpty = view.cluster.residents[gpu]?.length === 0;
      if (isEmpty && view.mode(gpu) === 'mig') yield { kind: 'set-mode', gpu, mode: 'mps' };
    }
    for (const job of view.queue) {
      const decision = this.#start(view, job);
      if (decision !== null) yield decision;
    }
  }
}

/** A decision that breaks a rule in any state of a run, or null where there is nothing to break. */
export type Breach = (view: View) => unknown;

export const BREACHES: Readonly<Record<string, Breach>> = {
  'no decision': () => null,
  'an unknown kind': () => ({ kind: 'terminate' }),
  'a job that is none': () => ({ kind: 'start', job: { index: 0 }, gpus: [0] }),
  'too many GPUs': (view) =>
    onFirst(view.queue, (job) => ({
      kind: 'start',
      job,
      gpus: Array.from({ length: job.maxGpus + 1 }, (_, gpu) => gpu),
    })),
  'too few GPUs': (view) =>
    onFirst(
      [...view.queue].filter(({ minGpus }) => minGpus > 1),
      (job) => ({
        kind: 'start',
        job,
        gpus: Array.from({ length: job.minGpus - 1 }, (_, gpu) => gpu),
      }),
    ),
  'no GPUs': (view) => onFirst(view.queue, (job) => ({ kind: 'start', job, gpus: [] })),
  'a GPU that is none': (view) =>
    onFirst(view.queue, (job) => ({
      kind: 'start',
      job,
      gpus: Array.from({ length: job.gpuCount }, (_, i) => view.cluster.gpuCount + i),
    })),
  'the same GPU twice': (view) =>
    onFirst(
      [...view.queue].filter(({ gpuCount }) => gpuCount > 1),
      (job) => ({ kind: 'start', job, gpus: new Array<number>(job.gpuCount).fill(0) }),
    ),
  'a share above 1': (view) =>
    onFirst(view.queue, (job) => ({
      kind: 'start',
      job,
      gpus: Array.from({ length: job.gpuCount }, (_, gpu) => gpu),
      share: 1.01,
    })),
  'a share of nothing': (view) =>
    onFirst(view.active, (job) => ({ kind: 'set-share', job, share: 0 })),
  'a start of a job that has GPUs': (view) =>
    onFirst(view.active, (job) => ({ kind: 'start', job, gpus: job.gpus })),
  'a move of a job that waits': (view) =>
    onFirst(view.queue, (job) => ({ kind: 'migrate', job, gpus: [0] })),
  'a preemption of a job that waits': (view) =>
    onFirst(view.queue, (job) => ({ kind: 'preempt', job })),
  'a share for a job that waits': (view) =>
    onFirst(view.queue, (job) => ({ kind: 'set-share', job, share: 0.5 })),
  'a rejection of a job that has GPUs': (view) =>
    onFirst(view.active, (job) => ({ kind: 'reject', job, reason: 'late' })),
  'a rejection of a job that has run': (view) =>
    onFirst(
      [...view.queue].filter(({ hasStarted }) => hasStarted),
      (job) => ({ kind: 'reject', job, reason: 'late' }),
    ),
  'a rejection without a reason': (view) =>
    onFirst(view.queue, (job) => ({ kind: 'reject', job, reason: '' })),
  'a clock between the clocks': () => ({ kind: 'set-clock', gpu: 0, clockMhz: 999.5 }),
  'a clock of zero': () => ({ kind: 'set-clock', gpu: 0, clockMhz: 0 }),
  'a cap that is too low': () => ({ kind: 'set-cap', gpu: 0, powerCapW: 1 }),
  'a cap that is no number': () => ({ kind: 'set-cap', gpu: 0, powerCapW: NaN }),
  'a mode that is none': () => ({ kind: 'set-mode', gpu: 0, mode: 'free-for-all' }),
  'slices without a partition': () => ({ kind: 'set-mode', gpu: 0, mode: 'mps', slices: [1] }),
  'sleep of a node that works': (view) =>
    onFirst(view.active, (job) => ({ kind: 'sleep', node: view.cluster.nodeOf(job.gpus[0] ?? 0) })),
  'a node that is none': (view) => ({ kind: 'sleep', node: view.cluster.nodeCount }),
  'waking a node that is on': (view) =>
    view.cluster.nodeState(0) === 'on' ? { kind: 'wake', node: 0 } : null,
  'a call back at once': (view) => ({ kind: 'call-back', atS: view.nowS }),
  'a call back in the past': (view) => ({ kind: 'call-back', atS: view.nowS - 1 }),
  'a call back at no time': () => ({ kind: 'call-back', atS: NaN }),
};

/** Passes the decisions of another policy on, and one breach with its n-th answer. */
export class Offender implements DecisionMaker {
  readonly name = 'offender';
  readonly information = { duration: 'oracle', durationNoise: 0 } as const;
  readonly mode: SharingMode;
  readonly #inner: DecisionMaker;
  readonly #breach: string;
  #answers: number;
  hasOffended = false;

  constructor(inner: DecisionMaker, breach: string, answer: number) {
    this.#inner = inner;
    this.mode = inner.mode;
    this.#breach = breach;
    this.#answers = answer;
  }

  *decide(view: View): Generator<Decision> {
    yield* this.#inner.decide(view);
    this.#answers -= 1;
    if (this.#answers > 0) return;
    const decision = BREACHES[this.#breach]?.(view);
    if (decision === null && this.#breach !== 'no decision') return;
    this.hasOffended = true;
    yield decision as Decision;
  }
}

function onFirst(jobs: Iterable<JobView>, breach: (job: JobView) => unknown): unknown {
  for (const job of jobs) return breach(job);
  return null;
}

/** The job has a profile there, the GPU is up, and there is memory for it. */
function hasRoom(view: View, job: JobView, gpu: number): boolean {
  const type = view.cluster.typeOf(gpu);
  if (!view.cluster.isAvailable(gpu) || !job.types.includes(type)) return false;
  return job.gpus.includes(gpu) || job.memoryGib(type) <= view.cluster.freeMemoryGib(gpu);
}

function typeOf(view: View, gpu: number): GpuType {
  return view.cluster.types[view.cluster.typeOf(gpu)] as GpuType;
}
