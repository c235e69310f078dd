import type { Vector } from './vector.ts';

/** Where the second-order cones of a vector lie: behind `linear` entries of the positive orthant. */
export interface ConeLayout {
  readonly linear: number;
  readonly sizes: readonly number[];
}

/** Number of cones, an entry of the orthant for one. */
export function degree({ linear, sizes }: ConeLayout): number {
  return linear + sizes.length;
}

function eachCone(
  { linear, sizes }: ConeLayout,
  visit: (start: number, size: number, cone: number) => void,
): void {
  let start = linear;
  sizes.forEach((size, cone) => {
    visit(start, size, cone);
    start += size;
  });
}

/** `a0 b0 - a1 b1 - ...` over a cone. */
function hyperbolic(a: Vector, b: Vector, start: number, size: number): number {
  let sum = (a[start] as number) * (b[start] as number);
  for (let i = start + 1; i < start + size; i += 1) sum -= (a[i] as number) * (b[i] as number);
  return sum;
}

function tailNorm(a: Vector, start: number, size: number): number {
  let sum = 0;
  for (let i = start + 1; i < start + size; i += 1) sum += (a[i] as number) ** 2;
  return Math.sqrt(sum);
}

/**
 * Moves a point along the unit of the cones: by 1 further than it needs to be on the edge, or by 0.01 if
 * it is inside, which it is from `-slack` on.
 */
export function intoCone(point: Vector, layout: ConeLayout, slack: number): Vector {
  let shift = -0.99;
  const reach = (residual: number): void => {
    if (residual <= -slack && -residual > shift) shift = -residual;
  };
  for (let i = 0; i < layout.linear; i += 1) reach(point[i] as number);
  eachCone(layout, (start, size) => {
    reach((point[start] as number) - tailNorm(point, start, size));
  });
  const moved = point.slice();
  for (let i = 0; i < layout.linear; i += 1) moved[i] = (moved[i] as number) + 1 + shift;
  eachCone(layout, (start) => {
    moved[start] = (moved[start] as number) + 1 + shift;
  });
  return moved;
}

/** The product of the cones' algebra; on the orthant, entry by entry. */
export function product(a: Vector, b: Vector, layout: ConeLayout): Vector {
  const result = a.map((value, i) => value * (b[i] as number));
  eachCone(layout, (start, size) => {
    for (let i = start + 1; i < start + size; i += 1) {
      result[start] = (result[start] as number) + (result[i] as number);
      result[i] = (a[start] as number) * (b[i] as number) + (b[start] as number) * (a[i] as number);
    }
  });
  return result;
}

/** The `x` with `product(a, x) = b`. */
export function quotient(b: Vector, a: Vector, layout: ConeLayout): Vector {
  const result = b.map((value, i) => value / (a[i] as number));
  eachCone(layout, (start, size) => {
    const head = a[start] as number;
    let cross = 0;
    for (let i = start + 1; i < start + size; i += 1) cross += (a[i] as number) * (b[i] as number);
    const first = (head * (b[start] as number) - cross) / hyperbolic(a, a, start, size);
    result[start] = first;
    for (let i = start + 1; i < start + size; i += 1) {
      result[i] = ((b[i] as number) - (a[i] as number) * first) / head;
    }
  });
  return result;
}

/** Takes a number off the unit element. */
export function lessUnit(a: Vector, amount: number, layout: ConeLayout): Vector {
  const result = a.slice();
  for (let i = 0; i < layout.linear; i += 1) result[i] = (result[i] as number) - amount;
  eachCone(layout, (start) => {
    result[start] = (result[start] as number) - amount;
  });
  return result;
}

/** How fast `lambda` in direction `change` runs out of the cones: 1 over the longest step. */
export function exitRate(lambda: Vector, change: Vector, layout: ConeLayout): number {
  let rate = 0;
  for (let i = 0; i < layout.linear; i += 1) {
    rate = Math.max(rate, -(change[i] as number) / (lambda[i] as number));
  }
  eachCone(layout, (start, size) => {
    const length = Math.sqrt(hyperbolic(lambda, lambda, start, size));
    const along = hyperbolic(lambda, change, start, size) / length;
    const head = (lambda[start] as number) / length;
    const factor = (along + (change[start] as number)) / (head + 1);
    let sum = 0;
    for (let i = start + 1; i < start + size; i += 1) {
      const across = (change[i] as number) - (factor * (lambda[i] as number)) / length;
      sum += (across / length) ** 2;
    }
    rate = Math.max(rate, Math.sqrt(sum) - along / length);
  });
  return rate;
}

