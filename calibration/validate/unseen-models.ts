import { mean } from '../fit/errors.ts';
import { fitSmDemand, structuralPredictor } from '../fit/sm-demand.ts';
import { fitLinearInUtilisation, type UtilisationPredictor } from '../fit/utilisation-speed.ts';
import type { MeasurementTable } from '../measurement.ts';
import type { SchemeGoal, SchemeRow } from './scheme.ts';
import { type KnownPair, type KnownPairs, knownPairs, sidesOf } from './utilisation-pairs.ts';

/** Upper ends of the bins of summed GPU utilisation alone, and what Lucid's pairs have there. */
export const UTILISATION_BINS = [0.5, 0.75, 1, 1.25, 1.5, Infinity] as const;

const NO_GOAL: SchemeGoal = { timeMape: null, powerMape: null, worst: null, more: '' };
const MODEL_GOAL: SchemeGoal = { ...NO_GOAL, timeMape: 0.09 };
const BIN_GOAL: SchemeGoal = { ...NO_GOAL, timeMape: 0.03, more: 'difference, not relative' };
const FEWEST_MODELS = 4;

const PUBLISHED =
  'exploratory linear fit without speeds above 1.05: 8.0 % mean over models (4.2..11.9 %)';

export interface UnseenModelOptions {
  /** Speed above which a measurement counts as noise: no job runs faster than alone. */
  readonly noiseAbove: number;
}

/** As in the exploratory fits of the set: more than 5 % faster than alone is noise. */
export const UNSEEN_MODEL_DEFAULTS: UnseenModelOptions = { noiseAbove: 1.05 };

/** A pair with what fits predict for both of its sides that did not see the model held out. */
interface Predicted {
  readonly heldOut: string;
  readonly pair: KnownPair;
  readonly structural: readonly [number, number];
  readonly linear: readonly [number, number];
  /** The linear function, fitted without what counts as noise. */
  readonly linearClean: readonly [number, number];
  readonly constant: number;
}

/**
 * Training jobs side by side of which one is of a model that was never seen beside others, from GPU
 * and memory utilisation alone: by the simulator (`mps`, 100 % each, no interference terms; the SM
 * demand of busy time by the law of `fitSmDemand`), and by a linear function of the utilisations
 * (calibration C7, Lucid). Each model is held out in turn, with all pairs that it is in; errors by
 * model, over both sides of its pairs; then the mean speed by summed utilisation, where a pair counts
 * with the mean of what is predicted without the one and without the other model.
 *
 * Naive: the mean speed of the pairs that were seen.
 */
export function unseenModelRows(
  table: MeasurementTable,
  options: Partial<UnseenModelOptions> = {},
): { readonly rows: SchemeRow[]; readonly notes: string[] } {
  const { noiseAbove } = { ...UNSEEN_MODEL_DEFAULTS, ...options };
  const rows: SchemeRow[] = [];
  const notes: string[] = [];
  for (const known of knownPairs(table.rows)) {
    const models = [...new Set(known.pairs.flatMap((pair) => pair.models))].sort();
    if (models.length < FEWEST_MODELS) continue;
    const predicted = models.flatMap((model) => predictUnseen(known, model, noiseAbove));
    rows.push(...modelRows(known, models, predicted, noiseAbove), ...binRows(known, predicted));
    if (known.lost > 0) {
      notes.push(`${known.gpuType} (${known.source}): ${known.lost} sides without both jobs alone`);
    }
  }
  return { rows, notes };
}

function predictUnseen(
  { pairs, type }: KnownPairs,
  heldOut: string,
  noiseAbove: number,
): Predicted[] {
  const seen = pairs.filter(({ models }) => !models.includes(heldOut));
  const asked = pairs.filter(({ models }) => models.includes(heldOut));
  const sides = seen.flatMap(sidesOf);
  const structural = structuralPredictor(type, fitSmDemand(type, seen));
  const linear = fitLinearInUtilisation(sides);
  const linearClean = fitLinearInUtilisation(sides.filter(({ speed }) => speed <= noiseAbove));
  const constant = mean(sides.map(({ speed }) => speed));
  return asked.map((pair) => ({
    heldOut,
    pair,
    structural: bothSides(structural, pair),
    linear: bothSides(linear, pair),
    linearClean: bothSides(linearClean, pair),
    constant,
  }));
}

