import type { Decision } from '../../sim/decisions.ts';
import type { View } from '../../sim/view.ts';
import { assignSeats, shareChangeS } from './join.ts';
import type { Occupancy, OccupiedClass } from './occupancy.ts';
import type { HeshareOptions } from './options.ts';
import type { Tuner } from './tune.ts';

/**
 * After a departure: the residents that stay get the clock that is best for them now, and new shares
 * if that is worth the restarts. A clock costs next to nothing, a share the client's restart.
 */
export function* retuned(
  view: View,
  gpu: number,
  occupancy: Occupancy,
  tuner: Tuner,
  options: HeshareOptions,
): Generator<Decision> {
  const before = occupancy.classOf(gpu);
  if (before === null) return;
  const steps = betterShares(view, gpu, before, occupancy, tuner, options);
  if (steps !== null) {
    const jobs = occupancy.seated(gpu);
    for (let i = 0; i < jobs.length; i += 1) {
      if (steps[i] === before.members[i]?.steps) continue;
      const share = tuner.share(before.type, steps[i] as number);
      yield { kind: 'set-share', job: view.job(jobs[i] as number), share };
    }
    occupancy.changed(gpu);
  }
  const clockMhz = occupancy.classOf(gpu)?.tuning.clockMhz;
  if (clockMhz !== undefined && clockMhz !== view.clockMhz(gpu)) {
    yield { kind: 'set-clock', gpu, clockMhz };
  }
}

/**
 * New share steps of the members, or null when they keep theirs: below `minGain`, or when the gain
 * until the next departure is less than the time that the restarts cost per resident (assumed).
 */
function betterShares(
  view: View,
  gpu: number,
  current: OccupiedClass,
  occupancy: Occupancy,
  tuner: Tuner,
  options: HeshareOptions,
): number[] | null {
  const { type, members, tuning } = current;
  const best = tuner.tune(
    type,
    members.map((member) => (member.pinned ? member : { ...member, steps: 0 })),
  );
  if (best === null) return null;
  const gain = tuning.objective - best.objective;
  if (!(gain > options.minGain * best.objective)) return null;

  const tasks = members.map(({ task }) => task);
  const seats = assignSeats(members, tasks, best.steps);
  const jobs = occupancy.seated(gpu);
  let untilS = Infinity;
  let costS = 0;
  for (let i = 0; i < members.length; i += 1) {
    const job = view.job(jobs[i] as number);
    const placed = occupancy.placed(job.index);
    const seat = seats[i] as number;
    const rate = (placed?.kind.speed[type] as number) * (best.progress[seat] as number);
    untilS = Math.min(untilS, job.remainingS / rate);
    if (best.steps[seat] === members[i]?.steps) continue;
    if (job.state !== 'running') return null;
    const profile = tuner.profile(type, members[i]?.task as number);
    costS += shareChangeS(profile) / members.length;
  }
  if (gain * untilS <= costS) return null;
  return seats.map((seat) => best.steps[seat] as number);
}
