import { type GpuType, gpuTypeNamed, type ProfileSet } from '../gpu/profile.ts';
import { GpuClasses } from './gpu-classes.ts';
import { IndexSet } from './index-set.ts';

/** `nodes` nodes with `gpusPerNode` GPUs of one type each. */
export interface NodeGroupSpec {
  readonly gpuType: string;
  readonly gpusPerNode: number;
  readonly nodes: number;
}

export interface ClusterSpec {
  readonly name: string;
  readonly groups: readonly NodeGroupSpec[];
}

/** A set of types is kept as bits of an int: a cluster has at most this many. */
export const MAX_TYPES = 31;

export const NODE_STATES = ['on', 'asleep', 'waking', 'failed'] as const;
export type NodeState = (typeof NODE_STATES)[number];

/**
 * Nodes and GPUs, who is on them, and what is free. GPUs and nodes are numbered from 0 in the order
 * of the groups. A GPU is available when it works and its node is on; it is free when, besides, it
 * has no resident. All queries go through indexes kept at every change; ties go to the lowest number.
 */
export class Cluster {
  readonly types: readonly GpuType[];
  readonly gpuCount: number;
  readonly nodeCount: number;
  /** Jobs on each GPU and, in the same order, the shares they hold. */
  readonly residents: readonly number[][];
  readonly shares: readonly number[][];

  readonly #typeOfNode: Uint8Array;
  readonly #nodeOfGpu: Int32Array;
  readonly #firstGpu: Int32Array;
  readonly #usedGib: Float64Array;
  readonly #gpuWorks: Uint8Array;
  readonly #nodeState: NodeState[];
  readonly #freeInNode: Int32Array;
  readonly #freeOfType: Int32Array;
  readonly #gpusOfType: Int32Array;
  /** By type and count: nodes with that many free GPUs. */
  readonly #nodesByFree: IndexSet[][];
  /** By type and count: available GPUs with that many residents. */
  readonly #gpusByLoad: IndexSet[][];
  #classes: GpuClasses | null = null;
  #classOf: ((job: number) => number) | null = null;

  /** @throws {RangeError} on an unknown GPU type, an empty cluster or a count that is not >= 1 */
  constructor(spec: ClusterSpec, profiles: ProfileSet) {
    const types: GpuType[] = [];
    const typeOfNode: number[] = [];
    const firstGpu: number[] = [];
    let gpus = 0;
    for (const group of spec.groups) {
      for (const field of ['nodes', 'gpusPerNode'] as const) {
        if (!Number.isInteger(group[field]) || group[field] < 1) {
          throw new RangeError(
            `cluster '${spec.name}': ${field} of ${group.gpuType} is ${group[field]}, expected a whole number >= 1`,
          );
        }
      }
      let type = types.findIndex((known) => known.name === group.gpuType);
      if (type < 0) type = types.push(gpuTypeNamed(profiles, group.gpuType)) - 1;
      for (let i = 0; i < group.nodes; i += 1) {
        typeOfNode.push(type);
        firstGpu.push(gpus);
        gpus += group.gpusPerNode;
      }
    }
    if (gpus === 0) throw new RangeError(`cluster '${spec.name}' has no gpus`);
    if (types.length > MAX_TYPES) {
      throw new RangeError(
        `cluster '${spec.name}' has ${types.length} gpu types, at most ${MAX_TYPES}`,
      );
    }
    firstGpu.push(gpus);

    this.types = types;
    this.gpuCount = gpus;
    this.nodeCount = typeOfNode.length;
    this.residents = Array.from({ length: gpus }, () => []);
    this.shares = Array.from({ length: gpus }, () => []);
    this.#typeOfNode = Uint8Array.from(typeOfNode);
    this.#firstGpu = Int32Array.from(firstGpu);
    this.#nodeOfGpu = new Int32Array(gpus);
    this.#usedGib = new Float64Array(gpus);
    this.#gpuWorks = new Uint8Array(gpus).fill(1);
    this.#nodeState = Array.from({ length: this.nodeCount }, () => 'on' as const);
    this.#freeInNode = new Int32Array(this.nodeCount);
    this.#freeOfType = new Int32Array(types.length);
    this.#gpusOfType = new Int32Array(types.length);
    this.#nodesByFree = types.map(() => []);
    this.#gpusByLoad = types.map(() => []);
    for (let node = 0; node < this.nodeCount; node += 1) {
      const type = this.typeOfNode(node);
      const first = this.firstGpu(node);
      const count = this.gpusInNode(node);
      this.#nodeOfGpu.fill(node, first, first + count);
      this.#gpusOfType[type] = (this.#gpusOfType[type] as number) + count;
      this.#nodesAt(type, 0).add(node);
      for (let gpu = first; gpu < first + count; gpu += 1) this.#nowFree(gpu, 1);
    }
  }

