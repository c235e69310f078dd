import type { GpuType, WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { Predictor } from '../predictor.ts';
import type { Seat } from './company.ts';
import { type Curve, curveOf, type Grid, type GridOptions, gridOf } from './curves.ts';
import { searchGrid } from './search.ts';

/** What level 2 needs of the options. */
export interface TuneOptions extends GridOptions {
  readonly energyWeight: number;
  readonly unlimited: boolean;
}

/** A resident to be tuned: what it is, and the share steps that it keeps (0: free to choose). */
export interface Resident {
  /** From {@link Tuner.task}. */
  readonly task: number;
  readonly steps: number;
}

/** Shares and clock of one GPU, and what they come to. Arrays are in the order of the residents. */
export interface Tuning {
  /** MPS shares in steps of the grid. */
  readonly steps: readonly number[];
  readonly clockMhz: number;
  /** The objective of {@link searchGrid}; 1 is a job alone at the reference clock. */
  readonly objective: number;
  readonly powerW: number;
  readonly dynamicW: readonly number[];
  /** Speed of each over its speed alone at full clock, no power limit in the way. */
  readonly progress: readonly number[];
}

/** A workload under a slowdown bound: what level 2 tells residents apart by. */
interface Task {
  readonly workload: string;
  readonly maxSlowdown: number;
}

/** Answers that are kept before all are forgotten, so that memory stays bounded. */
const KEPT_TUNINGS = 500_000;

/**
 * Level 2 of HeShare: MPS shares and core clock of one GPU together, for given residents. Answers
 * are kept by type and residents, so each combination is searched once.
 */
export class Tuner {
  readonly grids: readonly Grid[];
  readonly #predictor: Predictor;
  readonly #options: TuneOptions;
  readonly #tasks: Task[] = [];
  readonly #taskIds = new Map<string, number>();
  /** By type and workload. */
  readonly #curves: Map<string, Curve | null>[];
  readonly #known = new Map<string, Tuning | null>();

  constructor(predictor: Predictor, options: TuneOptions) {
    this.#predictor = predictor;
    this.#options = options;
    this.grids = predictor.types.map((_, type) => gridOf(predictor, type, options));
    this.#curves = this.grids.map(() => new Map<string, Curve | null>());
  }

  /** Number of a workload under a bound on its slowdown (against alone at full clock). */
  task(workload: string, maxSlowdown: number): number {
    const key = `${maxSlowdown} ${workload}`;
    let id = this.#taskIds.get(key);
    if (id === undefined) {
      id = this.#tasks.push({ workload, maxSlowdown }) - 1;
      this.#taskIds.set(key, id);
    }
    return id;
  }

  gpuType(type: number): GpuType {
    return (this.grids[type] as Grid).type;
  }

  /** Share of the GPU that a number of steps is. */
  share(type: number, steps: number): number {
    return steps / (this.grids[type] as Grid).wholeSteps;
  }

  /** Profile of a task on a type. @throws {RangeError} when it cannot run there */
  profile(type: number, task: number): WorkloadProfile {
    return this.#curve(type, (this.#tasks[task] as Task).workload).profile;
  }

  /**
   * A job alone on a GPU: its clock, and a share that costs it nothing (all of the GPU when limits
   * may be left out, else the least, which leaves room). Where no clock keeps bound and cap it runs
   * at the reference clock: that is what its slowdown is measured against.
   */
  alone(type: number, task: number): Tuning {
    const { wholeSteps } = this.grids[type] as Grid;
    const { usefulSteps } = this.#curve(type, (this.#tasks[task] as Task).workload);
    return this.atShares(type, [
      { task, steps: this.#options.unlimited ? wholeSteps : usefulSteps },
    ]);
  }

  /** Whether a job alone on a GPU can keep its bound under the power cap. */
  canKeep(type: number, task: number): boolean {
    return this.tune(type, [{ task, steps: 0 }]) !== null;
  }

  /** The clock for residents that all keep their shares; the reference clock where none is legal. */
  atShares(type: number, residents: readonly Resident[]): Tuning {
    const found = this.tune(type, residents);
    if (found !== null) return found;
    const steps = residents.map((resident) => resident.steps);
    return this.#tuning(type, residents, steps, this.gpuType(type).referenceClockMhz, Infinity);
  }

  /**
   * The best shares and clock for residents, in which those with `steps > 0` keep their share, or
   * null when no setting keeps all bounds. @param residents in a fixed order: it is part of the key
   */
  tune(type: number, residents: readonly Resident[]): Tuning | null {
    let key = `${type}`;
    for (const { task, steps } of residents) key += ` ${task}:${steps}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const tuning = this.#search(type, residents);
    if (this.#known.size >= KEPT_TUNINGS) this.#known.clear();
    this.#known.set(key, tuning);
    return tuning;
  }

  #search(type: number, residents: readonly Resident[]): Tuning | null {
    const grid = this.grids[type] as Grid;
    const seats = residents.map(({ task, steps }): Seat => {
      const { workload, maxSlowdown } = this.#tasks[task] as Task;
      return { curve: this.#curve(type, workload), maxSlowdown, fixedSteps: steps };
    });
    const { energyWeight, unlimited } = this.#options;
    const found = searchGrid(this.#predictor, grid, seats, energyWeight, unlimited);
    if (found === null) return null;
    const clockMhz = grid.clocksMhz[found.clock] as number;
    return this.#tuning(type, residents, found.steps, clockMhz, found.objective);
  }

  #tuning(
    type: number,
    residents: readonly Resident[],
    steps: readonly number[],
    clockMhz: number,
    objective: number,
  ): Tuning {
    const { wholeSteps, powerCapW } = this.grids[type] as Grid;
    const curves = residents.map(({ task }) =>
      this.#curve(type, (this.#tasks[task] as Task).workload),
    );
    const point = this.#predictor.evaluate(
      type,
      curves.map(({ profile }, i) => ({ profile, share: (steps[i] as number) / wholeSteps })),
      { clockMhz, powerCapW },
    );
    return {
      steps,
      clockMhz,
      objective,
      powerW: point.powerW,
      dynamicW: point.dynamicW,
      progress: curves.map(({ uncappedS }, i) => uncappedS / (point.stepS[i] as number)),
    };
  }

  #curve(type: number, workload: string): Curve {
    const curves = this.#curves[type] as Map<string, Curve | null>;
    let curve = curves.get(workload);
    if (curve === undefined) {
      const profile = this.#predictor.profile(workload, type);
      const grid = this.grids[type] as Grid;
      curve = profile === null ? null : curveOf(this.#predictor, grid, profile);
      curves.set(workload, curve);
    }
    if (curve === null) {
      const { name } = this.gpuType(type);
      throw new RangeError(`workload '${workload}' has no profile on gpu type '${name}'`);
    }
    return curve;
  }
}
