import type { ClusterView } from '../../sim/cluster/cluster.ts';
import { IndexSet } from '../../sim/cluster/index-set.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Tenant } from './tenants.ts';

/** Slack for sums of memories. */
const EPSILON_GIB = 1e-9;
/** Companies that are remembered with what is known of them. */
const KEPT_COMPANIES = 20_000;

/** A resident of a shared GPU with its share, in steps of which a whole number make the GPU. */
export interface Member {
  readonly tenant: Tenant;
  readonly steps: number;
}

/** Residents of a GPU of a type, whoever they are. */
export interface Company {
  readonly type: number;
  /** Ascending by tenant, then by steps. */
  readonly members: readonly Member[];
  /** Steps that they have together. */
  readonly used: number;
}

/** What joining a company comes to; the GPU of least cost is taken, and none of infinite cost. */
export interface Verdict {
  readonly cost: number;
}

/** GPUs in use with the same company. */
interface SeatClass<V> {
  readonly company: Company;
  /** Of newcomers, by tenant. */
  readonly verdicts: Map<number, V>;
  readonly gpus: IndexSet;
}

interface Seated {
  readonly job: number;
  readonly gpu: number;
  readonly tenant: Tenant;
  readonly steps: number;
}

/**
 * GPUs that single jobs share, grouped by company, so that a newcomer's seat costs as much as there are
 * kinds of company: finer than `cluster.classes()`, because shares and objectives decide who can join. A
 * job that has found no seat is compared only with GPUs that have changed since.
 *
 * It is told of all that start and leave, and goes by the shares that it is told, which those that the
 * GPUs have may lag behind.
 */
export class TenantSeats<V extends Verdict> {
  readonly #cluster: ClusterView;
  readonly #judge: (company: Company, newcomer: Tenant) => V;
  readonly #seated = new Map<number, Seated>();
  readonly #onGpu: Seated[][];
  readonly #classOf: (SeatClass<V> | undefined)[] = [];
  /** By company; those without GPUs are kept for their verdicts. */
  readonly #byKey = new Map<string, SeatClass<V>>();
  /** Those that have GPUs. */
  readonly #used = new Set<SeatClass<V>>();
  /** GPUs in the order in which they changed, from position `#logStart` on. */
  readonly #log: number[] = [];
  #logStart = 0;
  /** Position in the log up to which a job has found no seat. */
  readonly #nowhere = new Map<number, number>();
  #nextPurge = KEPT_COMPANIES;

  /** @param judge asked once for each company and tenant, as long as they are remembered */
  constructor(cluster: ClusterView, judge: (company: Company, newcomer: Tenant) => V) {
    this.#cluster = cluster;
    this.#judge = judge;
    this.#onGpu = Array.from({ length: cluster.gpuCount }, () => []);
  }

  /** The GPU in use that a single job joins at least cost (ties: lowest number), or -1. */
  find(job: JobView, tenant: Tenant): number {
    const end = this.#logStart + this.#log.length;
    const known = this.#nowhere.get(job.index) ?? -1;
    const gpu =
      known >= this.#logStart
        ? this.#amongChanged(job, tenant, known - this.#logStart)
        : this.#amongAll(job, tenant);
    if (gpu < 0) this.#nowhere.set(job.index, end);
    return gpu;
  }

  /** What joining a GPU in use comes to, or null where nobody is known to be there. */
  verdict(gpu: number, tenant: Tenant): V | null {
    const found = this.#classOf[gpu];
    return found === undefined ? null : this.#verdictOf(found, tenant);
  }

  /** Steps that are taken of a GPU. */
  used(gpu: number): number {
    return this.#classOf[gpu]?.company.used ?? 0;
  }

  /** Steps of a job that is seated, or null. */
  stepsOf(job: number): number | null {
    return this.#seated.get(job)?.steps ?? null;
  }