  // Facts that do not change.

  typeOf(gpu: number): number {
    return this.#typeOfNode[this.#nodeOfGpu[gpu] as number] as number;
  }
  typeOfNode(node: number): number {
    return this.#typeOfNode[node] as number;
  }
  nodeOf(gpu: number): number {
    return this.#nodeOfGpu[gpu] as number;
  }
  firstGpu(node: number): number {
    return this.#firstGpu[node] as number;
  }
  gpusInNode(node: number): number {
    return (this.#firstGpu[node + 1] as number) - (this.#firstGpu[node] as number);
  }
  /** All GPUs of a type, whatever their state. */
  gpusOfType(type: number): number {
    return this.#gpusOfType[type] as number;
  }
  /** Index of a type by name, or -1 when the cluster has none. */
  typeIndex(name: string): number {
    return this.types.findIndex((type) => type.name === name);
  }

  // State.

  isAvailable(gpu: number): boolean {
    return this.#gpuWorks[gpu] === 1 && this.#nodeState[this.nodeOf(gpu)] === 'on';
  }
  gpuWorks(gpu: number): boolean {
    return this.#gpuWorks[gpu] === 1;
  }
  nodeState(node: number): NodeState {
    return this.#nodeState[node] as NodeState;
  }
  isFree(gpu: number): boolean {
    return this.isAvailable(gpu) && this.residents[gpu]?.length === 0;
  }
  freeMemoryGib(gpu: number): number {
    return (this.types[this.typeOf(gpu)] as GpuType).memoryGib - (this.#usedGib[gpu] as number);
  }
  /** Free GPUs of a type. */
  freeGpus(type: number): number {
    return this.#freeOfType[type] as number;
  }
  freeGpusInNode(node: number): number {
    return this.#freeInNode[node] as number;
  }
  get freeGpuTotal(): number {
    let total = 0;
    for (const free of this.#freeOfType) total += free;
    return total;
  }

  // Queries by index.

  /** The node of a type with the fewest free GPUs that has at least `count` (best fit), or -1. */
  bestFitNode(type: number, count: number): number {
    const byFree = this.#nodesByFree[type] as IndexSet[];
    for (let free = count; free < byFree.length; free += 1) {
      const node = (byFree[free] as IndexSet).first();
      if (node >= 0) return node;
    }
    return -1;
  }

  /** The node of a type with the most free GPUs (worst fit), or -1 when it has no free GPU. */
  emptiestNode(type: number): number {
    const byFree = this.#nodesByFree[type] as IndexSet[];
    for (let free = byFree.length - 1; free >= 1; free -= 1) {
      const node = (byFree[free] as IndexSet).first();
      if (node >= 0) return node;
    }
    return -1;
  }

  /** Nodes of a type that have exactly `free` free GPUs, ascending. */
  nodesWithFree(type: number, free: number): Iterable<number> {
    return this.#nodesByFree[type]?.[free] ?? [];
  }

  /** Available GPUs of a type with exactly `count` residents, ascending. */
  gpusWithResidents(type: number, count: number): Iterable<number> {
    return this.#gpusByLoad[type]?.[count] ?? [];
  }

  /**
   * Available GPUs grouped by type and the multiset of workloads on them: equal GPUs are one class,
   * so a policy's work does not grow with the cluster. Built on first use.
   */
  classes(): GpuClasses {
    if (this.#classes === null) {
      this.#classes = new GpuClasses(this, this.#classOf ?? (() => 0));
      for (let gpu = 0; gpu < this.gpuCount; gpu += 1) this.#classes.update(gpu);
    }
    return this.#classes;
  }

  // Changes: for the simulator, not for policies.

  /** What makes two residents alike for {@link classes}; set once, before its first use. */
  classifyResidentsBy(classOf: (job: number) => number): void {
    this.#classOf = classOf;
  }

  addResident(gpu: number, job: number, share: number, memoryGib: number): void {
    const residents = this.residents[gpu] as number[];
    const load = residents.length;
    residents.push(job);
    (this.shares[gpu] as number[]).push(share);
    this.#usedGib[gpu] = (this.#usedGib[gpu] as number) + memoryGib;
    this.#loadChanged(gpu, load, load + 1);
  }

  removeResident(gpu: number, job: number, memoryGib: number): void {
    const residents = this.residents[gpu] as number[];
    const slot = residents.indexOf(job);
    residents.splice(slot, 1);
    (this.shares[gpu] as number[]).splice(slot, 1);
    const load = residents.length;
    this.#usedGib[gpu] = load === 0 ? 0 : (this.#usedGib[gpu] as number) - memoryGib;
    this.#loadChanged(gpu, load + 1, load);
  }

  setShare(gpu: number, job: number, share: number): void {
    const slot = (this.residents[gpu] as number[]).indexOf(job);
    (this.shares[gpu] as number[])[slot] = share;
  }

  setGpuWorks(gpu: number, works: boolean): void {
    const before = this.isAvailable(gpu);
    this.#gpuWorks[gpu] = works ? 1 : 0;
    this.#availabilityChanged(gpu, before, this.isAvailable(gpu));
  }

  setNodeState(node: number, state: NodeState): void {
    const first = this.firstGpu(node);
    const wasOn = this.#nodeState[node] === 'on';
    this.#nodeState[node] = state;
    for (let gpu = first; gpu < first + this.gpusInNode(node); gpu += 1) {
      const works = this.#gpuWorks[gpu] === 1;
      this.#availabilityChanged(gpu, wasOn && works, state === 'on' && works);
    }
  }

  #loadChanged(gpu: number, before: number, after: number): void {
    if (this.isAvailable(gpu)) {
      const type = this.typeOf(gpu);
      this.#gpusAt(type, before).delete(gpu);
      this.#gpusAt(type, after).add(gpu);
      if (before === 0) this.#countFree(gpu, -1);
      if (after === 0) this.#countFree(gpu, 1);
    }
    this.#classes?.update(gpu);
  }

  #availabilityChanged(gpu: number, before: boolean, after: boolean): void {
    if (before === after) return;
    this.#nowFree(gpu, after ? 1 : -1);
    this.#classes?.update(gpu);
  }

  /** Enters an available GPU into the indexes (+1) or takes it out (-1). */
  #nowFree(gpu: number, change: 1 | -1): void {
    const load = (this.residents[gpu] as number[]).length;
    const set = this.#gpusAt(this.typeOf(gpu), load);
    if (change === 1) set.add(gpu);
    else set.delete(gpu);
    if (load === 0) this.#countFree(gpu, change);
  }

  #countFree(gpu: number, change: 1 | -1): void {
    const node = this.nodeOf(gpu);
    const type = this.typeOf(gpu);
    const free = this.#freeInNode[node] as number;
    this.#nodesAt(type, free).delete(node);
    this.#nodesAt(type, free + change).add(node);
    this.#freeInNode[node] = free + change;
    this.#freeOfType[type] = (this.#freeOfType[type] as number) + change;
  }

  #nodesAt(type: number, free: number): IndexSet {
    return setAt(this.#nodesByFree[type] as IndexSet[], free, this.nodeCount);
  }

  #gpusAt(type: number, load: number): IndexSet {
    return setAt(this.#gpusByLoad[type] as IndexSet[], load, this.gpuCount);
  }
}

function setAt(sets: IndexSet[], index: number, capacity: number): IndexSet {
  while (sets.length <= index) sets.push(new IndexSet(capacity));
  return sets[index] as IndexSet;
}

/** The part of the cluster that a policy may use. */
export type ClusterView = Omit<
  Cluster,
  | 'addResident'
  | 'removeResident'
  | 'setShare'
  | 'setGpuWorks'
  | 'setNodeState'
  | 'classifyResidentsBy'
>;
