import assert from 'node:assert/strict';
import type { Decision } from '../../sim/decisions.ts';
import { evaluateGpu, type OperatingPoint, soloStepS } from '../../sim/gpu/evaluate.ts';
import { contextPowerW } from '../../sim/gpu/power.ts';
import type { GpuType, WorkloadProfile } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import type { JobView } from '../../sim/job-view.ts';
import { pairMeasured } from '../../sim/physics.ts';
import type { SimulationResult } from '../../sim/result.ts';
import type { SimulationConfig } from '../../sim/state.ts';
import type { DecisionMaker, View } from '../../sim/view.ts';
import { close } from './close.ts';

interface Progress {
  rate: number;
  powerW: number;
}

/** Where a job that writes a checkpoint was and must be next: on no GPUs, or those of its migration. */
interface Leaving {
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Shares that it then holds; null where it holds none. */
  readonly share: number | readonly number[] | null;
}

/**
 * Follows a run from outside, as a policy that passes the decisions of another on. After each instant it
 * works out anew what every running job does, from the definitions and for all GPUs, and adds up work
 * and energy; the simulator does the same by what changed. It also checks the rules that hold at any
 * time: time goes forwards, memory, MPS clients, exclusive GPUs and MIG slices are not over-committed.
 *
 * Work and energy are compared where nothing fails: a failure takes work back unseen.
 */
export class Shadow implements DecisionMaker {
  readonly name: string;
  readonly information = { duration: 'oracle', durationNoise: 0 } as const;
  readonly mode: DecisionMaker['mode'];
  readonly #config: SimulationConfig;
  readonly #inner: DecisionMaker;
  readonly #mayFail: boolean;
  readonly #workS: number[] = [];
  readonly #energyJ: number[] = [];
  readonly #progress = new Map<number, Progress>();
  readonly #clockX: number[] = [];
  readonly #settling = new Map<number, { readonly x: number; readonly atS: number }>();
  readonly #leaving = new Map<JobView, Leaving>();
  #nowS = 0;

  constructor(config: SimulationConfig, inner: DecisionMaker) {
    this.#config = config;
    this.#inner = inner;
    this.name = inner.name;
    this.mode = inner.mode;
    const { gpuMtbfS, nodeMtbfS, clientMtbfS } = config.options.failures;
    this.#mayFail = Math.min(gpuMtbfS, nodeMtbfS, clientMtbfS) < Infinity;
  }

  *decide(view: View): Generator<Decision> {
    this.#advance(view.nowS);
    for (const [gpu, { x, atS }] of this.#settling) {
      if (atS > view.nowS) continue;
      this.#clockX[gpu] = x;
      this.#settling.delete(gpu);
    }
    this.#checkLeaving(view);
    for (const decision of this.#inner.decide(view)) {
      const from = 'job' in decision ? decision.job.gpus : [];
      yield decision;
      this.#decided(view, decision, from);
      this.#checkLeaving(view);
    }
    this.#look(view);
  }

  /** Compares the books of a run that is over. */
  check(result: SimulationResult): void {
    const rows = this.#config.jobs.map((_, index) => result.jobRow(index));
    const ends = rows.map(({ endS }) => endS).filter((endS) => !Number.isNaN(endS));
    this.#advance(Math.max(this.#nowS, ...ends));
    if (this.#mayFail) return;
    rows.forEach((row, index) => {
      if (row.state !== 'done') return;
      const { durationS } = this.#config.jobs[index] ?? { durationS: NaN };
      close(this.#workS[index] ?? 0, durationS, 1e-9, `work of ${row.id}:`);
      close(row.energyJ, this.#energyJ[index] ?? 0, 1e-9, `energy of ${row.id}:`);
    });
  }

  #advance(nowS: number): void {
    assert.ok(nowS >= this.#nowS, `time runs back from ${this.#nowS} to ${nowS}`);
    const elapsedS = nowS - this.#nowS;
    for (const [job, { rate, powerW }] of this.#progress) {
      this.#workS[job] = (this.#workS[job] ?? 0) + rate * elapsedS;
      this.#energyJ[job] = (this.#energyJ[job] ?? 0) + powerW * elapsedS;
    }
    this.#nowS = nowS;
  }

  #decided(view: View, decision: Decision, from: readonly number[]): void {
    switch (decision.kind) {
      case 'start':
        assert.deepEqual(decision.job.gpus, decision.gpus);
        assert.notEqual(decision.job.state, 'queued');
        return;
      case 'preempt':
        this.#leaving.set(decision.job, { from, to: [], share: null });
        return;
      case 'migrate':
        this.#leaving.set(decision.job, {
          from,
          to: decision.gpus,
          share: decision.share ?? decision.job.share,
        });
        return;
      case 'set-share':
        this.#leaving.set(decision.job, { from, to: from, share: decision.share });
        return;
      case 'reject':
        assert.equal(decision.job.state, 'rejected');
        return;
      case 'set-clock':
        this.#clockIsSet(view, decision.gpu, decision.clockMhz);
        return;
      default:
    }
  }

