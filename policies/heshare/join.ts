import type { WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { Member, OccupiedClass } from './occupancy.ts';
import type { Resident, Tuner, Tuning } from './tune.ts';

/** A way in which a newcomer joins the residents of a GPU, and what it does to them. */
export interface Join {
  /** Share steps of the newcomer, and of the members in their order. */
  readonly steps: number;
  readonly memberSteps: readonly number[];
  readonly clockMhz: number;
  /** Speed of the newcomer over its speed alone at full clock. */
  readonly progress: number;
  /** Power that the newcomer adds, and power times time of the work that it delays, per second. */
  readonly addedW: number;
  /** Seconds by which the members together are delayed in each second. */
  readonly delay: number;
  /** Members that restart for a new share; seconds of work lost, and the energy to make them up. */
  readonly restarted: readonly number[];
  readonly restartS: number;
  readonly restartJ: number;
}

/**
 * The ways to join a class: under the shares that the members have, and under the best shares for
 * all, if those differ and gain more than `minGain`. Empty when no setting keeps all bounds.
 */
export function joinsOf(
  tuner: Tuner,
  joined: OccupiedClass,
  task: number,
  minGain: number,
): readonly Join[] {
  const kept = tuner.tune(joined.type, withNewcomer(joined.members, task));
  const free = joined.members.map((member) => (member.pinned ? member : { ...member, steps: 0 }));
  const best = tuner.tune(joined.type, withNewcomer(free, task));
  const joins: Join[] = [];
  if (kept !== null) joins.push(joinUnder(tuner, joined, task, kept));
  if (best === null) return joins;
  const gain = kept === null ? Infinity : 1 - best.objective / kept.objective;
  if (gain > minGain) joins.push(joinUnder(tuner, joined, task, best));
  return joins;
}

/** Residents in the order of tasks; the newcomer, free to choose, before its like. */
function withNewcomer(members: readonly Resident[], task: number): Resident[] {
  const at = newcomerAt(members, task);
  return [...members.slice(0, at), { task, steps: 0 }, ...members.slice(at)];
}

function newcomerAt(members: readonly Resident[], task: number): number {
  const at = members.findIndex((member) => member.task >= task);
  return at < 0 ? members.length : at;
}

function joinUnder(tuner: Tuner, joined: OccupiedClass, task: number, tuning: Tuning): Join {
  const { type, members } = joined;
  const tasks = withNewcomer(members, task).map((resident) => resident.task);
  const seats = assignSeats(members, tasks, tuning.steps);
  const newcomer = tasks.findIndex((_, seat) => !seats.includes(seat));
  const { idlePowerW, contextPowerW } = tuner.gpuType(type);
  const before = joined.tuning;
  const contextW = (contextPowerW - idlePowerW) / members.length;
  let addedW = tuning.powerW - before.powerW;
  let delay = 0;
  let restartS = 0;
  let restartJ = 0;
  const restarted: number[] = [];
  const memberSteps = seats.map((seat) => tuning.steps[seat] as number);
  members.forEach((member, i) => {
    const memberW = (before.dynamicW[i] as number) + contextW;
    const then = tuning.progress[seats[i] as number] as number;
    const lost = 1 - then / (before.progress[i] as number);
    delay += lost;
    addedW += lost * memberW;
    if (memberSteps[i] === member.steps) return;
    const lostS = shareChangeS(tuner.profile(type, member.task));
    restarted.push(i);
    restartS += lostS;
    restartJ += lostS * memberW;
  });
  return {
    steps: tuning.steps[newcomer] as number,
    memberSteps,
    clockMhz: tuning.clockMhz,
    progress: tuning.progress[newcomer] as number,
    addedW,
    delay,
    restarted,
    restartS,
    restartJ,
  };
}

/** Time that a client loses when its share changes: it writes a checkpoint and restarts. */
export function shareChangeS({ checkpointS, restartS }: WorkloadProfile): number {
  return checkpointS + restartS;
}

/**
 * Which seat of a tuning each member takes: one of its own task, its own share where there is one,
 * so that as few as possible restart.
 */
export function assignSeats(
  members: readonly Member[],
  tasks: readonly number[],
  steps: readonly number[],
): number[] {
  const taken = new Set<number>();
  const seats = members.map(({ task, steps: own }) => {
    const seat = tasks.findIndex((t, i) => t === task && steps[i] === own && !taken.has(i));
    if (seat >= 0) taken.add(seat);
    return seat;
  });
  return seats.map((seat, i) => {
    if (seat >= 0) return seat;
    const other = tasks.findIndex((t, j) => t === members[i]?.task && !taken.has(j));
    taken.add(other);
    return other;
  });
}
