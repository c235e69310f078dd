import { mean } from '../fit/errors.ts';
import { fitShareWorkload, type ShareTime } from '../fit/share-workload.ts';
import { batchStepTimeS } from '../fit/step-time.ts';
import type { MeasurementTable } from '../measurement.ts';
import type { SchemeRow } from './scheme.ts';
import { relativeErrors } from './score.ts';
import { type ShareSeries, shareGroups } from './share-rows.ts';
import { groupBy } from './sweeps.ts';

export interface ShareOptions {
  /** Shares that the fit sees; all others are asked for. */
  readonly seenShares: readonly number[];
}

/** The shares that are seen: 20, 50, 80 and 100 %. */
export const SHARE_DEFAULTS: ShareOptions = { seenShares: [0.2, 0.5, 0.8, 1] };

/** A fit of two terms in the share needs more shares than that. */
const FEWEST_SHARES = 3;

const PUBLISHED = 'iGniter’s own form 1.4..2.9 % in sample; exploratory fit of this one 1.2..1.8 %';

/**
 * Latency under MPS shares that the fit did not see (calibration C6), all batches of a workload
 * fitted together. Naive: inverse to the share, scaled to the shares seen at the same batch.
 */
export function unseenShareRows(
  table: MeasurementTable,
  options: Partial<ShareOptions> = {},
): SchemeRow[] {
  const { seenShares } = { ...SHARE_DEFAULTS, ...options };
  const isSeen = ({ share }: ShareTime): boolean =>
    seenShares.some((seen) => Math.abs(seen - share) < 1e-9);
  return shareGroups(table.rows).flatMap(({ gpuType, source, series }) => {
    const usable = series
      .map((each) => split(each, isSeen))
      .filter(({ seen, asked }) => {
        const shares = new Set(seen.map(({ share }) => share)).size;
        return shares >= FEWEST_SHARES && asked.length > 0;
      });
    if (usable.length === 0) return [];
    const errors = usable.map(({ seen, asked }) => mean(fitErrors(seen, asked)));
    return [
      {
        what: `${gpuType} (${source}), latency at unseen shares`,
        timeMape: mean(errors),
        powerMape: null,
        worst: Math.max(...errors),
        naiveTime: mean(usable.map(({ seen, asked }) => mean(inverseErrors(seen, asked)))),
        naivePower: null,
        published: PUBLISHED,
        points: usable.reduce((sum, { asked }) => sum + asked.length, 0),
        workloads: usable.length,
        goal: { timeMape: 0.025, powerMape: null, worst: null, more: '' },
      },
    ];
  });
}

interface Split {
  readonly seen: readonly ShareTime[];
  readonly asked: readonly ShareTime[];
}

function split({ times }: ShareSeries, isSeen: (point: ShareTime) => boolean): Split {
  return { seen: times.filter(isSeen), asked: times.filter((point) => !isSeen(point)) };
}

function fitErrors(seen: readonly ShareTime[], asked: readonly ShareTime[]): number[] {
  const { time } = fitShareWorkload(seen, [], 0);
  return relativeErrors(
    asked.map(({ stepS }) => stepS),
    asked.map(({ batch, share }) => batchStepTimeS(time, { x: 1, xm: 1, share, batch })),
  );
}

/** Errors of `s / share` with the s of the least squares of relative errors at the batch. */
function inverseErrors(seen: readonly ShareTime[], asked: readonly ShareTime[]): number[] {
  const scales = new Map(
    groupBy(seen, ({ batch }) => String(batch)).map(([batch, points]) => {
      const ratios = points.map(({ share, stepS }) => 1 / (share * stepS));
      const squares = ratios.reduce((sum, ratio) => sum + ratio * ratio, 0);
      return [batch, ratios.reduce((sum, ratio) => sum + ratio, 0) / squares];
    }),
  );
  const usable = asked.filter(({ batch }) => scales.has(String(batch)));
  return relativeErrors(
    usable.map(({ stepS }) => stepS),
    usable.map(({ batch, share }) => (scales.get(String(batch)) ?? Number.NaN) / share),
  );
}
