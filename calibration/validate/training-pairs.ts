import type { MeasurementTable } from '../measurement.ts';
import {
  PAIR_THROUGHPUT_DEFAULTS,
  type PairThroughputOptions,
  pairThroughputRows,
} from './pair-throughput.ts';
import type { SchemeResult } from './scheme.ts';
import {
  UNSEEN_MODEL_DEFAULTS,
  type UnseenModelOptions,
  unseenModelRows,
} from './unseen-models.ts';

export type TrainingPairOptions = PairThroughputOptions & UnseenModelOptions;

/**
 * Scheme 5: pairs of training jobs on whole GPUs. Pairs held out of a table of pairs, and pairs with
 * a model of which no pair was seen, by a linear function and by the simulator's own contention.
 */
export function validateTrainingPairs(
  table: MeasurementTable,
  options: Partial<TrainingPairOptions> = {},
): SchemeResult {
  const settings = { ...PAIR_THROUGHPUT_DEFAULTS, ...UNSEEN_MODEL_DEFAULTS, ...options };
  const models = unseenModelRows(table, settings);
  return {
    name: '5. Pairs of training jobs',
    goal: { timeMape: null, powerMape: null, worst: null, more: '' },
    rows: [...pairThroughputRows(table, settings), ...models.rows],
    notes: [
      `Held-out pairs: ${100 * settings.heldOut} % of the pairs with both sides, means over ${settings.seeds.length} draws; worst is the worst draw. log(speed) = c + u(job) + v(other), ridge ${settings.ridge}. Naive: the mean speed of the pairs seen.`,
      'Models never seen: each model is held out in turn with all pairs that it is in, which are predicted from utilisations alone by fits to the others; worst is the worst model.',
      'Simulator: shares of 100 %, busy for the GPU utilisation, no interference terms; two numbers for all jobs (SM demand of busy time at full utilisation, and how it falls with the utilisation) are fitted on the pairs seen. The form of the contention was chosen with all pairs of this set in view.',
      'Mean speed by summed utilisation: the difference of the means, as a fraction of the speed alone, in the time column.',
      ...models.notes,
    ],
  };
}
