import { cheapest, type SoloPoint } from '../clocks/solo-points.ts';
import type { GangCurve } from '../elastic/index.ts';

/** A step up: the next gang or the next clock. */
export interface Step {
  readonly level: number;
  readonly point: number;
  readonly gpus: number;
  /** Watts beyond those of the idle GPUs. */
  readonly extraW: number;
  /** Run time saved over energy spent, both for each second of work; Infinity where it saves both. */
  readonly worth: number;
}

/**
 * How a kind of job can run on a type: gangs by levels, clocks from the one of least energy up. What a step
 * gains for its energy is the same however much work is left, so steps are worked out once.
 */
export class Ladder {
  readonly levels: readonly number[];
  readonly #points: readonly SoloPoint[];
  readonly #curve: GangCurve;
  readonly #referenceStepS: number;
  readonly #idleW: number;
  readonly #steps = new Map<number, readonly Step[]>();

  constructor(
    levels: readonly number[],
    points: readonly SoloPoint[],
    curve: GangCurve,
    referenceStepS: number,
    idleW: number,
  ) {
    this.levels = levels;
    this.#points = points;
    this.#curve = curve;
    this.#referenceStepS = referenceStepS;
    this.#idleW = idleW;
  }

  clockMhz(point: number): number {
    return (this.#points[point] as SoloPoint).clockMhz;
  }

  /** Watts of a gang beyond those of idle GPUs. */
  extraW(level: number, point: number): number {
    return (
      (this.levels[level] as number) * ((this.#points[point] as SoloPoint).powerW - this.#idleW)
    );
  }

  /** Steps up from here, the one of most worth first. */
  stepsFrom(level: number, point: number): readonly Step[] {
    const key = level * this.#points.length + point;
    let steps = this.#steps.get(key);
    if (steps === undefined) {
      steps = [
        this.#stepTo(level, point, level, point + 1),
        this.#stepTo(level, point, level + 1, point),
      ]
        .filter((step) => step !== null)
        .sort((a, b) => b.worth - a.worth);
      this.#steps.set(key, steps);
    }
    return steps;
  }

  #stepTo(fromLevel: number, fromPoint: number, level: number, point: number): Step | null {
    if (level >= this.levels.length || point >= this.#points.length) return null;
    const savedS = this.#runS(fromLevel, fromPoint) - this.#runS(level, point);
    if (!(savedS > 0)) return null;
    const spentJ = this.#energyJ(level, point) - this.#energyJ(fromLevel, fromPoint);
    return {
      level,
      point,
      gpus: (this.levels[level] as number) - (this.levels[fromLevel] as number),
      extraW: this.extraW(level, point) - this.extraW(fromLevel, fromPoint),
      worth: spentJ > 0 ? savedS / spentJ : Infinity,
    };
  }

  /** Run time of a second of work. */
  #runS(level: number, point: number): number {
    const { stepS } = this.#points[point] as SoloPoint;
    return stepS / this.#referenceStepS / this.#curve.speed(this.levels[level] as number);
  }

  #energyJ(level: number, point: number): number {
    const gpus = this.levels[level] as number;
    return gpus * (this.#points[point] as SoloPoint).powerW * this.#runS(level, point);
  }
}

/**
 * The clocks of a workload on a type from the one of least energy up to the fastest, at most `most` of them:
 * evenly spaced where there are more.
 */
export function clockLadder(points: readonly SoloPoint[], most: number): readonly SoloPoint[] {
  const first = cheapest(points, ({ powerW, stepS }) => powerW * stepS);
  if (first === null) return [];
  const faster: SoloPoint[] = [first];
  for (const point of points) {
    if (point.stepS < (faster.at(-1) as SoloPoint).stepS) faster.push(point);
  }
  const last = faster.length - 1;
  if (last < most) return faster;
  return Array.from(
    { length: most },
    (_, i) => faster[most === 1 ? 0 : Math.round((i * last) / (most - 1))] as SoloPoint,
  );
}
