import { randomStream } from '../../sim/random.ts';
import { fitAdditiveLog, type PairSpeed } from '../fit/additive-log.ts';
import { mean } from '../fit/errors.ts';
import type { Measurement, MeasurementTable } from '../measurement.ts';
import type { SchemeGoal, SchemeRow } from './scheme.ts';
import { first } from './share-rows.ts';
import { groupBy } from './sweeps.ts';

export interface PairThroughputOptions {
  /** Part of the pairs that is held out. */
  readonly heldOut: number;
  /** Seeds of as many draws of the pairs held out; errors are means over them. */
  readonly seeds: readonly number[];
  /** Weight of the penalty on the terms of a workload. */
  readonly ridge: number;
}

/** 30 % held out, ten draws, ridge 1. */
export const PAIR_THROUGHPUT_DEFAULTS: PairThroughputOptions = {
  heldOut: 0.3,
  seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  ridge: 1,
};

/** Goals by GPU type, of Gavel's pairs. */
const GOALS: Readonly<Record<string, number>> = { P100: 0.1, K80: 0.1, V100: 0.28 };
/** Part by which the error has to lie below that of the constant. */
export const SKILL = 0.4;
/** Pairs below which nothing is held out. */
const FEWEST_PAIRS = 10;

const PUBLISHED =
  'exploratory fit of this form to simulation_throughputs.json: V100 26.0 %, P100 8.7 %, K80 7.3 %; constant 47.1 %, 21.0 %, 18.7 %';

/**
 * Throughput of pairs of training jobs without limits, over that alone: part of the pairs is held out,
 * both sides, and predicted from the others by `fitAdditiveLog` (calibration C7). The jobs of a pair
 * are known from other pairs. Naive: the mean speed of the pairs that were seen.
 */
export function pairThroughputRows(
  table: MeasurementTable,
  options: Partial<PairThroughputOptions> = {},
): SchemeRow[] {
  const settings = { ...PAIR_THROUGHPUT_DEFAULTS, ...options };
  return groupBy(table.rows.filter(isPlainPair), fileKey).flatMap(([, group]) => {
    const { gpuType, source, row } = first(group);
    const pairs = groupBy(group.map(sideOf), pairKey).map(([, sides]) => sides);
    if (pairs.length < FEWEST_PAIRS) return [];
    const draws = settings.seeds.map((seed) => drawErrors(pairs, seed, settings));
    return [
      {
        what: `${gpuType} (${source}, ${fileOf(row)}), ${100 * settings.heldOut} % of ${pairs.length} pairs held out`,
        timeMape: mean(draws.map(({ ours }) => ours)),
        powerMape: null,
        worst: Math.max(...draws.map(({ ours }) => ours)),
        naiveTime: mean(draws.map(({ constant }) => constant)),
        naivePower: null,
        published: source === 'gavel' ? PUBLISHED : '',
        points: draws.reduce((sum, { points }) => sum + points, 0),
        workloads: new Set(group.map(nameOf)).size,
        goal: goalOf(source, gpuType),
      },
    ];
  });
}

function goalOf(source: string, gpuType: string): SchemeGoal {
  const timeMape = source === 'gavel' ? (GOALS[gpuType] ?? null) : null;
  const more = timeMape === null ? '' : `at least ${100 * SKILL} % below the constant`;
  return { timeMape, powerMape: null, worst: null, more };
}

function drawErrors(
  pairs: readonly (readonly PairSpeed[])[],
  seed: number,
  { heldOut, ridge }: PairThroughputOptions,
) {
  const shuffled = shuffle(pairs, randomStream(seed, 'held-out pairs'));
  const count = Math.floor(heldOut * shuffled.length);
  const asked = shuffled.slice(0, count).flat();
  const seen = shuffled.slice(count).flat();
  const predict = fitAdditiveLog(seen, ridge);
  const constant = mean(seen.map(({ speed }) => speed));
  return {
    ours: mean(
      asked.map(({ workload, other, speed }) => Math.abs(predict(workload, other) / speed - 1)),
    ),
    constant: mean(asked.map(({ speed }) => Math.abs(constant / speed - 1))),
    points: asked.length,
  };
}

/** A copy in random order (Fisher and Yates). */
function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const order = items.map((item) => ({ item, key: random() }));
  order.sort((a, b) => a.key - b.key);
  return order.map(({ item }) => item);
}

/** Two jobs on one GPU without shares, of which the speed over that alone is known. */
export function isPlainPair(row: Measurement): boolean {
  return (
    row.sharing === 'co-located' &&
    row.coRunners.length === 1 &&
    row.share === null &&
    (row.gpus ?? 1) === 1 &&
    row.relativeSpeed !== null &&
    row.relativeSpeed > 0
  );
}

const nameOf = ({ workload, batch }: { workload: string; batch: number | null }): string =>
  JSON.stringify([workload, batch]);

function sideOf(row: Measurement): PairSpeed {
  return {
    workload: nameOf(row),
    other: nameOf(first(row.coRunners)),
    speed: row.relativeSpeed ?? Number.NaN,
  };
}

function pairKey({ workload, other }: PairSpeed): string {
  return JSON.stringify([workload, other].sort());
}

/** The file that a row names before its line: two files may hold the same pairs, measured twice. */
function fileOf(row: string): string {
  return row.split(':')[0] ?? row;
}

function fileKey({ gpuType, source, row }: Measurement): string {
  return JSON.stringify([gpuType, source, fileOf(row)]);
}
