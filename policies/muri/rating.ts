import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { Predictor } from '../predictor.ts';
import type { JobClass } from '../queue/job-classes.ts';
import type { Composition, GroupRating } from './grouping.ts';
import { interleave, OVERHEAD, RESOURCES, type StageTimes } from './interleave.ts';

const EPSILON = 1e-9;

/** What is predicted of a group. */
interface Rated {
  readonly types: readonly number[];
  readonly usedRatio: number;
  readonly paysOff: boolean;
}

/**
 * Rates groups from solo profiles: the part of a step on the host is the CPU stage, the rest the GPU stage;
 * storage and network are not in a profile and take no time. Members must fit into the memory of a GPU
 * together; speeds are compared on the first type where they do. Each group is rated once.
 */
export class ProfileRating implements GroupRating {
  readonly #predictor: Predictor;
  readonly #kinds: (JobClass | undefined)[] = [];
  readonly #rated = new Map<string, Rated>();

  constructor(predictor: Predictor) {
    this.#predictor = predictor;
  }

  /** To be told of each kind before a group has it. */
  know(kind: JobClass): void {
    this.#kinds[kind.index] ??= kind;
  }

  usedRatio(kinds: Composition): number {
    return this.#of(kinds).usedRatio;
  }

  /** Whether an iteration of the group takes less than the iterations of its members one after another. */
  paysOff(kinds: Composition): boolean {
    return this.#of(kinds).paysOff;
  }

  /** GPU types on which all members can run together, ascending. */
  types(kinds: Composition): readonly number[] {
    return this.#of(kinds).types;
  }

  #of(kinds: Composition): Rated {
    const key = kinds.join();
    let rated = this.#rated.get(key);
    if (rated === undefined) {
      rated = this.#rate(kinds.map((kind) => this.#kinds[kind] as JobClass));
      this.#rated.set(key, rated);
    }
    return rated;
  }

  #rate(kinds: readonly JobClass[]): Rated {
    const [first] = kinds as readonly [JobClass];
    const types = first.types.filter((type) => this.#fits(kinds, type));
    const [type] = types;
    if (type === undefined || kinds.length === 1) return { types, usedRatio: 0, paysOff: true };
    const stages = kinds.map(({ workload }) => this.#stages(workload, type));
    const overhead = OVERHEAD[kinds.length - 1] as number;
    const groupS = interleave(stages).bestS * overhead;
    const aloneS = sum(stages.map(sum));
    return {
      types,
      usedRatio: aloneS / (groupS * RESOURCES),
      paysOff: groupS <= aloneS * (OVERHEAD[0] as number),
    };
  }

  #fits(kinds: readonly JobClass[], type: number): boolean {
    const { memoryGib, mpsClientLimit } = this.#predictor.types[type] as GpuType;
    let neededGib = 0;
    for (const kind of kinds) {
      const position = kind.types.indexOf(type);
      if (position < 0) return false;
      neededGib += kind.memoryGib[position] as number;
    }
    return neededGib <= memoryGib + EPSILON && kinds.length <= mpsClientLimit;
  }

  #stages(workload: string, type: number): StageTimes {
    const profile = this.#predictor.profile(workload, type);
    if (profile === null) return [0, 1, 0];
    const { hostS } = profile.time;
    return [hostS, soloStepS(profile) - hostS, 0];
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
