import { Cluster, type ClusterSpec } from './cluster/cluster.ts';
import { IndexSet } from './cluster/index-set.ts';
import { Ledger } from './energy/ledger.ts';
import type { GpuSetting, OperatingPoint, SharingMode } from './gpu/evaluate.ts';
import type { GpuType, ProfileSet } from './gpu/profile.ts';
import type { JobSpec } from './job.ts';
import { JobLinks } from './job-links.ts';
import { JobTable } from './job-table.ts';
import { LiveJobView } from './live-job-view.ts';
import { MarkedList } from './marked-list.ts';
import { DemandMeter } from './metrics/fairness.ts';
import type { SimulationOptions } from './options.ts';
import { Outages } from './outages.ts';
import { Physics } from './physics.ts';
import { type RandomSource, RandomStreams, randomStream } from './random.ts';
import type { Observer } from './result.ts';
import { Calendar, NO_EVENT } from './time/calendar.ts';
import type { DecisionMaker } from './view.ts';

export interface SimulationConfig {
  /** In order of submission. */
  readonly jobs: readonly JobSpec[];
  readonly cluster: ClusterSpec;
  readonly profiles: ProfileSet;
  readonly options: SimulationOptions;
  readonly seed: number;
}

/** Everything that a run holds; the rooms beside this one say what happens to it. */
export class SimulationState {
  readonly options: SimulationOptions;
  readonly policy: DecisionMaker;
  readonly observer: Observer;
  readonly profiles: ProfileSet;
  readonly jobs: JobTable;
  readonly cluster: Cluster;
  readonly physics: Physics;
  readonly ledger: Ledger;
  readonly calendar = new Calendar();
  /** Submission of the first job: the run starts here. */
  readonly startS: number;
  nowS: number;

  // Queue and views.
  readonly queue: IndexSet;
  readonly active: JobLinks;
  readonly entered: LiveJobView[] = [];
  readonly left: LiveJobView[] = [];
  readonly #views: (LiveJobView | undefined)[];

  // Settings of each GPU. `clockX` holds now, `targetClockX` once the transition is over.
  readonly clockX: Float64Array;
  readonly targetClockX: Float64Array;
  readonly capW: Float64Array;
  readonly mode: SharingMode[];
  readonly slices: (readonly number[])[];
  readonly clockEvent: Int32Array;
  readonly contextEvent: Int32Array;
  /** End of the waking of each node. */
  readonly awakeEvent: Int32Array;

  /** Operating point of each GPU and the running jobs in its order. */
  readonly points: (OperatingPoint | null)[];
  readonly pointJobs: number[][];

  // What changed at this instant.
  readonly dirtyGpus: MarkedList;
  readonly dirtyJobs: MarkedList;

  /** Target of a migration that is writing its checkpoint. */
  readonly migrations = new Map<
    number,
    { readonly gpus: readonly number[]; readonly shares: readonly number[] }
  >();
  /** Jobs that write a periodic checkpoint and then go on where they are. */
  readonly periodicCheckpoints = new Set<number>();
  readonly outages: { readonly gpu: Outages; readonly node: Outages };
  /** A stream for each job: its fatal faults. */
  readonly faultRandom: RandomStreams;
  readonly noiseRandom: RandomSource;

  /** Rejected jobs by code of the reason. */
  readonly rejections = new Map<string, number>();
  /** Jobs that could run but that the policy turned away. */
  readonly turnedAway = new Set<number>();

  readonly demand: DemandMeter;

  decisionCount = 0;
  askedCount = 0;
  pairMeasuredIntervals = 0;
  /** Grows with every change of a job's state: shows whether a run still moves. */
  changes = 0;
  nextArrival = 0;
  lastFinishS: number;

