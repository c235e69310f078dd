import {
  type ConeLayout,
  degree,
  exitRate,
  intoCone,
  lessUnit,
  product,
  quotient,
  Scaling,
} from './cones.ts';
import type { ConicProgram } from './conic-program.ts';
import { Equilibrated } from './equilibrated.ts';
import {
  addTo,
  dot,
  minus,
  norm,
  plus,
  scaled,
  solveTriangle,
  triangleOf,
  triangleOfNormal,
  type Vector,
} from './vector.ts';

/** Tolerances and constants of ECOS 2.0. */
const TIGHT: Tolerance = { feasibility: 1e-8, gap: 1e-8 };
const REDUCED: Tolerance = { feasibility: 1e-4, gap: 5e-5 };
const STEP_BACK = 0.99;
const LONGEST_STEP = 0.999;
const SHORTEST_STEP = 1e-6;
const LEAST_CENTRING = 1e-4;
const MOST_ITERATIONS = 100;
const CERTAIN = 1e-8;
/** Relative, on the diagonal: near the optimum the normal equations are singular but for rounding. */
const REGULARISATION = 1e-13;
const REFINEMENTS = 3;
/** ECOS regularises its equations, which leaves slacks of the first point that should be 0 above it. */
const ON_THE_EDGE = 1e-9;

/**
 * The point at which the solver ECOS ends: a primal-dual interior-point method on the homogeneous
 * self-dual embedding with Mehrotra's predictor and corrector (Domahidi, Chu and Boyd, ECOS: an SOCP
 * solver for embedded systems, ECC 2013). Where a program has many optima, which of them a solver gives
 * depends on its path; a replay of a program that used ECOS has to take the same one. Agrees with ECOS
 * 2.0.10 to about six digits. Dense: O((variables + rows) x variables^2) an iteration.
 *
 * @returns by variable; null where it does not converge, as on an infeasible program
 */
export function ecosPoint(program: ConicProgram): Vector | null {
  return new Embedding(program).solve();
}

interface Tolerance {
  readonly feasibility: number;
  readonly gap: number;
}

interface Kkt {
  readonly x: Vector;
  readonly z: Vector;
}

interface Factor {
  readonly scaling: Scaling;
  /** R with `R'R = G' W^-2 G`. */
  readonly triangle: readonly Vector[];
}

interface Residuals {
  readonly dual: Vector;
  readonly primal: Vector;
  readonly total: number;
  readonly cx: number;
  readonly hz: number;
  readonly gap: number;
}

/** A step of the variables, and of s in the scaled space. */
interface Direction extends Kkt {
  readonly scaledS: Vector;
  readonly scaledZ: Vector;
  readonly tau: number;
  readonly kappa: number;
}

class Embedding {
  readonly #data: Equilibrated;
  readonly #layout: ConeLayout;
  #x: Vector = new Float64Array(0);
  #s: Vector = new Float64Array(0);
  #z: Vector = new Float64Array(0);
  #tau = 1;
  #kappa = 1;

  constructor(program: ConicProgram) {
    this.#data = new Equilibrated(program);
    this.#layout = this.#data.layout;
  }

