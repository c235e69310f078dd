import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import { type Placement, spansTypes } from '../placement/placement.ts';
import type { JobClass } from '../queue/job-classes.ts';
import { type GpuRoom, NO_TYPE, typeHeld } from '../walk/gpu-room.ts';
import type { Composition, Counted, Grouped, Grouper } from './grouping.ts';
import type { ProfileRating } from './rating.ts';

/** Jobs that are to run on the same GPUs. */
export interface Group {
  readonly members: readonly JobView[];
  readonly kinds: Composition;
  /** Place of its most urgent member among the candidates. */
  readonly rank: number;
}

/** A group with the GPUs that it keeps, or the type (or SEVERAL_TYPES) on which it gets some. */
export interface Placed {
  readonly group: Group;
  readonly type: number;
  readonly gpus: readonly number[] | null;
}

/** The first of the GPUs that a job holds: jobs of one group hold the same. */
export function cellOf(job: JobView): number {
  return job.gpus[0] ?? -1;
}

/**
 * Groups candidates, which are in order. Of jobs that are alike those stay together that run together, and
 * those that run go before those that wait.
 *
 * @param runs whether a job holds GPUs that it can keep
 * @param gpus that there are
 */
export function groupsOf(
  cluster: ClusterView,
  jobs: readonly JobView[],
  runs: (job: JobView) => boolean,
  classOf: (job: JobView) => JobClass,
  rating: ProfileRating,
  grouper: Grouper,
  gpus: number,
): readonly Group[] {
  const groups: Group[] = [];
  const ranks = new Map<JobView, number>();
  const kinds = new Map<JobView, number>();
  const counts = new Map<number, Counted>();
  const make = (members: readonly JobView[], of: Composition): void => {
    const rank = Math.min(...members.map((job) => ranks.get(job) as number));
    groups.push({ members, kinds: of, rank });
    for (const job of members) kinds.delete(job);
  };
  for (const [rank, job] of jobs.entries()) {
    ranks.set(job, rank);
    const jobClass = classOf(job);
    const kind = jobClass.index;
    rating.know(jobClass);
    kinds.set(job, kind);
    // A gang over several types has no company.
    if (spansTypes(cluster, job)) {
      make([job], [kind]);
      continue;
    }
    const count = (counts.get(kind)?.count ?? 0) + 1;
    counts.set(kind, { kind, gpuCount: job.gpuCount, count });
  }
  const wanted = unpacked(grouper.group([...counts.values()], gpus), rating);
  for (const members of cells(jobs, (job) => kinds.has(job) && runs(job))) {
    const of = members.map((job) => kinds.get(job) as number).sort((a, b) => a - b);
    const same = wanted.get(of.join());
    if (same === undefined || same.count === 0) continue;
    same.count -= 1;
    make(members, of);
  }
  const stock = stockOf(jobs, kinds, runs);
  for (const { kinds: of, count } of wanted.values()) {
    for (let i = 0; i < count; i += 1) {
      make(
        of.map((kind) => stock.get(kind)?.pop() as JobView),
        of,
      );
    }
  }
  return groups.sort((a, b) => a.rank - b.rank);
}

/** Groups that do not pay off are taken apart. */
function unpacked(
  groups: readonly Grouped[],
  rating: ProfileRating,
): Map<string, { readonly kinds: Composition; count: number }> {
  const wanted = new Map<string, { readonly kinds: Composition; count: number }>();
  const add = (kinds: Composition, count: number): void => {
    const known = wanted.get(kinds.join());
    if (known === undefined) wanted.set(kinds.join(), { kinds, count });
    else known.count += count;
  };
  for (const { kinds, count } of groups) {
    if (rating.paysOff(kinds)) add(kinds, count);
    else for (const kind of kinds) add([kind], count);
  }
  return wanted;
}

/** Jobs that run together now. */
function cells(
  jobs: readonly JobView[],
  counts: (job: JobView) => boolean,
): Iterable<readonly JobView[]> {
  const byCell = new Map<number, JobView[]>();
  for (const job of jobs) {
    if (!counts(job)) continue;
    const members = byCell.get(cellOf(job));
    if (members === undefined) byCell.set(cellOf(job), [job]);
    else members.push(job);
  }
  return byCell.values();
}

/** Jobs without a group by kind, the next one last. */
function stockOf(
  jobs: readonly JobView[],
  kinds: ReadonlyMap<JobView, number>,
  runs: (job: JobView) => boolean,
): Map<number, JobView[]> {
  const stock = new Map<number, JobView[]>();
  const put = (job: JobView): void => {
    const kind = kinds.get(job);
    if (kind === undefined) return;
    const alike = stock.get(kind);
    if (alike === undefined) stock.set(kind, [job]);
    else alike.push(job);
  };
  const reversed = jobs.toReversed();
  for (const job of reversed) if (!runs(job)) put(job);
  for (const job of reversed) if (runs(job)) put(job);
  return stock;
}

/**
 * Gives GPUs away by count, in the order of the groups. A group keeps the GPUs on which most of its members
 * run; another gets room on the first type that has some, and groups without any are left out.
 */
export function placed(
  cluster: ClusterView,
  groups: readonly Group[],
  runs: (job: JobView) => boolean,
  rating: ProfileRating,
  placement: Placement,
  room: GpuRoom,
): readonly Placed[] {
  const claimed = new Set<number>();
  const all: Placed[] = [];
  for (const one of groups) {
    const [leader] = one.members as readonly [JobView];
    const possible = rating.types(one.kinds);
    const anchor = anchorOf(one, (job) => {
      if (!runs(job) || claimed.has(cellOf(job))) return false;
      return one.members.length === 1 || possible.includes(cluster.typeOf(cellOf(job)));
    });
    if (anchor !== null) {
      const type = typeHeld(cluster, anchor);
      if (room.keep(anchor, type)) {
        claimed.add(cellOf(anchor));
        all.push({ group: one, type, gpus: anchor.gpus });
        continue;
      }
    }
    const types = placement.types(leader).filter((type) => possible.includes(type));
    const type = room.give(leader, types);
    if (type !== NO_TYPE) all.push({ group: one, type, gpus: null });
  }
  return all;
}

/** A member in the cell that holds most members that count. */
function anchorOf({ members }: Group, counts: (job: JobView) => boolean): JobView | null {
  let best: JobView | null = null;
  let most = 0;
  for (const job of members) {
    if (!counts(job)) continue;
    let together = 0;
    for (const other of members) if (counts(other) && cellOf(other) === cellOf(job)) together += 1;
    if (together <= most) continue;
    most = together;
    best = job;
  }
  return best;
}
