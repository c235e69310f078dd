import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import { consolidated } from '../placement/consolidated.ts';
import type { Placement } from '../placement/placement.ts';
import { JobClasses } from '../queue/job-classes.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { NodeChooser, type Rescore } from './chooser.ts';
import { isPart, type ShareNode, type ShareTask, WHOLE_MILLI } from './node.ts';
import type { NodeScore } from './scores.ts';

/**
 * The placement rules of FGD's simulator on the GPUs of a run: parts of GPUs are MPS shares, CPU and host
 * memory are not counted (no node runs out of them). A gang that no node could hold is spread over free
 * GPUs. Holds state of one run.
 */
export class NodePlacer {
  readonly #score: NodeScore;
  readonly #keepsScores: boolean;
  readonly #rescore: Rescore | null;
  readonly #spread = consolidated();
  readonly #classes = new JobClasses('seat');
  readonly #tasks: ShareTask[] = [];
  /** GPUs of each started job, to update them when it has left. */
  readonly #held = new Map<number, readonly number[]>();
  /** GPUs that were not available when they were looked at last. */
  readonly #down = new Set<number>();
  #nodes: ShareNode[] = [];
  #chooser: NodeChooser | null = null;
  /** By type. */
  readonly #largestNode: number[] = [];

  /** @param keepsScores whether a node that has not changed keeps its score */
  constructor(score: NodeScore, keepsScores = true, rescore: Rescore | null = null) {
    this.#score = score;
    this.#keepsScores = keepsScores;
    this.#rescore = rescore;
  }

  /** Scores are no longer valid. */
  forget(): void {
    this.#chooser?.forget();
  }

  /** The job as the rules see it. */
  task(cluster: ClusterView, job: JobView): ShareTask {
    const { index } = this.#classes.of(job);
    const known = this.#tasks[index];
    if (known !== undefined) return known;
    const { types } = cluster;
    const models = job.types.map((type) => (types[type] as { readonly name: string }).name);
    const gpuGib = Object.fromEntries(
      job.types.map((type, i) => [models[i] as string, job.memoryGib(type)]),
    );
    const task = {
      cpuMilli: 0,
      memoryMib: 0,
      gpuCount: job.gpuCount,
      gpuMilli: milliOf(job.share),
      models: models.length === types.length ? [] : models,
      gpuGib,
    };
    this.#tasks[index] = task;
    return task;
  }