  solve(): Vector | null {
    if (!this.#start()) return null;
    for (let iteration = 0; iteration <= MOST_ITERATIONS; iteration += 1) {
      const residuals = this.#residuals();
      if (this.#isOptimal(residuals, TIGHT)) return this.#point();
      // Where there is no solution tau goes to 0 and kappa does not.
      if (this.#tau < CERTAIN * this.#kappa) return null;
      if (this.#step(residuals)) continue;
      // The last digits cannot be had: what is there is taken where it is good enough.
      return this.#isOptimal(residuals, REDUCED) ? this.#point() : null;
    }
    return this.#isOptimal(this.#residuals(), REDUCED) ? this.#point() : null;
  }

  #point(): Vector {
    return this.#data.unscaled(scaled(this.#x, 1 / this.#tau));
  }

  /** Least-squares points, moved into the cones. */
  #start(): boolean {
    const { c, h } = this.#data;
    const factor = this.#factorise(Scaling.unit(this.#layout));
    if (factor === null) return false;
    const primal = this.#solveKkt(factor, new Float64Array(c.length), h);
    const dual = this.#solveKkt(factor, scaled(c, -1), new Float64Array(h.length));
    this.#x = primal.x;
    this.#s = intoCone(scaled(primal.z, -1), this.#layout, ON_THE_EDGE);
    this.#z = intoCone(dual.z, this.#layout, 0);
    return true;
  }

  #residuals(): Residuals {
    const { c, h } = this.#data;
    const dual = scaled(this.#data.transposed(this.#z), -1);
    addTo(dual, c, -this.#tau);
    const primal = plus(this.#s, this.#data.times(this.#x));
    addTo(primal, h, -this.#tau);
    const cx = dot(c, this.#x);
    const hz = dot(h, this.#z);
    return { dual, primal, total: this.#kappa + cx + hz, cx, hz, gap: dot(this.#s, this.#z) };
  }

  #isOptimal({ dual, primal, cx, hz, gap }: Residuals, tolerance: Tolerance): boolean {
    const { c, h } = this.#data;
    const primalScale = Math.max(1, norm(h) + norm(this.#x) + norm(this.#s));
    const dualScale = Math.max(1, norm(c) + norm(this.#z));
    if (norm(primal) / primalScale / this.#tau >= tolerance.feasibility) return false;
    if (norm(dual) / dualScale / this.#tau >= tolerance.feasibility) return false;
    if (!(-cx > 0 || -hz >= -tolerance.gap)) return false;
    const primalCost = cx / this.#tau;
    const dualCost = -hz / this.#tau;
    const relative = primalCost < 0 ? gap / -primalCost : dualCost > 0 ? gap / dualCost : Infinity;
    return gap < tolerance.gap || relative < tolerance.gap;
  }

  #step(residuals: Residuals): boolean {
    const { c, h } = this.#data;
    const scaling = Scaling.of(this.#s, this.#z, this.#layout);
    const factor = scaling === null ? null : this.#factorise(scaling);
    if (scaling === null || factor === null) return false;
    const { dual, primal, gap } = residuals;
    const lambda = scaling.times(this.#z);
    const mu = (gap + this.#kappa * this.#tau) / (degree(this.#layout) + 1);
    const along = this.#solveKkt(factor, scaled(c, -1), h);
    const slope = this.#kappa / this.#tau - dot(c, along.x) - dot(h, along.z);
    const direction = (right: Kkt, shift: Vector, total: number, kappaTau: number): Direction => {
      const raw = this.#solveKkt(factor, right.x, right.z);
      const tau = (total - kappaTau / this.#tau + dot(c, raw.x) + dot(h, raw.z)) / slope;
      addTo(raw.x, along.x, tau);
      addTo(raw.z, along.z, tau);
      const scaledZ = scaling.times(raw.z);
      const scaledS = scaled(plus(shift, scaledZ), -1);
      return { ...raw, scaledS, scaledZ, tau, kappa: -(kappaTau + this.#kappa * tau) / this.#tau };
    };
    const affine = direction(
      { x: dual, z: minus(this.#s, primal) },
      lambda,
      residuals.total,
      this.#kappa * this.#tau,
    );
    const centring = Math.min(
      1,
      Math.max(LEAST_CENTRING, (1 - this.#longest(lambda, affine)) ** 3),
    );
    const keep = 1 - centring;
    const corrected = quotient(
      lessUnit(
        plus(
          product(lambda, lambda, this.#layout),
          product(affine.scaledS, affine.scaledZ, this.#layout),
        ),
        centring * mu,
        this.#layout,
      ),
      lambda,
      this.#layout,
    );
    const combined = direction(
      { x: scaled(dual, keep), z: minus(scaling.times(corrected), scaled(primal, keep)) },
      corrected,
      keep * residuals.total,
      this.#kappa * this.#tau + affine.kappa * affine.tau - centring * mu,
    );
    const length = STEP_BACK * this.#longest(lambda, combined);
    if (!Number.isFinite(length * combined.tau)) return false;
    addTo(this.#x, combined.x, length);
    addTo(this.#z, combined.z, length);
    // By the linear equations, so that rounding goes into the complementarity and not into them.
    const ds = scaled(plus(this.#data.times(combined.x), scaled(primal, keep)), -1);
    addTo(ds, h, combined.tau);
    addTo(this.#s, ds, length);
    this.#tau += length * combined.tau;
    this.#kappa += length * combined.kappa;
    return true;
  }

  /** Longest step that stays in the cones. */
  #longest(lambda: Vector, { scaledS, scaledZ, tau, kappa }: Direction): number {
    const rate = Math.max(
      exitRate(lambda, scaledS, this.#layout),
      exitRate(lambda, scaledZ, this.#layout),
    );
    let length = rate > 0 ? 1 / rate : Infinity;
    if (tau < 0) length = Math.min(length, -this.#tau / tau);
    if (kappa < 0) length = Math.min(length, -this.#kappa / kappa);
    return Math.min(LONGEST_STEP, Math.max(SHORTEST_STEP, length));
  }

  /**
   * Solves `G'z = a`, `Gx - W^2 z = b` as `H'y = a`, `Hx - y = W^-1 b` with `H = W^-1 G` and `y = W z`,
   * where what is left is of one size in all rows, and refines that.
   */
  #solveKkt({ scaling, triangle }: Factor, a: Vector, b: Vector): Kkt {
    const right = scaling.inverseTimes(b);
    const x = new Float64Array(a.length);
    const y = new Float64Array(b.length);
    let top = a;
    let bottom = right;
    for (let round = 0; round <= REFINEMENTS; round += 1) {
      const dx = solveTriangle(triangle, plus(top, this.#transposed(scaling, bottom)));
      addTo(x, dx, 1);
      addTo(y, minus(this.#times(scaling, dx), bottom), 1);
      top = minus(a, this.#transposed(scaling, y));
      bottom = plus(minus(right, this.#times(scaling, x)), y);
    }
    return { x, z: scaling.inverseTimes(y) };
  }

  /** `H x` */
  #times(scaling: Scaling, x: Vector): Vector {
    return scaling.inverseTimes(this.#data.times(x));
  }

  /** `H'y` */
  #transposed(scaling: Scaling, y: Vector): Vector {
    return this.#data.transposed(scaling.inverseTimes(y));
  }

  /** Near the edge of a cone the normal equations lose too many digits. */
  #factorise(scaling: Scaling): Factor | null {
    const triangle =
      this.#layout.sizes.length === 0
        ? triangleOfNormal(this.#regularised(scaling))
        : triangleOf(this.#data.columns().map((column) => scaling.inverseTimes(column)));
    return triangle === null ? null : { scaling, triangle };
  }

  #regularised(scaling: Scaling): Vector[] {
    const ones = new Float64Array(this.#layout.linear).fill(1);
    const inverse = scaling.inverseTimes(scaling.inverseTimes(ones));
    const matrix = this.#data.normalMatrix(inverse);
    matrix.forEach((row, i) => {
      row[i] = (row[i] as number) * (1 + REGULARISATION);
    });
    return matrix;
  }
}
