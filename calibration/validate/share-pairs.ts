import { evaluateGpu, soloStepS } from '../../sim/gpu/evaluate.ts';
import type { GpuType, InterferenceModel } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import { mean } from '../fit/errors.ts';
import { at } from '../fit/linear-algebra.ts';
import { fitShrunkInterference, type InterferenceTerms } from '../fit/pair-interference.ts';
import { simplestWithinOneError } from '../fit/select.ts';
import { type ShareWorkload, shareProfile } from '../fit/share-workload.ts';

/** A job on one side of a pair under MPS shares. */
export interface PairSide {
  readonly workload: string;
  readonly batch: number;
  readonly share: number;
  /** Memory bandwidth used alone at this share, as a fraction; 0 where it is not known. */
  readonly bandwidth: number;
}

/** What one job fared beside another under MPS shares. */
export interface SharePair {
  readonly me: PairSide;
  readonly other: PairSide;
  readonly stepS: number;
  /** Step over the step alone at the same share. */
  readonly slowdown: number;
}

/** What is known without any pair: workloads alone, and the GPU type. */
export interface AloneKnowledge {
  readonly type: GpuType;
  readonly workloads: ReadonlyMap<string, ShareWorkload>;
}

/**
 * Strengths of shrinkage, from one interference for all pairs of workloads to one that is nearly that
 * of each workload's own pairs: 1 weighs a term as much as the mean of one ordered pair.
 */
export const SHRINKAGES = [Infinity, 3, 1, 0.3, 0.1] as const;

const NO_INTERFERENCE: InterferenceModel = { sensitivity: 0, aggressiveness: 0 };

/** Identity of a pair of workloads, whichever is observed. */
export function pairKey({ me, other }: SharePair): string {
  return JSON.stringify([me.workload, other.workload].sort());
}

/** Step of a workload alone at a share, at the reference clocks. */
export function aloneStepS(known: AloneKnowledge, side: PairSide): number {
  const { time } = profileOf(known, side, NO_INTERFERENCE);
  return stepTimeS(time, 1, 1, 1, side.share);
}

/** Step of the observed job as the simulator has it: shares, bandwidth, the power cap, interference. */
export function simulatedStepS(
  known: AloneKnowledge,
  { me, other }: SharePair,
  terms: InterferenceTerms,
): number {
  const residents = [me, other].map((side) => ({
    profile: profileOf(known, side, terms(side.workload)),
    share: side.share,
  }));
  const { stepS } = evaluateGpu(known.type, residents, {
    mode: 'mps',
    clockX: 1,
    memoryX: 1,
    powerCapW: known.type.powerLimitW.default,
    switchingLoss: 0,
  });
  return at(stepS, 0);
}

function profileOf(known: AloneKnowledge, side: PairSide, interference: InterferenceModel) {
  const workload = known.workloads.get(side.workload);
  if (workload === undefined) throw new RangeError(`expected '${side.workload}' alone`);
  const make = (bandwidth: number) =>
    shareProfile(side.workload, workload, side.batch, known.type, interference, bandwidth);
  const profile = make(0);
  // Measured at this share: the whole GPU would use as much more as it is faster.
  const speed = stepTimeS(profile.time, 1, 1, 1, side.share) / soloStepS(profile);
  return { ...profile, bandwidthDemand: Math.min(1, side.bandwidth * speed) };
}

/** What of a pair's slowdown the simulator explains without interference, and what is left of it. */
interface Explained {
  readonly pair: SharePair;
  /** Slowdown by throttling and bandwidth alone. */
  readonly structural: number;
  readonly extra: number;
}

/**
 * Interference of pairs of workloads from measured pairs: what is left of their slowdowns when the
 * simulator's throttling and bandwidth contention are taken out, since it adds them again. The form
 * is `fitShrunkInterference`; how strongly it shrinks is chosen on these pairs alone, each pair of
 * workloads in turn held out from the others.
 */
export function fitPairTerms(
  known: AloneKnowledge,
  pairs: readonly SharePair[],
): { readonly terms: InterferenceTerms; readonly shrinkage: number } {
  const explained = explain(known, pairs);
  const observed = (rows: readonly Explained[]) =>
    rows.map(({ pair, extra }) => ({
      workload: pair.me.workload,
      other: pair.other.workload,
      extra,
    }));
  const keys = [...new Set(pairs.map(pairKey))];
  const shrinkage =
    keys.length < 3
      ? Infinity
      : at(
          SHRINKAGES,
          simplestWithinOneError(
            SHRINKAGES.map((strength) =>
              keys.map((key) => {
                const seen = explained.filter(({ pair }) => pairKey(pair) !== key);
                const asked = explained.filter(({ pair }) => pairKey(pair) === key);
                return foldError(asked, fitShrunkInterference(observed(seen), strength));
              }),
            ),
          ),
        );
  return { terms: fitShrunkInterference(observed(explained), shrinkage), shrinkage };
}

/** The throttling depends a little on how fast the jobs run: it is taken at the mean interference. */
function explain(known: AloneKnowledge, pairs: readonly SharePair[]): Explained[] {
  let level = 0;
  let explained: Explained[] = [];
  for (let round = 0; round < 2; round += 1) {
    const terms = (): InterferenceModel => ({ sensitivity: level, aggressiveness: 1 });
    explained = pairs.map((pair) => {
      const simulated = simulatedStepS(known, pair, terms) / aloneStepS(known, pair.me);
      const structural = simulated / (1 + level);
      return { pair, structural, extra: pair.slowdown / structural - 1 };
    });
    level = Math.max(0, mean(explained.map(({ extra }) => extra)));
  }
  return explained;
}

function foldError(asked: readonly Explained[], terms: InterferenceTerms): number {
  return mean(
    asked.map(({ pair, structural }) => {
      const { sensitivity } = terms(pair.me.workload);
      const { aggressiveness } = terms(pair.other.workload);
      const slowdown = structural * (1 + sensitivity * aggressiveness);
      return Math.abs(slowdown / pair.slowdown - 1);
    }),
  );
}
