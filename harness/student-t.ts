/** Natural logarithm of the gamma function for x > 0 (Lanczos, g = 7, nine terms). */
function logGamma(x: number): number {
  const coefficients = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
    12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  let sum = 0.9999999999998099;
  coefficients.forEach((coefficient, i) => {
    sum += coefficient / (x + i);
  });
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Continued fraction of the incomplete beta function (modified Lentz). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guard = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 400; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return fraction;
}

/** Regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const logFactor =
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  const factor = Math.exp(logFactor);
  return x < (a + 1) / (a + b + 2)
    ? (factor * betaFraction(x, a, b)) / a
    : 1 - (factor * betaFraction(1 - x, b, a)) / b;
}

/** P(|T| > t) of Student's t with `degrees` degrees of freedom, for t >= 0. */
export function studentTTwoSided(t: number, degrees: number): number {
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/**
 * The t with P(|T| <= t) = `confidence` for Student's t with `degrees` degrees of freedom: what a
 * two-sided interval multiplies the standard error with. Exact to about 1e-10 relative.
 */
export function studentTCritical(confidence: number, degrees: number): number {
  const tail = 1 - confidence;
  let high = 1;
  while (studentTTwoSided(high, degrees) > tail) high *= 2;
  let low = 0;
  for (let i = 0; i < 200 && high - low > 1e-13 * high; i += 1) {
    const middle = (low + high) / 2;
    if (studentTTwoSided(middle, degrees) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
