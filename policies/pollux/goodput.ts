/** Fitted performance of a job (Pollux, OSDI 2021, equations 9 to 12; adaptdl `PerfParams`), in seconds. */
export interface PerformanceModel {
  /** Gradient of a batch of `b` examples on one replica: `alphaC + betaC b`. */
  readonly alphaC: number;
  readonly betaC: number;
  /** Synchronisation over nodes: `alphaN + betaN (replicas - 2)`. */
  readonly alphaN: number;
  readonly betaN: number;
  /** The same within a node. */
  readonly alphaR: number;
  readonly betaR: number;
  /** Overlap of computing and synchronisation: 1 none, large complete. */
  readonly gamma: number;
}

/** Noise of the gradient: its squared norm and its variance at the initial batch size. */
export interface GradientNoise {
  readonly squaredNorm: number;
  readonly variance: number;
}

/** A job as Pollux models it. */
export interface GoodputModel {
  readonly performance: PerformanceModel;
  readonly noise: GradientNoise;
  readonly initialBatchSize: number;
}

/** How a job runs: replicas over nodes, examples a replica takes at once, further gradient steps. */
export interface RunConfig {
  readonly nodes: number;
  readonly replicas: number;
  readonly atomicBatchSize: number;
  readonly accumulationSteps: number;
}

/** Least synchronisation time, which keeps its logarithm finite. */
const LEAST_S = 1e-8;

/** Examples per second. */
export function throughput(model: PerformanceModel, config: RunConfig): number {
  const { nodes, replicas, atomicBatchSize, accumulationSteps } = config;
  const gradientS = model.alphaC + model.betaC * atomicBatchSize;
  const synchronisationS = synchronisationTimeS(model, nodes, replicas);
  const { gamma } = model;
  const lastS = (gradientS ** gamma + synchronisationS ** gamma) ** (1 / gamma);
  const steps = accumulationSteps + 1;
  return (replicas * atomicBatchSize * steps) / (accumulationSteps * gradientS + lastS);
}

function synchronisationTimeS(model: PerformanceModel, nodes: number, replicas: number): number {
  const beyond = Math.max(replicas - 2, LEAST_S);
  if (nodes > 1) return model.alphaN + model.betaN * beyond;
  if (replicas > 1) return model.alphaR + model.betaR * beyond;
  return LEAST_S;
}

/** Progress of an example in a batch of this size, against one at the initial batch size; at most 1. */
export function efficiency(model: GoodputModel, batchSize: number): number {
  const { squaredNorm, variance } = model.noise;
  const scale = batchSize / model.initialBatchSize;
  const gain = (variance + squaredNorm) / (variance / scale + squaredNorm);
  return gain / scale;
}

/** Useful examples per second. */
export function goodput(model: GoodputModel, config: RunConfig): number {
  const { replicas, atomicBatchSize, accumulationSteps } = config;
  const batchSize = replicas * atomicBatchSize * (accumulationSteps + 1);
  return throughput(model.performance, config) * efficiency(model, batchSize);
}

/** Limits of a search for the batch size of most goodput. */
export interface BatchLimits {
  readonly maxBatchSize: number;
  readonly minAtomicBatchSize: number;
  readonly maxAtomicBatchSize: number;
  /** Whether gradients may be accumulated over several steps. */
  readonly accumulation: boolean;
}

/** A batch size, as examples a replica takes at once and further steps, and its goodput. */
export interface BestBatch {
  readonly goodput: number;
  readonly atomicBatchSize: number;
  readonly accumulationSteps: number;
}

/** Batch sizes that are tried. */
const SIZES = 50;
const EPSILON = 1e-8;

/**
 * The batch size of most goodput on so many replicas: the best of 50 total sizes, evenly spaced on a
 * logarithmic scale from the initial one (or the least that the replicas can take) to the largest; the
 * first of equals (adaptdl `GoodputFunction.optimize`).
 */
export function bestBatch(
  model: GoodputModel,
  nodes: number,
  replicas: number,
  limits: BatchLimits,
): BestBatch {
  const { maxBatchSize, minAtomicBatchSize, maxAtomicBatchSize } = limits;
  const least = Math.max(model.initialBatchSize, minAtomicBatchSize * replicas);
  let best: BestBatch | null = null;
  for (let i = 0; i < SIZES; i += 1) {
    const total = least * (maxBatchSize / least) ** (i / (SIZES - 1));
    const { size, steps } = splitBatch(model, total, replicas, limits);
    const atomicBatchSize = Math.min(Math.max(size, minAtomicBatchSize), maxAtomicBatchSize);
    const config = { nodes, replicas, atomicBatchSize, accumulationSteps: steps };
    const value = goodput(model, config);
    if (best !== null && value <= best.goodput) continue;
    best = { goodput: value, atomicBatchSize, accumulationSteps: steps };
  }
  return best as BestBatch;
}

function splitBatch(
  model: GoodputModel,
  total: number,
  replicas: number,
  { maxAtomicBatchSize, accumulation }: BatchLimits,
): { readonly size: number; readonly steps: number } {
  const each = total / replicas;
  const alone = replicas === 1;
  if (!accumulation) {
    // One replica without accumulation cannot measure the noise of another batch size.
    return { size: alone ? model.initialBatchSize : Math.ceil(each - EPSILON), steps: 0 };
  }
  let steps = Math.max(Math.ceil(each / maxAtomicBatchSize - EPSILON) - 1, 0);
  if (alone && total > model.initialBatchSize + EPSILON) steps = Math.max(steps, 1);
  return { size: Math.ceil(each / (steps + 1) - EPSILON), steps };
}

/** Goodput on so many replicas over that on one; 0 for none (Pollux, equation 15). */
export function speedup(
  model: GoodputModel,
  nodes: number,
  replicas: number,
  limits: BatchLimits,
): number {
  if (replicas === 0) return 0;
  const alone = bestBatch(model, 1, 1, limits).goodput;
  return bestBatch(model, nodes, replicas, limits).goodput / alone;
}
