/** Stands for several types where a type is expected, and for none. */
export const SEVERAL_TYPES = -1;
export const NO_TYPE = -2;

/** So many GPUs of a type, or of SEVERAL_TYPES. */
export interface Holding {
  readonly type: number;
  readonly gpus: number;
}

/** GPUs by type that a plan has not given away yet. */
export class TypeRoom {
  readonly #left: number[];
  /** Of those, what is beyond the least that running jobs need. */
  readonly #spare: number[];
  total: number;

  /** @param available GPUs by type that work */
  constructor(available: readonly number[]) {
    this.#left = [...available];
    this.#spare = [...available];
    this.total = available.reduce((sum, gpus) => sum + gpus, 0);
  }

  left(type: number): number {
    return this.#left[type] as number;
  }

  /** What is left of each type. */
  lefts(): readonly number[] {
    return [...this.#left];
  }

  /** Notes the least that a running job needs of a type, so that who comes new avoids to displace it. */
  reserve(type: number, gpus: number): void {
    this.#spare[type] = (this.#spare[type] as number) - gpus;
  }

  /**
   * Gives a job `gpus` of one type: the type that it is on, else the first of `types` where that displaces
   * nobody, else the first where it fits.
   *
   * @param held the type that it is on, reserved before; NO_TYPE for none
   * @returns the type, or NO_TYPE
   */
  give(gpus: number, types: readonly number[], held: number): number {
    if (held >= 0 && this.left(held) >= gpus) {
      this.take(held, gpus);
      return held;
    }
    let found = NO_TYPE;
    for (const type of types) {
      if (this.left(type) < gpus) continue;
      if (found === NO_TYPE) found = type;
      if ((this.#spare[type] as number) < gpus) continue;
      found = type;
      break;
    }
    if (found === NO_TYPE) return NO_TYPE;
    this.take(found, gpus);
    this.reserve(found, gpus);
    return found;
  }

  take(type: number, gpus: number): void {
    this.#left[type] = this.left(type) - gpus;
    this.total -= gpus;
  }

  /** Gives a gang that no type can hold its GPUs, type by type. @returns whether there are enough */
  giveSeveral(gpus: number, types: readonly number[]): boolean {
    if (types.reduce((sum, type) => sum + this.left(type), 0) < gpus) return false;
    let missing = gpus;
    for (const type of types) {
      const part = Math.min(missing, this.left(type));
      this.take(type, part);
      missing -= part;
    }
    return true;
  }
}
