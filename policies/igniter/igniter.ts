import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Order } from '../order/order.ts';
import type { TypeOrder } from '../placement/type-order.ts';
import type { Sharing } from '../sharing/sharing.ts';
import { TenantSeats } from '../sharing/tenant-seats.ts';
import type { Tenants } from '../sharing/tenants.ts';
import type { Provision, Provisioner } from './provision.ts';

export interface IgniterOptions {
  readonly tenants: Tenants;
  readonly provisioner: Provisioner;
  readonly wholeUnits: number;
  /** Whether shares of running jobs are raised, by restarting them. */
  readonly restarts: boolean;
}

/**
 * The largest least share first, on the type that a job tries first; gangs, which take whole GPUs, before
 * all.
 */
export function largestLeastShare(options: IgniterOptions, types: TypeOrder): Order {
  const { tenants, provisioner, wholeUnits } = options;
  return {
    name: 'largest-least-share',
    readsDuration: false,
    key: (job) => {
      if (job.gpuCount > 1) return -wholeUnits;
      return -provisioner.least(types(job)[0] as number, tenants.of(job));
    },
  };
}

/**
 * A single job joins the GPU in use where the shares of all together grow least, by what the provisioner
 * says; else it opens a GPU with its least share. Gangs have their GPUs alone. Nobody's share is lowered
 * when company leaves.
 */
export function igniterSharing(options: IgniterOptions): Sharing {
  const { tenants, provisioner, wholeUnits, restarts } = options;
  let made: TenantSeats<Provision> | null = null;
  /** Running jobs that do not have the share yet that they are to have. */
  const unsettled = new Set<JobView>();

  const seatsOf = (view: View): TenantSeats<Provision> => {
    made ??= new TenantSeats(view.cluster, (company, newcomer) =>
      provisioner.join(company, newcomer),
    );
    return made;
  };

  const unitsOn = (view: View, job: JobView, gpu: number): number => {
    const tenant = tenants.of(job);
    const joined = seatsOf(view).verdict(gpu, tenant);
    return joined?.newcomer ?? provisioner.least(view.cluster.typeOf(gpu), tenant);
  };

  function* adjust(view: View): Generator<Decision> {
    for (const job of unsettled) {
      const gpu = job.gpus[0] as number;
      const slot = (view.cluster.residents[gpu] as readonly number[]).indexOf(job.index);
      const share = (seatsOf(view).stepsOf(job.index) as number) / wholeUnits;
      if (view.cluster.shares[gpu]?.[slot] === share) unsettled.delete(job);
      // A client that still starts cannot be restarted; it comes up again when it runs.
      else if (job.state === 'running') yield { kind: 'set-share', job, share };
    }
  }

  return {
    name: 'igniter',
    mode: 'mps',
    packs: true,
    likeness: 'objective',
    startShare: (view, job, gpu) =>
      job.gpuCount > 1 ? job.share : unitsOn(view, job, gpu) / wholeUnits,
    seat: (view, job) => (job.gpuCount > 1 ? -1 : seatsOf(view).find(job, tenants.of(job))),
    started(view, job) {
      if (job.gpuCount > 1) return;
      const seats = seatsOf(view);
      const gpu = job.gpus[0] as number;
      const units = unitsOn(view, job, gpu);
      const joined = seats.verdict(gpu, tenants.of(job));
      if (restarts && joined !== null) {
        const members = seats.jobsOn(gpu);
        for (const [i, member] of members.entries()) {
          if (seats.stepsOf(member) !== joined.members[i]) unsettled.add(view.job(member));
        }
        seats.change(gpu, joined.members);
      }
      seats.enter(job.index, tenants.of(job), gpu, units);
    },
    left(view, job) {
      unsettled.delete(job);
      seatsOf(view).leave(job.index);
    },
    ...(restarts ? { adjust } : {}),
  };
}