  constructor(config: SimulationConfig, policy: DecisionMaker, observer: Observer) {
    this.options = config.options;
    this.policy = policy;
    this.observer = observer;
    this.profiles = config.profiles;
    this.jobs = new JobTable(config.jobs);
    this.cluster = new Cluster(config.cluster, config.profiles);
    this.physics = new Physics(this.cluster, config.profiles);
    this.startS = config.jobs[0]?.submitS ?? 0;
    this.nowS = this.startS;
    this.lastFinishS = this.startS;
    this.ledger = new Ledger(this.cluster, config.options.hostPowerW, this.startS);
    this.demand = new DemandMeter(this.jobs.count, this.startS);
    this.queue = new IndexSet(this.jobs.count);
    this.active = new JobLinks(this.jobs.count);
    this.#views = new Array<LiveJobView | undefined>(this.jobs.count);

    const n = this.cluster.gpuCount;
    this.clockX = new Float64Array(n).fill(1);
    this.targetClockX = new Float64Array(n).fill(1);
    this.capW = Float64Array.from({ length: n }, (_, gpu) => this.gpuType(gpu).powerLimitW.default);
    this.mode = Array.from({ length: n }, () => policy.mode);
    this.slices = Array.from({ length: n }, () => []);
    this.clockEvent = new Int32Array(n).fill(NO_EVENT);
    this.contextEvent = new Int32Array(n).fill(NO_EVENT);
    this.awakeEvent = new Int32Array(this.cluster.nodeCount).fill(NO_EVENT);
    this.points = Array.from({ length: n }, () => null);
    this.pointJobs = Array.from({ length: n }, () => []);
    this.dirtyGpus = new MarkedList(n);
    this.dirtyJobs = new MarkedList(this.jobs.count);
    const { seed } = config;
    const { gpuMtbfS, gpuRepairS, nodeMtbfS, nodeRepairS } = config.options.failures;
    const { nodeCount } = this.cluster;
    this.outages = {
      gpu: new Outages(n, gpuMtbfS, gpuRepairS, this.startS, seed, 'gpu-failures'),
      node: new Outages(nodeCount, nodeMtbfS, nodeRepairS, this.startS, seed, 'node-failures'),
    };
    this.faultRandom = new RandomStreams(seed, 'client-faults');
    this.noiseRandom = randomStream(config.seed, 'duration-noise');
    this.ledger.mark(this.startS);
    const { jobs } = this;
    this.cluster.classifyResidentsBy((job) => {
      const gang = jobs.spec(job).maxGpus > 1 ? 1 : 0;
      return (jobs.workload[job] as number) * 2 + gang;
    });
  }

  gpuType(gpu: number): GpuType {
    return this.cluster.types[this.cluster.typeOf(gpu)] as GpuType;
  }

  setting(gpu: number): GpuSetting {
    return {
      mode: this.mode[gpu] as SharingMode,
      clockX: this.clockX[gpu] as number,
      memoryX: 1,
      powerCapW: this.capW[gpu] as number,
      switchingLoss: this.options.switchingLoss,
    };
  }

  /** Memory that a job takes on a GPU of a type; the type must have a profile of its workload. */
  memoryGib(job: number, type: number): number {
    const spec = this.jobs.spec(job);
    if (spec.memoryGib !== null) return spec.memoryGib;
    if (spec.share < 1) return spec.share * (this.cluster.types[type] as GpuType).memoryGib;
    return this.physics.profile(this.jobs.workload[job] as number, type)?.memoryGib ?? 0;
  }

  view(job: number): LiveJobView {
    const known = this.#views[job];
    if (known !== undefined) return known;
    const made = new LiveJobView(this, job);
    this.#views[job] = made;
    return made;
  }

  /** A job that is final needs no view any more. */
  forgetView(job: number): void {
    this.#views[job] = undefined;
  }

  /**
   * A GPU or node came or went. That is no movement of the run while jobs wait and none holds a GPU:
   * failures and repairs go on forever, whatever the policy does.
   */
  clusterChanged(): void {
    if (this.queue.size === 0 || this.active.size > 0) this.changes += 1;
  }

  markGpu(gpu: number): void {
    this.dirtyGpus.add(gpu);
  }

  markJob(job: number): void {
    this.dirtyJobs.add(job);
  }

  /** Cancels an event held in a table, if there is one. */
  cancel(table: Int32Array, index: number): void {
    const event = table[index] as number;
    if (event === NO_EVENT) return;
    this.calendar.cancel(event);
    table[index] = NO_EVENT;
  }
}
