import type { Grid } from '../../../policies/heshare/curves.ts';
import type { Predictor } from '../../../policies/predictor.ts';
import { capFraction, soloStepS } from '../../../sim/gpu/evaluate.ts';
import type { WorkloadProfile } from '../../../sim/gpu/profile.ts';

/** A resident as the brute force takes it: share steps kept, or 0 to choose them. */
export interface Free {
  readonly profile: WorkloadProfile;
  readonly maxSlowdown: number;
  readonly steps: number;
}

const SLACK = 1e-9;

/**
 * The level-2 objective of one setting straight from its definition, on `evaluateGpu`; Infinity when
 * it breaks a bound or the cap.
 */
export function objectiveOf(
  predictor: Predictor,
  grid: Grid,
  residents: readonly Free[],
  steps: readonly number[],
  clockMhz: number,
  energyWeight: number,
): number {
  const { typeIndex, powerCapW, wholeSteps } = grid;
  const point = predictor.evaluate(
    typeIndex,
    residents.map(({ profile }, i) => ({ profile, share: (steps[i] as number) / wholeSteps })),
    { clockMhz, powerCapW: 1e9 },
  );
  const allowedW = powerCapW * capFraction(residents, point.dynamicW);
  if (point.powerW > allowedW * (1 + SLACK)) return Infinity;
  let aloneW = 0;
  let slowdown = 0;
  for (let i = 0; i < residents.length; i += 1) {
    const { profile, maxSlowdown } = residents[i] as Free;
    const alone = predictor.evaluate(typeIndex, [{ profile, share: 1 }]);
    const stepS = point.stepS[i] as number;
    const ratio = stepS / soloStepS(profile);
    if (ratio > maxSlowdown * (1 + SLACK)) return Infinity;
    aloneW += (alone.powerW * (alone.stepS[0] as number)) / stepS;
    slowdown += ratio / residents.length;
  }
  return (energyWeight * point.powerW) / aloneW + (1 - energyWeight) * slowdown;
}

/** The least objective over the whole grid. */
export function bruteForce(
  predictor: Predictor,
  grid: Grid,
  residents: readonly Free[],
  energyWeight: number,
  unlimited: boolean,
): number {
  const { wholeSteps, maxSteps, clocksMhz } = grid;
  const n = residents.length;
  let best = Infinity;
  const allFixed = residents.every(({ steps }) => steps > 0);
  const steps = new Array<number>(n).fill(0);
  const tryAll = (): void => {
    const sum = steps.reduce((total, value) => total + value, 0);
    const isUnlimited = unlimited && steps.every((value) => value === wholeSteps);
    if (!allFixed && sum > maxSteps && !isUnlimited) return;
    for (const clockMhz of clocksMhz) {
      best = Math.min(best, objectiveOf(predictor, grid, residents, steps, clockMhz, energyWeight));
    }
  };
  const choose = (i: number): void => {
    if (i === n) {
      tryAll();
      return;
    }
    const fixed = (residents[i] as Free).steps;
    for (let value = fixed || 1; value <= (fixed || wholeSteps); value += 1) {
      steps[i] = value;
      choose(i + 1);
    }
  };
  choose(0);
  return best;
}