  /** GPUs for a job, or null when it does not fit now. */
  find(cluster: ClusterView, job: JobView): readonly number[] | null {
    const chooser = this.#prepare(cluster);
    if (!this.#fitsANode(job)) return this.#spread.place(cluster, job);
    const task = this.task(cluster, job);
    const kind = this.#classes.of(job).index;
    for (;;) {
      if (!this.#keepsScores) chooser.forget();
      const choice = chooser.choose(task, kind);
      if (choice === null) return null;
      const first = cluster.firstGpu(choice.node);
      const gpus = choice.gpus.map((gpu) => first + gpu);
      const down = gpus.filter((gpu) => !cluster.isAvailable(gpu));
      if (down.length === 0) return gpus;
      for (const gpu of down) {
        this.#down.add(gpu);
        this.#update(cluster, gpu);
      }
    }
  }

  /** To be told of each job that has started, and of each that has left its GPUs. */
  started(cluster: ClusterView, job: JobView): void {
    this.#held.set(job.index, job.gpus);
    for (const gpu of job.gpus) this.#update(cluster, gpu);
    this.#count(cluster, job, 1, job.gpus);
  }
  left(cluster: ClusterView, job: JobView): void {
    const gpus = this.#held.get(job.index);
    if (gpus === undefined) return;
    this.#held.delete(job.index);
    for (const gpu of gpus) this.#update(cluster, gpu);
    this.#count(cluster, job, -1, gpus);
  }

  /** Classes of the jobs on each node, for clustering. */
  #count(cluster: ClusterView, job: JobView, sign: 1 | -1, gpus: readonly number[]): void {
    const task = this.task(cluster, job);
    const name = isPart(task) ? 'share' : `${task.gpuCount}-gpu`;
    for (const node of new Set(gpus.map((gpu) => cluster.nodeOf(gpu)))) {
      const { classes } = this.#nodes[node] as ShareNode;
      const count = (classes.get(name) ?? 0) + sign;
      if (count === 0) classes.delete(name);
      else classes.set(name, count);
      this.#chooser?.changed(node);
    }
  }

  #fitsANode(job: JobView): boolean {
    for (const type of job.types) {
      if ((this.#largestNode[type] ?? 0) >= job.gpuCount) return true;
    }
    return false;
  }

  #prepare(cluster: ClusterView): NodeChooser {
    for (const gpu of this.#down) {
      if (!cluster.isAvailable(gpu)) continue;
      this.#down.delete(gpu);
      this.#update(cluster, gpu);
    }
    if (this.#chooser !== null) return this.#chooser;
    for (let node = 0; node < cluster.nodeCount; node += 1) {
      const type = cluster.types[cluster.typeOfNode(node)] as { name: string; memoryGib: number };
      const gpus = cluster.gpusInNode(node);
      const at = cluster.typeOfNode(node);
      this.#largestNode[at] = Math.max(this.#largestNode[at] ?? 0, gpus);
      this.#nodes.push({
        name: String(node).padStart(9, '0'),
        model: type.name,
        cpuLeftMilli: 0,
        memoryLeftMib: 0,
        gpuLeftMilli: new Array<number>(gpus).fill(WHOLE_MILLI),
        gpuLeftGib: new Array<number>(gpus).fill(type.memoryGib),
        classes: new Map(),
      });
    }
    this.#chooser = new NodeChooser(this.#nodes, this.#score, this.#rescore);
    return this.#chooser;
  }

  #update(cluster: ClusterView, gpu: number): void {
    const at = cluster.nodeOf(gpu);
    const node = this.#nodes[at] as ShareNode;
    const slot = gpu - cluster.firstGpu(at);
    const shares = cluster.shares[gpu] as readonly number[];
    const limit = cluster.types[cluster.typeOf(gpu)]?.mpsClientLimit ?? 1;
    let left = this.#down.has(gpu) || shares.length >= limit ? 0 : WHOLE_MILLI;
    if (left > 0) for (const share of shares) left -= milliOf(share);
    node.gpuLeftMilli[slot] = Math.max(0, left);
    if (node.gpuLeftGib !== null) node.gpuLeftGib[slot] = cluster.freeMemoryGib(gpu);
    this.#chooser?.changed(at);
  }
}

/** Shares are asked for in thousandths; what is not is rounded up, so they never sum to more than 1. */
function milliOf(share: number): number {
  return Math.ceil(share * WHOLE_MILLI - 1e-6);
}

/** The placer as the parts that a composition takes: seats for parts of GPUs, nodes for whole ones. */
export function placerParts(
  placer: NodePlacer,
  mode: 'mps' | 'time-slice',
): { readonly placement: Placement; readonly sharing: Sharing } {
  const whole = (job: JobView) => job.gpuCount > 1 || job.share === 1;
  const place = (cluster: ClusterView, job: JobView) =>
    whole(job) ? placer.find(cluster, job) : null;
  return {
    placement: { name: 'node-scores', types: (job) => job.types, place, placeOn: place },
    sharing: {
      name: 'node-scores',
      mode,
      packs: true,
      startShare: (_view, job) => job.share,
      seat: (view, job) => (whole(job) ? -1 : (placer.find(view.cluster, job)?.[0] ?? -1)),
      started: (view, job) => {
        placer.started(view.cluster, job);
      },
      left: (view, job) => {
        placer.left(view.cluster, job);
      },
    },
  };
}
