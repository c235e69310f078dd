import type { JobView } from '../../sim/job-view.ts';
import type { Placement } from '../placement/placement.ts';
import type { ClassQueue } from '../queue/class-queue.ts';
import { type GpuRoom, NO_TYPE } from '../walk/gpu-room.ts';

/** A job that holds GPUs, with its key in the order. */
export interface Holder {
  readonly job: JobView;
  readonly key: number;
}

/**
 * The jobs that are to be grouped: in order, each that fits an empty cluster by count brings the next
 * `packingNum - 1` of its number of GPUs with it, so that every GPU could get a full group. Queued ones are
 * taken out of the queue.
 *
 * @param holders in order
 * @param room of the whole cluster; used up
 */
export function candidates(
  holders: readonly Holder[],
  queue: ClassQueue,
  room: GpuRoom,
  placement: Placement,
  packingNum: number,
): readonly JobView[] {
  /** By number of GPUs: jobs that may still come along. */
  const along = new Map<number, number>();
  const chosen: JobView[] = [];
  const choose = (job: JobView): boolean => {
    const left = along.get(job.gpuCount) ?? 0;
    if (left > 0) along.set(job.gpuCount, left - 1);
    else if (room.give(job, placement.types(job)) === NO_TYPE) return false;
    else along.set(job.gpuCount, packingNum - 1);
    chosen.push(job);
    return true;
  };
  queue.open(room.total);
  let position = 0;
  for (;;) {
    const queued = queue.first;
    const holder = holders[position];
    if (queued !== null && (holder === undefined || isBefore(queue.firstKey, queued, holder))) {
      if (choose(queued)) queue.take();
      else queue.dropClass();
      continue;
    }
    if (holder === undefined) return chosen;
    position += 1;
    choose(holder.job);
  }
}

function isBefore(key: number, queued: JobView, holder: Holder): boolean {
  return key < holder.key || (key === holder.key && queued.index < holder.job.index);
}
