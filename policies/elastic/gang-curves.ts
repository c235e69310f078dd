import type { JobView } from '../../sim/job-view.ts';
import type { Predictor } from '../predictor.ts';
import { JobClasses } from '../queue/job-classes.ts';

/** Speed of a kind of job on a GPU type by the GPUs of its gang; each is predicted once. */
export class GangCurve {
  readonly #predictor: Predictor;
  readonly #example: JobView;
  readonly #type: number;
  readonly #speeds: (number | undefined)[] = [];

  constructor(predictor: Predictor, example: JobView, type: number) {
    this.#predictor = predictor;
    this.#example = example;
    this.#type = type;
  }

  /** Work per second with a gang of `gpus` on as few nodes as can hold it. */
  speed(gpus: number): number {
    const known = this.#speeds[gpus];
    if (known !== undefined) return known;
    while (this.#speeds.length < gpus) this.#speeds.push(undefined);
    const speed = this.#predictor.gangSpeed(this.#example, this.#type, gpus);
    this.#speeds[gpus] = speed;
    return speed;
  }
}

/** Curves by kind of job and GPU type. */
export class GangCurves {
  readonly #predictor: Predictor;
  readonly #classes = new JobClasses('speed');
  readonly #byClass: (GangCurve | null)[][] = [];

  constructor(predictor: Predictor) {
    this.#predictor = predictor;
  }

  /** Number of the kind of a job: jobs of one kind have the same curves. */
  kindOf(job: JobView): number {
    return this.#classes.of(job).index;
  }

  /** Curves of a job by type of the cluster; null where it cannot run. */
  of(job: JobView): readonly (GangCurve | null)[] {
    const kind = this.kindOf(job);
    const known = this.#byClass[kind];
    if (known !== undefined) return known;
    const made = this.#predictor.types.map((_, type) =>
      job.types.includes(type) ? new GangCurve(this.#predictor, job, type) : null,
    );
    this.#byClass[kind] = made;
    return made;
  }
}
