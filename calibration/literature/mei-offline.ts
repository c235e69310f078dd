import {
  bestSetting,
  bestWithin,
  type DvfsRange,
  defaultSetting,
  type MeiSetting,
  type MeiTask,
  shortestS,
} from './mei-tasks.ts';

export interface OfflineOptions {
  readonly gpusPerNode: number;
  /** Clocks that may be set; null runs every task at the default. */
  readonly range: DvfsRange | null;
  /**
   * Part of its energy-optimal time that a task may be squeezed to, to fit before its deadline on a
   * GPU that is on; 1 only lets it wait for less than it needs.
   */
  readonly theta: number;
  /**
   * Power of a GPU that is idle in a node that is on, and energy to turn a node on: 37 W and 90 J in
   * the runs that the authors recorded (csvs/offline-v4.csv of HKBU-HPML/GPU-DVFS-Job-Schedule has
   * turn-on energies in multiples of 90), 85 W and 200 J in the last version of their code.
   */
  readonly idleW: number;
  readonly turnOnJ: number;
}

const DEFAULTS = { theta: 0.9, idleW: 37, turnOnJ: 90 };

export interface OfflineEnergy {
  readonly runJ: number;
  readonly idleJ: number;
  readonly turnOnJ: number;
  readonly totalJ: number;
  readonly nodes: number;
  /** Tasks that end after their deadlines. */
  readonly late: number;
}

interface Node {
  readonly endS: number[];
  readonly busyS: number[];
}

/**
 * Offline EDL scheduling with theta-readjustment (Mei, Wang and Chu, arXiv 2104.00486): tasks that are
 * all there at time 0, in the order of their deadlines, each on the GPU that is free first. If a task
 * does not fit before its deadline there, its clocks are raised so that it does, but not below
 * `theta` of its energy-optimal time; else a new node is turned on. A node stays on until its last
 * task ends, its idle GPUs with it.
 */
export function scheduleOffline(
  tasks: readonly MeiTask[],
  options: Pick<OfflineOptions, 'gpusPerNode' | 'range'> & Partial<OfflineOptions>,
): OfflineEnergy {
  const { gpusPerNode, range, theta, idleW, turnOnJ } = { ...DEFAULTS, ...options };
  const nodes: Node[] = [];
  let runJ = 0;
  let late = 0;
  for (const task of [...tasks].sort((a, b) => a.deadlineS - b.deadlineS)) {
    const free = firstFree(nodes);
    let setting = plannedSetting(task, range);
    let target = free;
    const roomS = free === null ? 0 : task.deadlineS - (free.node.endS[free.gpu] ?? 0);
    if (free === null || setting.timeS > roomS) {
      const squeezed = range === null ? null : squeeze(task, setting, range, theta, roomS);
      if (free !== null && squeezed !== null) setting = squeezed;
      else target = turnOn(nodes, gpusPerNode);
    }
    if (target === null) throw new RangeError('expected a gpu for the task, found none');
    const { node, gpu } = target;
    const endS = (node.endS[gpu] ?? 0) + setting.timeS;
    node.endS[gpu] = endS;
    node.busyS[gpu] = (node.busyS[gpu] ?? 0) + setting.timeS;
    runJ += setting.energyJ;
    if (endS > task.deadlineS * (1 + 1e-12)) late += 1;
  }
  let idleJ = 0;
  for (const { endS, busyS } of nodes) {
    const onS = Math.max(...endS);
    for (const gpuBusyS of busyS) idleJ += idleW * (onS - gpuBusyS);
  }
  const onJ = turnOnJ * nodes.length;
  return { runJ, idleJ, turnOnJ: onJ, totalJ: runJ + idleJ + onJ, nodes: nodes.length, late };
}

interface Place {
  readonly node: Node;
  readonly gpu: number;
}

/** The GPU that is free first among those that are on; the first of equals. */
function firstFree(nodes: readonly Node[]): Place | null {
  let best: Place | null = null;
  let bestS = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    for (let gpu = 0; gpu < node.endS.length; gpu += 1) {
      const endS = node.endS[gpu] ?? 0;
      if (endS < bestS) {
        bestS = endS;
        best = { node, gpu };
      }
    }
  }
  return best;
}

function turnOn(nodes: Node[], gpusPerNode: number): Place {
  const zeros = (): number[] => new Array<number>(gpusPerNode).fill(0);
  const node = { endS: zeros(), busyS: zeros() };
  nodes.push(node);
  return { node, gpu: 0 };
}

/** The energy-optimal setting, or the best that meets the deadline from time 0. */
function plannedSetting(task: MeiTask, range: DvfsRange | null): MeiSetting {
  if (range === null) return defaultSetting(task);
  const best = bestSetting(task, range);
  return best.timeS <= task.deadlineS
    ? best
    : (bestWithin(task, range, task.deadlineS) ?? defaultSetting(task));
}

/** The best setting within the room, or null where theta does not allow it or none is that fast. */
function squeeze(
  task: MeiTask,
  setting: MeiSetting,
  range: DvfsRange,
  theta: number,
  roomS: number,
): MeiSetting | null {
  const leastS = Math.max(theta * setting.timeS, shortestS(task, range));
  return roomS <= leastS ? null : bestWithin(task, range, roomS);
}
