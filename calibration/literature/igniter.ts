/**
 * iGniter's latency model and provisioning (Xu et al., IEEE TPDS 2023, arXiv 2211.01713), to check our
 * reading of it on the example of its documentation. Latencies in milliseconds, shares in percent of
 * the SMs, as the paper has them.
 */
export interface IgniterGpu {
  readonly clockMhz: number;
  readonly capW: number;
  readonly idleW: number;
  /** Clock lost per watt of demand above the cap; negative. */
  readonly clockPerW: number;
  /** Scheduling delay of a kernel beside others: `perJob * n + constant`, in ms, for n >= 2 jobs. */
  readonly delay: { readonly perJobMs: number; readonly constantMs: number };
  readonly bytesPerMs: number;
  /** Smallest step of a share. */
  readonly unit: number;
}

/** A model as iGniter profiles it. */
export interface IgniterModel {
  readonly name: string;
  /** `k1..k5` of the active time `(k1 b^2 + k2 b + k3) / (r + k4) + k5`. */
  readonly active: readonly [number, number, number, number, number];
  /** Growth of the active time per percent of the others' L2 demand. */
  readonly cacheSlope: number;
  /** Power and L2 demand, linear in the rate `1000 b / active time`. */
  readonly power: readonly [slope: number, constant: number];
  readonly l2: readonly [slope: number, constant: number];
  readonly kernels: number;
  readonly idleMs: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
}

export interface IgniterWorkload {
  readonly model: IgniterModel;
  readonly ratePerS: number;
  readonly sloMs: number;
}

/** A workload placed with a batch size and a share. */
export interface IgniterPlacement {
  readonly workload: IgniterWorkload;
  readonly batch: number;
  readonly share: number;
}

/** The V100 of the paper, coefficients from its released profile. */
export const IGNITER_V100: IgniterGpu = {
  clockMhz: 1530,
  capW: 300,
  idleW: 53.5,
  clockPerW: -1.02541364,
  delay: { perJobMs: 0.00475065, constantMs: -0.00902243 },
  bytesPerMs: 1e7,
  unit: 2.5,
};

/** Models of the paper on the V100; coefficients fitted to its released profile. */
export const IGNITER_MODELS = {
  alexnet: {
    name: 'alexnet',
    active: [0.0042, 8.7116, 23.7361, 0.0555, 0.346],
    cacheSlope: 0.00238,
    power: [0.0239, 37.1081],
    l2: [0.00309, 2.02957],
    kernels: 20,
    idleMs: 0.0318,
    inputBytes: 602_112,
    outputBytes: 4000,
  },
  resnet50: {
    name: 'resnet50',
    active: [-0.0175, 58.2645, -0.0119, 0.3449, 1.9095],
    cacheSlope: 0.00216,
    power: [0.1623, 4.6269],
    l2: [0.02196, -0.18994],
    kernels: 80,
    idleMs: 0.0738,
    inputBytes: 602_112,
    outputBytes: 4000,
  },
  vgg19: {
    name: 'vgg19',
    active: [-0.0048, 158.193, 44.4521, 0.1884, 0.9262],
    cacheSlope: 0.00202,
    power: [0.5367, 2.0819],
    l2: [0.04522, 2.72282],
    kernels: 29,
    idleMs: 0.0392,
    inputBytes: 602_112,
    outputBytes: 4000,
  },
  ssd: {
    name: 'ssd',
    active: [0.0252, 235.8469, -16.7816, 0.2643, 3.417],
    cacheSlope: 0.00228,
    power: [0.6449, 2.3393],
    l2: [0.08863, -0.12859],
    kernels: 93,
    idleMs: 0.1479,
    inputBytes: 1_080_000,
    outputBytes: 2_968_880,
  },
} as const satisfies Readonly<Record<string, IgniterModel>>;

/** The example of the documentation: one V100 with shares of 10, 30 and 37.5 %. */
export const IGNITER_EXAMPLE: readonly IgniterWorkload[] = [
  { model: IGNITER_MODELS.alexnet, ratePerS: 500, sloMs: 15 },
  { model: IGNITER_MODELS.resnet50, ratePerS: 400, sloMs: 40 },
  { model: IGNITER_MODELS.vgg19, ratePerS: 200, sloMs: 60 },
];

function activeMs({ active: [k1, k2, k3, k4, k5] }: IgniterModel, b: number, r: number): number {
  return (k1 * b * b + k2 * b + k3) / (r + k4) + k5;
}

