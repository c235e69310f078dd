import { placeOnWholeNodes } from '../../../policies/placement/whole-nodes.ts';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import { IDEAL, IDEAL_PROFILES } from '../ideal-world.ts';
import { type LucidJob, NODE_GPUS } from './inputs.ts';

/** A job while it is replayed. */
export interface Ticket {
  readonly job: LucidJob;
  /** Its number, by which the cluster knows it. */
  readonly index: number;
  status: 'coming' | 'waits' | 'runs' | 'ended';
  startS: number | null;
  endS: number | null;
  queueS: number;
  checkpoints: number;
  /** When it was last preempted. */
  checkpointS: number;
  /** Work left; what a second of running takes off it; whether it has its GPUs alone. */
  remain: number;
  rate: number;
  exclusive: boolean;
  /** Key of the policy. */
  priority: number;
  /** GPUs that it holds, and where it ran last as the output writes it. */
  gpus: readonly number[];
  places: string;
}

/** A job before its first second. */
export function ticketOf(job: LucidJob, index: number): Ticket {
  return {
    job,
    index,
    status: 'coming',
    startS: null,
    endS: null,
    queueS: 0,
    checkpoints: 0,
    checkpointS: 0,
    remain: job.durationS,
    rate: 1,
    exclusive: true,
    priority: -1,
    gpus: [],
    places: '[]',
  };
}

/** Nodes of eight GPUs, placed on by the rule of the engine's policy. */
export class VirtualCluster {
  readonly #cluster: Cluster;

  constructor(nodes: number) {
    const groups = [{ gpuType: IDEAL, gpusPerNode: NODE_GPUS, nodes }];
    this.#cluster = new Cluster({ name: 'vc', groups }, IDEAL_PROFILES);
  }

  get gpuCount(): number {
    return this.#cluster.gpuCount;
  }

  /** Whether the empty cluster could hold a gang. */
  holds(gpuCount: number): boolean {
    return new VirtualCluster(this.#cluster.nodeCount).#find(gpuCount) !== null;
  }

  /** Takes free GPUs for the job. @returns whether there is room for it */
  place(ticket: Ticket): boolean {
    const gpus = this.#find(ticket.job.gpuCount);
    if (gpus === null) return false;
    this.placeOn(ticket, gpus);
    return true;
  }

  /** Takes these GPUs for the job, shared or not. */
  placeOn(ticket: Ticket, gpus: readonly number[]): void {
    for (const gpu of gpus) this.#cluster.addResident(gpu, ticket.index, 1, 0);
    ticket.gpus = gpus;
    ticket.places = this.#placesOf(gpus);
  }

  release(ticket: Ticket): void {
    for (const gpu of ticket.gpus) this.#cluster.removeResident(gpu, ticket.index, 0);
    ticket.gpus = [];
  }

  /** Numbers of the jobs on a GPU, in the order in which they came. */
  residents(gpu: number): readonly number[] {
    return this.#cluster.residents[gpu] ?? [];
  }

  #find(gpuCount: number): readonly number[] | null {
    return placeOnWholeNodes(this.#cluster, 0, gpuCount, NODE_GPUS);
  }

  /** `[{"0": [0, 1]}, {"1": [0]}]`: nodes in the order of placement, with the numbers of their GPUs. */
  #placesOf(gpus: readonly number[]): string {
    const byNode = new Map<number, number[]>();
    for (const gpu of gpus) {
      const node = this.#cluster.nodeOf(gpu);
      const held = byNode.get(node) ?? [];
      held.push(gpu - this.#cluster.firstGpu(node));
      byNode.set(node, held);
    }
    const parts = [...byNode].map(([node, held]) => `{"${node}": [${held.join(', ')}]}`);
    return `[${parts.join(', ')}]`;
  }
}
