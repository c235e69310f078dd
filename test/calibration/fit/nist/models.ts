/**
 * The models of the NIST StRD nonlinear regression problems (www.itl.nist.gov/div898/strd/nls), each
 * `(b, x) => y`. The data and certified values beside them are works of the United States government.
 */
export type StrdModel = (b: readonly number[], x: readonly number[]) => number;

const n = (values: readonly number[], index: number): number => {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no element ${index} of ${values.length}`);
  return value;
};

const threeExponentials: StrdModel = (b, [x = 0]) =>
  n(b, 0) * Math.exp(-n(b, 1) * x) +
  n(b, 2) * Math.exp(-n(b, 3) * x) +
  n(b, 4) * Math.exp(-n(b, 5) * x);

const twoGaussians: StrdModel = (b, [x = 0]) =>
  n(b, 0) * Math.exp(-n(b, 1) * x) +
  n(b, 2) * Math.exp(-(((x - n(b, 3)) / n(b, 4)) ** 2)) +
  n(b, 5) * Math.exp(-(((x - n(b, 6)) / n(b, 7)) ** 2));

const decayOverLine: StrdModel = (b, [x = 0]) => Math.exp(-n(b, 0) * x) / (n(b, 1) + n(b, 2) * x);

const saturating: StrdModel = (b, [x = 0]) => n(b, 0) * (1 - Math.exp(-n(b, 1) * x));

const cubicOverCubic: StrdModel = (b, [x = 0]) =>
  (n(b, 0) + x * (n(b, 1) + x * (n(b, 2) + x * n(b, 3)))) /
  (1 + x * (n(b, 4) + x * (n(b, 5) + x * n(b, 6))));

const wave = (x: number, period: number, cosine: number, sine: number): number => {
  const angle = (2 * Math.PI * x) / period;
  return cosine * Math.cos(angle) + sine * Math.sin(angle);
};

export const STRD_MODELS: Readonly<Record<string, StrdModel>> = {
  Bennett5: (b, [x = 0]) => n(b, 0) * (n(b, 1) + x) ** (-1 / n(b, 2)),
  BoxBOD: saturating,
  Chwirut1: decayOverLine,
  Chwirut2: decayOverLine,
  DanWood: (b, [x = 0]) => n(b, 0) * x ** n(b, 1),
  ENSO: (b, [x = 0]) =>
    n(b, 0) +
    wave(x, 12, n(b, 1), n(b, 2)) +
    wave(x, n(b, 3), n(b, 4), n(b, 5)) +
    wave(x, n(b, 6), n(b, 7), n(b, 8)),
  Eckerle4: (b, [x = 0]) => (n(b, 0) / n(b, 1)) * Math.exp(-0.5 * ((x - n(b, 2)) / n(b, 1)) ** 2),
  Gauss1: twoGaussians,
  Gauss2: twoGaussians,
  Gauss3: twoGaussians,
  Hahn1: cubicOverCubic,
  Kirby2: (b, [x = 0]) =>
    (n(b, 0) + x * (n(b, 1) + x * n(b, 2))) / (1 + x * (n(b, 3) + x * n(b, 4))),
  Lanczos1: threeExponentials,
  Lanczos2: threeExponentials,
  Lanczos3: threeExponentials,
  MGH09: (b, [x = 0]) => (n(b, 0) * (x * x + x * n(b, 1))) / (x * x + x * n(b, 2) + n(b, 3)),
  MGH10: (b, [x = 0]) => n(b, 0) * Math.exp(n(b, 1) / (x + n(b, 2))),
  MGH17: (b, [x = 0]) =>
    n(b, 0) + n(b, 1) * Math.exp(-x * n(b, 3)) + n(b, 2) * Math.exp(-x * n(b, 4)),
  Misra1a: saturating,
  Misra1b: (b, [x = 0]) => n(b, 0) * (1 - (1 + (n(b, 1) * x) / 2) ** -2),
  Misra1c: (b, [x = 0]) => n(b, 0) * (1 - (1 + 2 * n(b, 1) * x) ** -0.5),
  Misra1d: (b, [x = 0]) => (n(b, 0) * n(b, 1) * x) / (1 + n(b, 1) * x),
  // Stated for the logarithm of the response.
  Nelson: (b, [x1 = 0, x2 = 0]) => n(b, 0) - n(b, 1) * x1 * Math.exp(-n(b, 2) * x2),
  Rat42: (b, [x = 0]) => n(b, 0) / (1 + Math.exp(n(b, 1) - n(b, 2) * x)),
  Rat43: (b, [x = 0]) => n(b, 0) / (1 + Math.exp(n(b, 1) - n(b, 2) * x)) ** (1 / n(b, 3)),
  Roszman1: (b, [x = 0]) => n(b, 0) - n(b, 1) * x - Math.atan(n(b, 2) / (x - n(b, 3))) / Math.PI,
  Thurber: cubicOverCubic,
};