  /** Jobs on a GPU in the order of the members of their company. */
  jobsOn(gpu: number): number[] {
    return (this.#onGpu[gpu] as Seated[]).map(({ job }) => job);
  }

  /** A single job has started on a GPU. */
  enter(job: number, tenant: Tenant, gpu: number, steps: number): void {
    const seated = { job, gpu, tenant, steps };
    this.#nowhere.delete(job);
    this.#seated.set(job, seated);
    (this.#onGpu[gpu] as Seated[]).push(seated);
    this.#file(gpu);
  }

  /** A job has left; of one that was never seated, nothing is known. */
  leave(job: number): void {
    const seated = this.#seated.get(job);
    if (seated === undefined) return;
    this.#seated.delete(job);
    const there = this.#onGpu[seated.gpu] as Seated[];
    there.splice(there.indexOf(seated), 1);
    this.#file(seated.gpu);
  }

  /** The jobs on a GPU get these steps, in the order of the members of their company. */
  change(gpu: number, steps: readonly number[]): void {
    const there = this.#onGpu[gpu] as Seated[];
    for (const [i, seated] of there.entries()) {
      const changed = { ...seated, steps: steps[i] as number };
      there[i] = changed;
      this.#seated.set(changed.job, changed);
    }
    this.#file(gpu);
  }

  #amongAll(job: JobView, tenant: Tenant): number {
    let best = -1;
    let least = Infinity;
    for (const seatClass of this.#used) {
      const { type } = seatClass.company;
      if (!job.types.includes(type)) continue;
      const { cost } = this.#verdictOf(seatClass, tenant);
      if (cost === Infinity || cost > least) continue;
      const { gpus } = seatClass;
      for (let gpu = gpus.first(); gpu >= 0; gpu = gpus.next(gpu)) {
        if (!this.#hasRoom(gpu, job.memoryGib(type))) continue;
        if (cost < least || gpu < best) best = gpu;
        least = cost;
        break;
      }
    }
    return best;
  }

  #amongChanged(job: JobView, tenant: Tenant, from: number): number {
    let best = -1;
    let least = Infinity;
    for (let i = from; i < this.#log.length; i += 1) {
      const gpu = this.#log[i] as number;
      const seatClass = this.#classOf[gpu];
      const type = seatClass?.company.type ?? -1;
      if (seatClass === undefined || !job.types.includes(type)) continue;
      const { cost } = this.#verdictOf(seatClass, tenant);
      if (cost === Infinity || cost > least || (cost === least && gpu >= best)) continue;
      if (!this.#hasRoom(gpu, job.memoryGib(type))) continue;
      best = gpu;
      least = cost;
    }
    return best;
  }

  #hasRoom(gpu: number, needGib: number): boolean {
    const { types } = this.#cluster;
    const clients = types[this.#cluster.typeOf(gpu)]?.mpsClientLimit ?? 1;
    return (
      (this.#onGpu[gpu] as Seated[]).length < clients &&
      this.#cluster.freeMemoryGib(gpu) + EPSILON_GIB >= needGib &&
      this.#cluster.isAvailable(gpu)
    );
  }

  #verdictOf({ company, verdicts }: SeatClass<V>, tenant: Tenant): V {
    let verdict = verdicts.get(tenant.id);
    if (verdict === undefined) {
      verdict = this.#judge(company, tenant);
      verdicts.set(tenant.id, verdict);
    }
    return verdict;
  }

  #file(gpu: number): void {
    const there = this.#onGpu[gpu] as Seated[];
    there.sort((a, b) => a.tenant.id - b.tenant.id || a.steps - b.steps || a.job - b.job);
    const before = this.#classOf[gpu];
    const after = there.length === 0 ? undefined : this.#classFor(gpu, there);
    if (before !== after) {
      before?.gpus.delete(gpu);
      if (before?.gpus.size === 0) this.#used.delete(before);
      after?.gpus.add(gpu);
      if (after !== undefined) this.#used.add(after);
      this.#classOf[gpu] = after;
    }
    if (this.#log.length > 2 * this.#cluster.gpuCount) {
      this.#logStart += this.#log.length;
      this.#log.length = 0;
    }
    this.#log.push(gpu);
  }

  #classFor(gpu: number, there: readonly Seated[]): SeatClass<V> {
    const type = this.#cluster.typeOf(gpu);
    let key = `${type}`;
    for (const { tenant, steps } of there) key += ` ${tenant.id}:${steps}`;
    let found = this.#byKey.get(key);
    if (found === undefined) {
      if (this.#byKey.size >= this.#nextPurge) this.#purge();
      const members = there.map(({ tenant, steps }) => ({ tenant, steps }));
      found = {
        company: { type, members, used: members.reduce((sum, { steps }) => sum + steps, 0) },
        verdicts: new Map(),
        gpus: new IndexSet(this.#cluster.gpuCount),
      };
      this.#byKey.set(key, found);
    }
    return found;
  }

  /** Forgets companies that are nowhere. */
  #purge(): void {
    for (const [key, { gpus }] of this.#byKey) if (gpus.size === 0) this.#byKey.delete(key);
    this.#nextPurge = Math.max(KEPT_COMPANIES, 2 * this.#byKey.size);
  }
}
