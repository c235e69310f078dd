import { GPUS, RowError } from '../csv/row.ts';

/** GPUs a job needs together, and the part of each that it asks for. */
export interface Gang {
  readonly gpuCount: number;
  /** In (0, 1]. */
  readonly share: number;
}

/** Requests this close to a whole number of GPUs are meant to be it: 2.0000000000000004. */
const WHOLE_GPU_TOLERANCE = 1e-9;

/**
 * The gang of `workers` alike, each asking for `gpusPerWorker`, which may be a fraction: up to one GPU
 * it is the share of one; above, of the next whole number of GPUs. Null when it comes to no GPU.
 * @throws {RowError} when the gang is larger than any that traces have
 */
export function gangOf(workers: number, gpusPerWorker: number): Gang | null {
  if (workers === 0 || gpusPerWorker === 0) return null;
  const rounded = Math.round(gpusPerWorker);
  const whole = rounded > 0 && Math.abs(gpusPerWorker - rounded) <= WHOLE_GPU_TOLERANCE;
  const gpus = whole ? rounded : Math.ceil(gpusPerWorker);
  const gpuCount = workers * gpus;
  if (gpuCount > GPUS.max) {
    throw new RowError(null, `asks for ${gpuCount} GPUs; expected at most ${GPUS.max}`);
  }
  return { gpuCount, share: whole ? 1 : gpusPerWorker / gpus };
}
