import type { JobKind } from './kinds.ts';

/**
 * Score of a placement, lower is better (assumed): energy and time per unit of the job's work, each
 * over its best on an idle cluster, weighted. Energy is what the cluster draws more because of the
 * job, delays of neighbours made up for; time is the job's own and what its neighbours lose.
 *
 * @param addedW power added while the job runs
 * @param delay seconds lost by neighbours in each second
 * @param rate work per second
 * @param oneOffJ energy and seconds spent once, over the whole work of the job
 */
export function scoreOf(
  kind: JobKind,
  energyWeight: number,
  addedW: number,
  delay: number,
  rate: number,
  oneOffJ = 0,
  oneOffS = 0,
  work = 1,
): number {
  const energyJ = addedW / rate + oneOffJ / work;
  const timeS = (1 + delay) / rate + oneOffS / work;
  return (energyWeight * energyJ) / kind.bestJ + ((1 - energyWeight) * timeS) / kind.bestS;
}
