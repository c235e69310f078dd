import type { Decision } from '../../sim/decisions.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Clocks } from '../clocks/clocks.ts';
import type { Placement } from '../placement/placement.ts';
import type { Sharing } from '../sharing/sharing.ts';

/** Where a job goes and how it starts there: placement, sharing and clocks in one. */
export class Starter {
  readonly placement: Placement;
  readonly sharing: Sharing | null;
  readonly #clocks: Clocks | null;

  constructor(placement: Placement, sharing: Sharing | null, clocks: Clocks | null) {
    this.placement = placement;
    this.sharing = sharing;
    this.#clocks = clocks;
  }

  /** Tells the sharing rule who has left. */
  noteLeft(view: View): void {
    if (this.sharing === null) return;
    for (const job of view.left) this.sharing.left(view, job);
  }

  /** GPUs on which the job can start now, or null. */
  find(view: View, job: JobView): readonly number[] | null {
    const { sharing, placement } = this;
    if (sharing === null) return placement.place(view.cluster, job);
    if (!sharing.packs) {
      const free = placement.place(view.cluster, job);
      if (free !== null) return free;
    }
    const seat = sharing.seat(view, job);
    if (seat >= 0) return [seat];
    return sharing.packs ? placement.place(view.cluster, job) : null;
  }

  /** @param share on each GPU where there is no sharing rule; the job's own when absent */
  *start(
    view: View,
    job: JobView,
    gpus: readonly number[],
    share = job.share,
  ): Generator<Decision> {
    if (this.#clocks !== null) {
      for (const gpu of gpus) {
        const typeIndex = view.cluster.typeOf(gpu);
        const type = view.cluster.types[typeIndex] as GpuType;
        const { clockMhz, powerCapW } = this.#clocks.limits(type, typeIndex, job);
        if (view.clockMhz(gpu) !== clockMhz) yield { kind: 'set-clock', gpu, clockMhz };
        if (view.powerCapW(gpu) !== powerCapW) yield { kind: 'set-cap', gpu, powerCapW };
      }
    }
    if (this.sharing === null) {
      yield { kind: 'start', job, gpus, share };
      return;
    }
    const granted = this.sharing.startShare(view, job, gpus[0] as number);
    yield { kind: 'start', job, gpus, share: granted };
    this.sharing.started(view, job);
  }

  /** Decisions after all starts of an ask. */
  adjust(view: View): Iterable<Decision> {
    return this.sharing?.adjust?.(view) ?? NOTHING;
  }
}

/** No decision. */
export const NOTHING: readonly Decision[] = [];
