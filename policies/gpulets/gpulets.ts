import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Order } from '../order/order.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { TenantSeats, type Verdict } from '../sharing/tenant-seats.ts';
import type { Tenants } from '../sharing/tenants.ts';
import type { GpuletSizes } from './sizes.ts';

const WHOLE = 100;

/** The highest required speed first: the strictest objective. */
export function highestRequired(tenants: Tenants): Order {
  return {
    name: 'highest-required-speed',
    readsDuration: false,
    key: (job) => tenants.of(job).objective,
  };
}

/**
 * A GPU is split into two gpu-lets when a single job starts on it: one of the job's ideal size, and the
 * rest. A job takes the smallest rest that is no smaller than its ideal size and where neither job is
 * predicted to disturb the other too much; else it splits a free GPU. Gangs have their GPUs alone.
 */
export function gpulets(tenants: Tenants, sizes: GpuletSizes): Sharing {
  let made: TenantSeats<Verdict> | null = null;

  const seatsOf = (view: View): TenantSeats<Verdict> => {
    made ??= new TenantSeats(view.cluster, ({ type, members, used }, newcomer) => {
      const rest = WHOLE - used;
      const [first] = members;
      const isFree = first !== undefined && members.length === 1;
      if (!isFree || rest < sizes.ideal(type, newcomer)) return NO_SEAT;
      const fits = sizes.getOn(type, [first.tenant, newcomer], [used, rest]);
      return fits ? { cost: rest } : NO_SEAT;
    });
    return made;
  };

  const sizeOn = (view: View, job: JobView, gpu: number): number => {
    const used = seatsOf(view).used(gpu);
    return used > 0 ? WHOLE - used : sizes.ideal(view.cluster.typeOf(gpu), tenants.of(job));
  };

  return {
    name: 'gpulets',
    mode: 'mps',
    packs: true,
    likeness: 'objective',
    startShare: (view, job, gpu) => (job.gpuCount > 1 ? job.share : sizeOn(view, job, gpu) / WHOLE),
    seat: (view, job) => (job.gpuCount > 1 ? -1 : seatsOf(view).find(job, tenants.of(job))),
    started(view, job) {
      if (job.gpuCount > 1) return;
      const gpu = job.gpus[0] as number;
      seatsOf(view).enter(job.index, tenants.of(job), gpu, sizeOn(view, job, gpu));
    },
    left(view, job) {
      seatsOf(view).leave(job.index);
    },
  };
}

const NO_SEAT: Verdict = { cost: Infinity };