type SpeedsOf = (each: Predicted) => readonly [number, number];

function bothSides(predict: UtilisationPredictor, { jobs }: KnownPair): [number, number] {
  return [predict(jobs[0], jobs[1]), predict(jobs[1], jobs[0])];
}

function modelRows(
  { gpuType, source }: KnownPairs,
  models: readonly string[],
  predicted: readonly Predicted[],
  noiseAbove: number,
): SchemeRow[] {
  const errorsBy = (speedsOf: SpeedsOf, limit = Infinity): number[][] =>
    models.map((model) =>
      predicted.flatMap((each) => {
        const [a, b] = speedsOf(each);
        const sides: [number, number][] = [
          [a, each.pair.speeds[0]],
          [b, each.pair.speeds[1]],
        ];
        return each.heldOut !== model
          ? []
          : sides.flatMap(([ours, measured]) =>
              measured > limit ? [] : [Math.abs(ours / measured - 1)],
            );
      }),
    );
  const rowOf = (how: string, goal: SchemeGoal, speedsOf: SpeedsOf, limit?: number): SchemeRow => {
    const errors = errorsBy(speedsOf, limit).filter((mine) => mine.length > 0);
    const naive = errorsBy(({ constant }) => [constant, constant], limit);
    return {
      what: `${gpuType} (${source}), pairs with a model never seen before, ${how}`,
      timeMape: mean(errors.map(mean)),
      powerMape: null,
      worst: Math.max(...errors.map(mean)),
      naiveTime: mean(naive.filter((mine) => mine.length > 0).map(mean)),
      naivePower: null,
      published: PUBLISHED,
      points: errors.flat().length,
      workloads: models.length,
      goal,
    };
  };
  return [
    rowOf('simulator', MODEL_GOAL, ({ structural }) => structural),
    rowOf(
      `linear in utilisations, without speeds above ${noiseAbove}`,
      MODEL_GOAL,
      ({ linearClean }) => linearClean,
      noiseAbove,
    ),
    rowOf('linear in utilisations', NO_GOAL, ({ linear }) => linear),
  ];
}

function binRows({ gpuType, source }: KnownPairs, predicted: readonly Predicted[]): SchemeRow[] {
  let from = 0;
  return UTILISATION_BINS.flatMap((to) => {
    const low = from;
    from = to;
    const inside = predicted.filter(({ pair }) => {
      const sum = pair.jobs[0].utilisation + pair.jobs[1].utilisation;
      return sum >= low && sum < to;
    });
    if (inside.length === 0) return [];
    // A pair of two models stands here twice, once without each of them.
    const weightOf = ({ pair }: Predicted): number => (pair.models[0] === pair.models[1] ? 2 : 1);
    const weight = inside.reduce((sum, each) => sum + weightOf(each), 0);
    const meanOf = (speedsOf: SpeedsOf): number =>
      inside.reduce((sum, each) => {
        const [a, b] = speedsOf(each);
        return sum + (weightOf(each) * (a + b)) / 2;
      }, 0) / weight;
    const measured = meanOf(({ pair }) => pair.speeds);
    const simulated = meanOf(({ structural }) => structural);
    const constant = meanOf((each) => [each.constant, each.constant]);
    const range = to === Infinity ? `${100 * low} % and more` : `${100 * low} to ${100 * to} %`;
    return [
      {
        what: `${gpuType} (${source}), mean speed at a summed utilisation of ${range}: measured ${measured.toFixed(3)}, simulator ${simulated.toFixed(3)}`,
        timeMape: Math.abs(simulated - measured),
        powerMape: null,
        worst: null,
        naiveTime: Math.abs(constant - measured),
        naivePower: null,
        published: '',
        points: weight,
        goal: BIN_GOAL,
      },
    ];
  });
}
