import type { Decision } from '../../sim/decisions.ts';
import type { View } from '../../sim/view.ts';
import { type MpsEqualOptions, mpsEqual } from './mps-equal.ts';
import type { ShareSplits } from './share-split.ts';
import type { Sharing } from './sharing.ts';

export interface BestSplitOptions extends MpsEqualOptions {
  readonly splits: ShareSplits;
}

/**
 * Jobs of one GPU share it under MPS in the parts of the best split ({@link ShareSplits}). Seats are
 * those of {@link mpsEqual}; gangs have their GPUs alone.
 *
 * - *fixed*: a job has, from its start to its end, its part of the split with whom it meets then
 * - *adaptive*: all have their parts at any time; who stays is restarted when its part changes
 */
export function bestSplit({ splits, ...options }: BestSplitOptions): Sharing {
  const seats = mpsEqual({ ...options, shares: 'fixed' });
  const adapts = options.shares === 'adaptive';
  /** GPUs whose residents may need other shares, and those of jobs that sit on one. */
  const uneven = new Set<number>();
  const gpuOf = new Map<number, number>();

  const workloads = (view: View, residents: readonly number[]): string[] =>
    residents.map((resident) => view.job(resident).workload);

  function* adjust(view: View): Generator<Decision> {
    for (const gpu of uneven) {
      // Alike jobs are told apart by submission, so that they do not change places.
      const residents = [...(view.cluster.residents[gpu] as readonly number[])];
      residents.sort((a, b) => a - b);
      const parts = splits.best(view.cluster.typeOf(gpu), workloads(view, residents));
      let settled = true;
      for (const [i, resident] of residents.entries()) {
        const job = view.job(resident);
        if (job.gpuCount > 1) continue;
        const share = parts[i] as number;
        const slot = (view.cluster.residents[gpu] as readonly number[]).indexOf(resident);
        if (view.cluster.shares[gpu]?.[slot] === share) continue;
        // A client that still starts cannot be restarted; it comes up again when it runs.
        if (job.state !== 'running') settled = false;
        else yield { kind: 'set-share', job, share };
      }
      if (settled) uneven.delete(gpu);
    }
  }

  return {
    ...seats,
    name: `best-split-${options.shares}`,
    startShare(view, job, gpu) {
      if (job.gpuCount > 1) return job.share;
      const residents = [...(view.cluster.residents[gpu] ?? []), job.index];
      residents.sort((a, b) => a - b);
      const parts = splits.best(view.cluster.typeOf(gpu), workloads(view, residents));
      return parts[residents.indexOf(job.index)] as number;
    },
    started(view, job) {
      seats.started(view, job);
      if (!adapts || job.gpuCount > 1) return;
      const gpu = job.gpus[0] as number;
      gpuOf.set(job.index, gpu);
      uneven.add(gpu);
    },
    left(view, job) {
      seats.left(view, job);
      const gpu = gpuOf.get(job.index);
      if (gpu === undefined) return;
      gpuOf.delete(job.index);
      uneven.add(gpu);
    },
    ...(adapts ? { adjust } : {}),
  };
}