/** A cone's part of the scaling: `eta [[a, q'], [q, I + q q' / (1 + a)]]`. */
interface ConeScale {
  readonly eta: number;
  /** a, then q. */
  readonly w: Vector;
}

/**
 * The symmetric matrix W of Nesterov and Todd with `W z = W^-1 s` (Domahidi, Chu and Boyd, ECC 2013,
 * section III).
 */
export class Scaling {
  readonly #layout: ConeLayout;
  readonly #linear: Vector;
  readonly #cones: readonly ConeScale[];

  private constructor(layout: ConeLayout, linear: Vector, cones: readonly ConeScale[]) {
    this.#layout = layout;
    this.#linear = linear;
    this.#cones = cones;
  }

  static unit(layout: ConeLayout): Scaling {
    const cones = layout.sizes.map((size): ConeScale => {
      const w = new Float64Array(size);
      w[0] = 1;
      return { eta: 1, w };
    });
    return new Scaling(layout, new Float64Array(layout.linear).fill(1), cones);
  }

  /** Null where a point is not inside its cone. */
  static of(s: Vector, z: Vector, layout: ConeLayout): Scaling | null {
    const linear = new Float64Array(layout.linear);
    for (let i = 0; i < layout.linear; i += 1) {
      linear[i] = Math.sqrt((s[i] as number) / (z[i] as number));
    }
    const cones: ConeScale[] = [];
    eachCone(layout, (start, size) => {
      const sLength = Math.sqrt(hyperbolic(s, s, start, size));
      const zLength = Math.sqrt(hyperbolic(z, z, start, size));
      let inner = 0;
      for (let i = start; i < start + size; i += 1) inner += (s[i] as number) * (z[i] as number);
      const gamma = Math.sqrt((1 + inner / sLength / zLength) / 2);
      const w = new Float64Array(size);
      for (let i = 0; i < size; i += 1) {
        const sPart = (s[start + i] as number) / sLength;
        const zPart = (z[start + i] as number) / zLength;
        w[i] = (i === 0 ? sPart + zPart : sPart - zPart) / (2 * gamma);
      }
      cones.push({ eta: Math.sqrt(sLength / zLength), w });
    });
    const isInside = linear.every((value) => value > 0) && cones.every(({ eta }) => eta > 0);
    return isInside ? new Scaling(layout, linear, cones) : null;
  }

  /** `W v` */
  times(v: Vector): Vector {
    const result = v.slice();
    for (let i = 0; i < this.#layout.linear; i += 1) {
      result[i] = (v[i] as number) * (this.#linear[i] as number);
    }
    eachCone(this.#layout, (start, size, cone) => {
      const { eta, w } = this.#cones[cone] as ConeScale;
      const a = w[0] as number;
      let inner = 0;
      for (let i = 1; i < size; i += 1) inner += (w[i] as number) * (v[start + i] as number);
      const head = v[start] as number;
      result[start] = eta * (a * head + inner);
      const factor = head + inner / (1 + a);
      for (let i = 1; i < size; i += 1) {
        result[start + i] = eta * ((v[start + i] as number) + factor * (w[i] as number));
      }
    });
    return result;
  }

  /** `W^-1 v` */
  inverseTimes(v: Vector): Vector {
    const result = v.slice();
    for (let i = 0; i < this.#layout.linear; i += 1) {
      result[i] = (v[i] as number) / (this.#linear[i] as number);
    }
    eachCone(this.#layout, (start, size, cone) => {
      const { eta, w } = this.#cones[cone] as ConeScale;
      const a = w[0] as number;
      let inner = 0;
      for (let i = 1; i < size; i += 1) inner += (w[i] as number) * (v[start + i] as number);
      const head = v[start] as number;
      result[start] = (a * head - inner) / eta;
      const factor = inner / (1 + a) - head;
      for (let i = 1; i < size; i += 1) {
        result[start + i] = ((v[start + i] as number) + factor * (w[i] as number)) / eta;
      }
    });
    return result;
  }
}
