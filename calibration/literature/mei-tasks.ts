import type { RandomSource } from '../../sim/random.ts';

/**
 * A GPU task of Mei, Wang and Chu ("Energy-aware task scheduling with deadline constraint in
 * DVFS-enabled heterogeneous clusters", arXiv 2104.00486): with core and memory clocks and voltage over
 * their defaults, `P = P0 + gamma * fm + c * V^2 * fc` and `t = t0 + D * (delta/fc + (1 - delta)/fm)`.
 */
export interface MeiTask {
  readonly fixedS: number;
  readonly scaledS: number;
  /** Part of the scaled time that follows the core clock; the rest follows the memory clock. */
  readonly coreShare: number;
  readonly staticW: number;
  readonly memoryW: number;
  readonly coreW: number;
  /** Deadline after the arrival. */
  readonly deadlineS: number;
}

/** Voltages that are scanned and bounds of the memory clock, over the defaults. */
export interface DvfsRange {
  readonly voltages: readonly number[];
  readonly memory: { readonly min: number; readonly max: number };
}

/** Where a task runs: voltage and clocks over the defaults, and what that costs. */
export interface MeiSetting {
  readonly voltage: number;
  readonly core: number;
  readonly memory: number;
  readonly timeS: number;
  readonly powerW: number;
  readonly energyJ: number;
}

const STEP = 0.05;

function voltages(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + STEP * i);
}

/** The wide interval of the paper's analysis: V 0.5..1.25, memory clock 0.5..1.2. */
export const WIDE: DvfsRange = { voltages: voltages(0.5, 16), memory: { min: 0.5, max: 1.2 } };

/** The narrow interval of real cards: V 0.8..1.2, memory clock 0.8..1.2. */
export const NARROW: DvfsRange = { voltages: voltages(0.8, 9), memory: { min: 0.8, max: 1.2 } };

/** Highest core clock that a voltage allows: `sqrt((V - 0.5) / 2) + 0.5`. */
export function coreClockAt(voltage: number): number {
  return Math.sqrt(Math.max(0, voltage - 0.5) / 2) + 0.5;
}

/** Time, power and energy of a task at a setting. */
export function runAt(task: MeiTask, voltage: number, core: number, memory: number): MeiSetting {
  const { fixedS, scaledS, coreShare } = task;
  const timeS = fixedS + scaledS * (coreShare / core + (1 - coreShare) / memory);
  const powerW = task.staticW + task.memoryW * memory + task.coreW * voltage ** 2 * core;
  return { voltage, core, memory, timeS, powerW, energyJ: timeS * powerW };
}

/** The default setting: all clocks and the voltage 1. */
export function defaultSetting(task: MeiTask): MeiSetting {
  return runAt(task, 1, 1, 1);
}

/**
 * Least energy over the voltages of a range: each with its highest core clock and the memory clock
 * with the least energy in closed form, clamped to the range. The default is a candidate too.
 */
export function bestSetting(task: MeiTask, range: DvfsRange): MeiSetting {
  return bestWithin(task, range, Number.POSITIVE_INFINITY) ?? defaultSetting(task);
}

/** The same among the settings that take no longer than a limit; null where none of them does. */
export function bestWithin(task: MeiTask, range: DvfsRange, limitS: number): MeiSetting | null {
  const { fixedS, scaledS, coreShare, staticW, memoryW, coreW } = task;
  const base = defaultSetting(task);
  let best = base.timeS <= limitS ? base : null;
  for (const voltage of range.voltages) {
    const core = coreClockAt(voltage);
    const atBest = Math.sqrt(
      ((staticW + coreW * voltage ** 2 * core) * scaledS * (1 - coreShare)) /
        (memoryW * (fixedS + (scaledS * coreShare) / core)),
    );
    const memory = Math.min(range.memory.max, Math.max(range.memory.min, atBest));
    const setting = runAt(task, voltage, core, memory);
    if (setting.timeS > limitS || (best !== null && setting.energyJ >= best.energyJ)) continue;
    best = setting;
  }
  return best;
}

/** Shortest time of a task: the highest clocks of a range. */
export function shortestS(task: MeiTask, range: DvfsRange): number {
  const voltage = Math.max(...range.voltages);
  return runAt(task, voltage, coreClockAt(voltage), range.memory.max).timeS;
}

/**
 * Draws a task as the paper's synthetic generator does: D in 1.66..7.61 and t0 in 0.1..0.95, both times
 * an integer of 10..50; delta in 0.07..0.91; default power an integer of 175..206 W, of which P0 takes
 * 20..41 % and gamma 10..20 %; the deadline is the default time over a utilisation of 0.25..0.75.
 */
export function drawTask(random: RandomSource): MeiTask {
  const uniform = (low: number, high: number): number => low + (high - low) * random();
  const integer = (low: number, high: number): number =>
    low + Math.floor(random() * (high - low + 1));
  const scale = integer(10, 50);
  const scaledS = uniform(1.66, 7.61) * scale;
  const fixedS = uniform(0.1, 0.95) * scale;
  const coreShare = uniform(0.07, 0.91);
  const powerW = integer(175, 206);
  const staticW = uniform(0.2, 0.41) * powerW;
  const memoryW = uniform(0.1, 0.2) * powerW;
  const deadlineS = (fixedS + scaledS) / uniform(0.25, 0.75);
  const coreW = powerW - staticW - memoryW;
  return { fixedS, scaledS, coreShare, staticW, memoryW, coreW, deadlineS };
}

/** Means over tasks of what their best settings are and save. */
export interface MeiSavings {
  /** Mean of 1 - energy / default energy. */
  readonly saving: number;
  readonly voltage: number;
  readonly core: number;
  readonly memory: number;
  /** Mean of time / default time - 1. */
  readonly slowdown: number;
}

/** What the best settings of tasks save, without regard to deadlines. */
export function meanSavings(tasks: readonly MeiTask[], range: DvfsRange): MeiSavings {
  const sum = { saving: 0, voltage: 0, core: 0, memory: 0, slowdown: 0 };
  for (const task of tasks) {
    const base = defaultSetting(task);
    const best = bestSetting(task, range);
    sum.saving += 1 - best.energyJ / base.energyJ;
    sum.voltage += best.voltage;
    sum.core += best.core;
    sum.memory += best.memory;
    sum.slowdown += best.timeS / base.timeS - 1;
  }
  const n = tasks.length;
  return {
    saving: sum.saving / n,
    voltage: sum.voltage / n,
    core: sum.core / n,
    memory: sum.memory / n,
    slowdown: sum.slowdown / n,
  };
}
