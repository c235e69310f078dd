import type { GpuFacts } from './gpu-facts.ts';
import { CAPTURED_GPUS } from './gpus-captured.ts';
import { FITTED_GPUS } from './gpus-fitted.ts';
import { SHEET_GPUS } from './gpus-sheet.ts';

/**
 * GPU types as data sheets and real `nvidia-smi` captures have them: each value with its source. What
 * the fits add is not here.
 */
export const GPU_FACTS: readonly GpuFacts[] = [...FITTED_GPUS, ...CAPTURED_GPUS, ...SHEET_GPUS];
