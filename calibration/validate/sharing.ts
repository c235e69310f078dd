import type { MeasurementTable } from '../measurement.ts';
import {
  COLOCATED_DEFAULTS,
  type ColocatedPowerOptions,
  colocatedPowerRows,
} from './colocated-power.ts';
import type { SchemeResult } from './scheme.ts';
import { SHARE_DEFAULTS, type ShareOptions, unseenShareRows } from './shares.ts';
import { type UnseenPairOptions, unseenPairRows } from './unseen-pairs.ts';

export type SharingOptions = ShareOptions & UnseenPairOptions & ColocatedPowerOptions;

/**
 * Scheme 4: MPS shares. Latency at shares that were not seen, pairs of models that were never seen
 * together, and power and clock of jobs together from one alone. The GPU types of the options are the
 * simulator's; without them nothing throttles and only the published throttle is shown.
 */
export function validateSharing(
  table: MeasurementTable,
  options: Partial<SharingOptions> = {},
): SchemeResult {
  const settings = { ...SHARE_DEFAULTS, ...COLOCATED_DEFAULTS, ...options };
  const shares = settings.seenShares.map((share) => `${Math.round(100 * share)} %`).join(', ');
  const pairs = unseenPairRows(table, settings);
  return {
    name: '4. MPS shares, pairs and co-location',
    goal: { timeMape: null, powerMape: null, worst: null, more: '' },
    rows: [
      ...unseenShareRows(table, settings),
      ...pairs.rows,
      ...colocatedPowerRows(table, settings),
    ],
    notes: [
      `Unseen shares: all batches of a model are fitted together at the shares ${shares}, and asked for the others. Naive: inverse to the share.`,
      'Pairs: each pair of models is held out in turn; latency is that of the fits alone, shared, throttled and slowed by the interference of the other pairs. Naive: times the mean slowdown of the other pairs.',
      'Together: from the power of one job alone at that share. Naive: whole powers added up under the limit, and a clock that never falls.',
      ...pairs.notes,
    ],
  };
}
