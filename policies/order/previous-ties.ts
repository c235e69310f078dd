import type { JobView } from '../../sim/job-view.ts';
import type { Order } from './order.ts';

/**
 * An order in which jobs with the same key keep the order that they had before: one list that is sorted
 * again at each ask with a stable sort, as the released simulators do (Tiresias, schedules `shortest`
 * and `shortest-gpu`). Otherwise ties go by submission.
 *
 * Holds state of one run. O(jobs log jobs) an ask.
 */
export function previousTies(order: Order): Order {
  let list: JobView[] = [];
  const places: number[] = [];
  return {
    name: `${order.name}, ties as before`,
    readsDuration: order.readsDuration,
    key: (job) => places[job.index] ?? Infinity,
    update(view) {
      const gone = view.left.filter(({ state }) => state === 'done' || state === 'failed');
      if (gone.length > 0) list = list.filter((job) => !gone.includes(job));
      for (const job of view.entered) {
        if (job.state !== 'queued' || places[job.index] !== undefined) continue;
        places[job.index] = Infinity;
        list.push(job);
      }
      const keys = new Map(list.map((job) => [job, order.key(job)]));
      list.sort((a, b) => (keys.get(a) as number) - (keys.get(b) as number));
      return list.filter((job, place) => {
        const moved = places[job.index] !== place;
        places[job.index] = place;
        return moved && job.state === 'queued';
      });
    },
  };
}
