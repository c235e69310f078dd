import type { ClusterSpec } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { GangCurve, GangCurves } from '../elastic/index.ts';

/** A way to run a job, at its speed over that of the slowest way. */
export interface Choice {
  readonly type: number;
  readonly gpus: number;
  readonly speed: number;
}

/** Ways to run jobs of one kind with the same limits. */
export interface ChoiceSet {
  /** Two sets are the same when their numbers are. */
  readonly id: number;
  readonly choices: readonly Choice[];
}

/**
 * Gang sizes by type: powers of two within a node, then whole nodes (Sia, SOSP 2023, section 3.3); of nodes
 * of several sizes the largest counts.
 *
 * @param types names of the types, in the order of the cluster
 */
export function gangSizes({ groups }: ClusterSpec, types: readonly string[]): number[][] {
  return types.map((name) => {
    const ofType = groups.filter(({ gpuType }) => gpuType === name);
    const perNode = Math.max(...ofType.map(({ gpusPerNode }) => gpusPerNode));
    const total = ofType.reduce((sum, { nodes, gpusPerNode }) => sum + nodes * gpusPerNode, 0);
    const sizes: number[] = [];
    for (let gpus = 1; gpus < perNode; gpus *= 2) sizes.push(gpus);
    for (let gpus = perNode; gpus <= total; gpus += perNode) sizes.push(gpus);
    return sizes;
  });
}

/**
 * What jobs can run as. A job has the least number of GPUs that it needs besides the sizes of its types,
 * so that every job can start.
 */
export class Choices {
  readonly #curves: GangCurves;
  readonly #sizes: readonly (readonly number[])[];
  readonly #known = new Map<string, ChoiceSet>();

  constructor(curves: GangCurves, sizes: readonly (readonly number[])[]) {
    this.#curves = curves;
    this.#sizes = sizes;
  }

  /** @param most GPUs that the job may have; at least `minGpus` */
  of(job: JobView, most: number): ChoiceSet {
    const key = `${this.#curves.kindOf(job)} ${job.minGpus} ${most}`;
    let known = this.#known.get(key);
    if (known === undefined) {
      known = { id: this.#known.size, choices: this.#make(job, most) };
      this.#known.set(key, known);
    }
    return known;
  }

  #make(job: JobView, most: number): Choice[] {
    const { minGpus } = job;
    const curves = this.#curves.of(job);
    const raw = job.types.flatMap((type) => {
      const curve = curves[type] as GangCurve;
      const larger = (this.#sizes[type] as readonly number[]).filter(
        (gpus) => gpus > minGpus && gpus <= most,
      );
      return [minGpus, ...larger].map((gpus) => ({ type, gpus, speed: curve.speed(gpus) }));
    });
    const slowest = Math.min(...raw.map(({ speed }) => speed));
    return raw.map((choice) => ({ ...choice, speed: choice.speed / slowest }));
  }
}