/** Predicted latencies of workloads together on one GPU, in ms. */
export function predictLatencies(
  placements: readonly IgniterPlacement[],
  gpu: IgniterGpu,
): number[] {
  const n = placements.length;
  const delayMs = n < 2 ? 0 : gpu.delay.perJobMs * n + gpu.delay.constantMs;
  const alone = placements.map(({ workload: { model }, batch, share }) => {
    const ms = activeMs(model, batch, share);
    const rate = (1000 * batch) / ms;
    return {
      ms,
      powerW: model.power[0] * rate + model.power[1],
      l2: model.l2[0] * rate + model.l2[1],
    };
  });
  const powerW = alone.reduce((sum, one) => sum + one.powerW, gpu.idleW);
  const l2 = alone.reduce((sum, one) => sum + one.l2, 0);
  const overW = Math.max(0, powerW - gpu.capW);
  const clock = 1 + (gpu.clockPerW * overW) / gpu.clockMhz;
  return placements.map(({ workload: { model }, batch }, i) => {
    const { ms, l2: own } = alone[i] ?? { ms: Number.NaN, l2: 0 };
    const idleMs = model.kernels * delayMs + model.idleMs;
    const busyMs = ms * (1 + model.cacheSlope * (l2 - own));
    const transferMs = ((model.inputBytes + model.outputBytes) * batch) / gpu.bytesPerMs;
    return (idleMs + busyMs) / clock + transferMs;
  });
}

/**
 * iGniter's provisioning: half of each objective is left for queueing; the batch size covers the rate;
 * the least share meets the objective alone. In the order of falling least shares, each workload
 * goes to the GPU where it costs the least additional share, everyone's share being raised by one
 * unit while a predicted latency breaks its objective; where it does not fit, to a new GPU.
 *
 * @throws {RangeError} when a workload needs more than a whole GPU
 */
export function provision(
  workloads: readonly IgniterWorkload[],
  gpu: IgniterGpu,
): IgniterPlacement[][] {
  const least = workloads.map((workload) => leastShare(workload, gpu));
  least.sort((a, b) => b.share - a.share);
  const gpus: IgniterPlacement[][] = [];
  for (const placement of least) {
    let bestAt = -1;
    let bestAdded = Number.POSITIVE_INFINITY;
    let best: IgniterPlacement[] = [placement];
    gpus.forEach((residents, i) => {
      const raised = raiseShares([...residents, placement], gpu);
      const added = total(raised) - total(residents);
      if (total(raised) > 100 || added >= bestAdded) return;
      [bestAt, bestAdded, best] = [i, added, raised];
    });
    if (bestAt < 0) gpus.push([placement]);
    else gpus[bestAt] = best;
  }
  return gpus;
}

function leastShare(workload: IgniterWorkload, gpu: IgniterGpu): IgniterPlacement {
  const { model, ratePerS, sloMs } = workload;
  const { bytesPerMs, unit } = gpu;
  const halfMs = sloMs / 2;
  const perMs = ratePerS / 1000;
  const batch = Math.ceil((halfMs * perMs * bytesPerMs) / (bytesPerMs + model.inputBytes * perMs));
  const [k1, k2, k3, k4, k5] = model.active;
  const transferMs = (batch * (model.inputBytes + model.outputBytes)) / bytesPerMs;
  const roomMs = halfMs - model.idleMs - transferMs - k5;
  const share = (k1 * batch * batch + k2 * batch + k3) / roomMs - k4;
  const rounded = Math.ceil(share / unit) * unit;
  if (!(roomMs > 0 && rounded <= 100)) {
    throw new RangeError(
      `expected an objective that ${model.name} can meet on one gpu, found ${sloMs} ms at ${ratePerS} requests a second`,
    );
  }
  return { workload, batch, share: Math.max(unit, rounded) };
}

function raiseShares(placements: readonly IgniterPlacement[], gpu: IgniterGpu): IgniterPlacement[] {
  let current = [...placements];
  while (total(current) <= 100) {
    const latencies = predictLatencies(current, gpu);
    const isLate = current.map(
      ({ workload }, i) => (latencies[i] ?? Number.NaN) > workload.sloMs / 2,
    );
    if (!isLate.some(Boolean)) break;
    current = current.map((one, i) =>
      isLate[i] === true ? { ...one, share: one.share + gpu.unit } : one,
    );
  }
  return current;
}

function total(placements: readonly IgniterPlacement[]): number {
  return placements.reduce((sum, { share }) => sum + share, 0);
}
