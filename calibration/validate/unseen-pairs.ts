import type { GpuType } from '../../sim/gpu/profile.ts';
import { mean } from '../fit/errors.ts';
import { fitShareWorkload } from '../fit/share-workload.ts';
import type { Measurement, MeasurementTable } from '../measurement.ts';
import { plainGpu } from './plain-gpu.ts';
import type { SchemeRow } from './scheme.ts';
import { relativeErrors } from './score.ts';
import {
  type AloneKnowledge,
  aloneStepS,
  fitPairTerms,
  type PairSide,
  pairKey,
  type SharePair,
  simulatedStepS,
} from './share-pairs.ts';
import { largestSeries, shareGroups, sharePowers } from './share-rows.ts';
import { groupBy } from './sweeps.ts';

export interface UnseenPairOptions {
  /** GPU types with voltage curve, limits and context level; without its own a pair never throttles. */
  readonly gpuTypes: readonly GpuType[];
}

const PUBLISHED =
  'exploratory fits, all six pairs: 3.54 % with four linear terms, 3.66 % with a constant, 8.40 % with none';

/**
 * Latency of pairs of workloads under MPS shares that were never seen together, end to end: times and
 * powers alone, the simulator's sharing, bandwidth and power cap, and interference learned on all
 * other pairs of workloads. Each pair of workloads is held out in turn.
 *
 * Naive: the time alone times the mean slowdown of the other pairs.
 */
export function unseenPairRows(
  table: MeasurementTable,
  options: Partial<UnseenPairOptions> = {},
): { readonly rows: SchemeRow[]; readonly notes: string[] } {
  const rows: SchemeRow[] = [];
  const notes: string[] = [];
  const measured = table.rows.filter(isSharePair);
  for (const [, group] of groupBy(measured, groupKey)) {
    const { gpuType, source } = group[0] ?? { gpuType: '', source: '' };
    const type = options.gpuTypes?.find(({ name }) => name === gpuType);
    const known = knowledgeOf(table.rows, type ?? plainGpu(gpuType), type !== undefined);
    const pairs = sharePairs(group).filter(
      ({ me, other }) => known.workloads.has(me.workload) && known.workloads.has(other.workload),
    );
    const lost = group.length - pairs.length;
    if (lost > 0) notes.push(`${gpuType} (${source}): ${lost} sides of pairs not known alone`);
    if (type === undefined) {
      notes.push(`${gpuType}: no voltage curve and power limit given, so that no pair throttles`);
    }
    const keys = [...new Set(pairs.map(pairKey))];
    if (keys.length < 2) continue;
    const folds = keys.map((key) => foldOf(known, pairs, key));
    const strengths = [...new Set(folds.map(({ shrinkage }) => shrinkage))];
    const shrinkage = strengths.map((it) => (it === Infinity ? 'one term for all pairs' : it));
    const none = 100 * mean(folds.map((fold) => fold.none));
    notes.push(
      `${gpuType} (${source}): interference as chosen within the other pairs, by shrinkage: ${shrinkage.join(', ')}. Times alone, without interference and throttling: ${none.toFixed(2)} %.`,
    );
    rows.push({
      what: `${gpuType} (${source}), pairs of models never seen together, end to end`,
      timeMape: mean(folds.map(({ ours }) => ours)),
      powerMape: null,
      worst: Math.max(...folds.map(({ ours }) => ours)),
      naiveTime: mean(folds.map(({ constant }) => constant)),
      naivePower: null,
      published: PUBLISHED,
      points: pairs.length,
      workloads: known.workloads.size,
      goal: { timeMape: 0.04, powerMape: null, worst: null, more: 'not above the naive predictor' },
    });
  }
  return { rows, notes };
}

interface Fold {
  readonly ours: number;
  readonly constant: number;
  readonly none: number;
  readonly shrinkage: number;
}

function foldOf(known: AloneKnowledge, pairs: readonly SharePair[], key: string): Fold {
  const seen = pairs.filter((pair) => pairKey(pair) !== key);
  const asked = pairs.filter((pair) => pairKey(pair) === key);
  const { terms, shrinkage } = fitPairTerms(known, seen);
  const constant = mean(seen.map(({ slowdown }) => slowdown));
  const errorOf = (predict: (pair: SharePair) => number): number =>
    mean(
      relativeErrors(
        asked.map(({ stepS }) => stepS),
        asked.map(predict),
      ),
    );
  return {
    ours: errorOf((pair) => simulatedStepS(known, pair, terms)),
    constant: errorOf((pair) => aloneStepS(known, pair.me) * constant),
    none: errorOf((pair) => aloneStepS(known, pair.me)),
    shrinkage,
  };
}

/** All that the table says of workloads alone on a GPU type. */
export function knowledgeOf(
  rows: readonly Measurement[],
  type: GpuType,
  withPower: boolean,
): AloneKnowledge {
  const powers = withPower ? sharePowers(rows, type.name) : new Map<string, never[]>();
  const workloads = new Map(
    [...largestSeries(shareGroups(rows), type.name)].map(([workload, { times }]) => [
      workload,
      fitShareWorkload(times, powers.get(workload) ?? [], type.contextPowerW),
    ]),
  );
  return { type, workloads };
}

function groupKey({ gpuType, source }: Measurement): string {
  return JSON.stringify([gpuType, source]);
}

function isSharePair(row: Measurement): boolean {
  return (
    row.sharing === 'mps' &&
    row.coRunners.length === 1 &&
    row.share !== null &&
    row.coRunners[0]?.share != null &&
    row.stepS !== null &&
    row.relativeSpeed !== null
  );
}

function sharePairs(rows: readonly Measurement[]): SharePair[] {
  const bandwidths = new Map(
    rows.map(({ workload, batch, share, bandwidth }) => [
      JSON.stringify([workload, batch, share]),
      bandwidth,
    ]),
  );
  const sideOf = (workload: string, batch: number | null, share: number | null): PairSide => ({
    workload,
    batch: batch ?? 1,
    share: share ?? 1,
    bandwidth: bandwidths.get(JSON.stringify([workload, batch, share])) ?? 0,
  });
  return rows.flatMap(({ workload, batch, share, coRunners, stepS, relativeSpeed }) => {
    const [other] = coRunners;
    if (other === undefined || stepS === null || relativeSpeed === null) return [];
    return [
      {
        me: sideOf(workload, batch, share),
        other: sideOf(other.workload, other.batch, other.share),
        stepS,
        slowdown: 1 / relativeSpeed,
      },
    ];
  });
}