  /**
   * A job that has left its GPUs, or moved, is where it should be, with the shares that it should have. A
   * failure sends it to the queue, or keeps it where it was when its target fails.
   */
  #checkLeaving(view: View): void {
    for (const [job, { from, to, share }] of this.#leaving) {
      if (job.state === 'checkpointing') continue;
      this.#leaving.delete(job);
      if (job.state === 'failed' || (this.#mayFail && job.state === 'queued')) continue;
      const isCancelled = this.#mayFail && String(job.gpus) === String(from);
      if (isCancelled && share !== null) continue;
      assert.deepEqual(job.gpus, to, `${job.id} is ${job.state}`);
      job.gpus.forEach((gpu, i) => {
        const slot = view.cluster.residents[gpu]?.indexOf(job.index) ?? -1;
        const expected = typeof share === 'number' ? share : share?.[i];
        assert.equal(view.cluster.shares[gpu]?.[slot], expected, `share of ${job.id}`);
      });
    }
  }

  #clockIsSet(view: View, gpu: number, clockMhz: number): void {
    const type = typeOf(view, gpu);
    const cost = this.#config.options.costs.clockTransition;
    const delayS = cost === 'profile' ? type.clockTransitionS : cost;
    const x = clockMhz / type.referenceClockMhz;
    this.#settling.delete(gpu);
    if (x === (this.#clockX[gpu] ?? 1)) return;
    if (delayS === 0) this.#clockX[gpu] = x;
    else this.#settling.set(gpu, { x, atS: view.nowS + delayS });
  }

  #look(view: View): void {
    const running = [...view.active].filter(({ state }) => state === 'running');
    const points = new Map<number, OperatingPoint>();
    const runningOn = (gpu: number): JobView[] =>
      residentsOf(view, gpu).filter((job) => job.state === 'running');
    for (let gpu = 0; gpu < view.cluster.gpuCount; gpu += 1) {
      checkCommitment(view, gpu);
      const jobs = runningOn(gpu);
      if (jobs.length > 0) points.set(gpu, this.#point(view, gpu, jobs));
    }
    this.#progress.clear();
    for (const job of running) {
      const members = job.gpus.map((gpu) => {
        const point = points.get(gpu);
        const slot = runningOn(gpu).indexOf(job);
        return {
          gpu,
          stepS: point?.stepS[slot] ?? NaN,
          dynamicW: point?.dynamicW[slot] ?? NaN,
        };
      });
      const slowestS = Math.max(...members.map(({ stepS }) => stepS));
      const kept = this.#keptByGang(view, job);
      const size = job.gpus.length / job.gpuCount;
      const rate = (this.#referenceStepS(job) / slowestS) * size * kept;
      let powerW = 0;
      for (const { gpu, stepS, dynamicW } of members) {
        powerW += dynamicW * Math.min(1, (stepS / slowestS) * kept);
        const type = typeOf(view, gpu);
        const clockX = points.get(gpu)?.clockX ?? NaN;
        powerW += contextPowerW(type, clockX) / residentsOf(view, gpu).length;
      }
      this.#progress.set(job.index, { rate, powerW });
      if (this.#mayFail) continue;
      const { durationS } = this.#config.jobs[job.index] ?? { durationS: NaN };
      const leftS = Math.max(0, durationS - (this.#workS[job.index] ?? 0));
      assert.ok(Math.abs(job.remainingS - leftS) <= 1e-9 * (1 + durationS));
    }
  }

  #point(view: View, gpu: number, jobs: readonly JobView[]): OperatingPoint {
    const type = typeOf(view, gpu);
    const residents = jobs.map((job) => ({
      profile: this.#profile(job.workload, type.name),
      share:
        view.cluster.shares[gpu]?.[view.cluster.residents[gpu]?.indexOf(job.index) ?? -1] ?? NaN,
    }));
    const [first, second] = jobs;
    const pair =
      jobs.length === 2 && first !== undefined && second !== undefined
        ? pairMeasured(this.#config.profiles.pairs, type.name, first.workload, second.workload)
        : null;
    const setting = {
      mode: view.mode(gpu),
      clockX: this.#clockX[gpu] ?? 1,
      memoryX: 1,
      powerCapW: view.powerCapW(gpu),
      switchingLoss: this.#config.options.switchingLoss,
    };
    const point = evaluateGpu(type, residents, setting, pair);
    residents.forEach(({ profile }, i) => {
      assert.ok((point.stepS[i] ?? 0) >= soloStepS(profile, point.clockX) * (1 - 1e-12));
    });
    return point;
  }

  /**
   * Throughput that a GPU of the gang keeps, over one of the job's own gang: `withinNode` for each
   * doubling of the GPUs in a node and `acrossNodes` of the nodes, both gangs on as few nodes as can
   * hold them, and `acrossNodes` for each doubling of the nodes over those.
   */
  #keptByGang(view: View, job: JobView): number {
    const { cluster } = view;
    const nodes = [...new Set(job.gpus.map((gpu) => cluster.nodeOf(gpu)))];
    const largest = Math.max(...nodes.map((node) => cluster.gpusInNode(node)));
    const scalings = job.gpus.map(
      (gpu) => this.#profile(job.workload, typeOf(view, gpu).name).scaling,
    );
    const within = Math.min(...scalings.map(({ withinNode }) => withinNode));
    const across = Math.min(...scalings.map(({ acrossNodes }) => acrossNodes));
    const needed = Math.ceil(job.gpus.length / largest);
    const ownNeeded = Math.ceil(job.gpuCount / largest);
    const doublingsWithin = Math.log2(job.gpus.length / needed / (job.gpuCount / ownNeeded));
    const doublingsAcross = Math.log2(Math.max(nodes.length, needed) / ownNeeded);
    return within ** doublingsWithin * across ** doublingsAcross;
  }

  #referenceStepS(job: JobView): number {
    const { time, smDemand } = this.#profile(job.workload, job.referenceGpu);
    return stepTimeS(time, smDemand, 1, 1, job.share);
  }

  #profile(workload: string, type: string): WorkloadProfile {
    const { workloads } = this.#config.profiles;
    const found = workloads.find(({ name }) => name === workload)?.onGpu[type];
    assert.ok(found, `a job of ${workload} is on ${type}`);
    return found;
  }
}

function typeOf(view: View, gpu: number): GpuType {
  const type = view.cluster.types[view.cluster.typeOf(gpu)];
  assert.ok(type);
  return type;
}

function residentsOf(view: View, gpu: number): JobView[] {
  return (view.cluster.residents[gpu] ?? []).map((job) => view.job(job));
}

function checkCommitment(view: View, gpu: number): void {
  const residents = residentsOf(view, gpu);
  const type = typeOf(view, gpu);
  const usedGib = residents.reduce((sum, job) => sum + job.memoryGib(view.cluster.typeOf(gpu)), 0);
  assert.ok(usedGib <= type.memoryGib + 1e-6, `${usedGib} GiB on a GPU of ${type.memoryGib}`);
  assert.ok(Math.abs(view.cluster.freeMemoryGib(gpu) - (type.memoryGib - usedGib)) < 1e-9);
  const mode = view.mode(gpu);
  if (mode === 'exclusive') assert.ok(residents.length <= 1);
  if (mode === 'mps') assert.ok(residents.length <= type.mpsClientLimit);
  if (mode === 'mig') {
    const free = [...view.slices(gpu)];
    for (const share of view.cluster.shares[gpu] ?? []) {
      const slice = free.findIndex((candidate) => Math.abs(candidate - share) < 1e-9);
      assert.ok(slice >= 0, `share ${share} is no free slice`);
      free.splice(slice, 1);
    }
  }
}
