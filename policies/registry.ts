import { nearest } from '../sim/errors.ts';
import { bestFitDefinition } from './best-fit.ts';
import { easyDefinition } from './easy.ts';
import { energyGreedyDefinition } from './energy-greedy.ts';
import { fifoDefinition } from './fifo.ts';
import { fifoFitDefinition } from './fifo-fit.ts';
import { heshareDefinition } from './heshare/index.ts';
import { mpsEqualDefinition } from './mps-equal.ts';
import type { PolicyDefinition } from './policy.ts';
import { sjfDefinition } from './sjf.ts';
import { smallestFirstDefinition } from './smallest-first.ts';
import { srsfDefinition } from './srsf.ts';
import { srtfDefinition } from './srtf.ts';
import { tiresiasDefinition } from './tiresias.ts';

export { resolveOptions } from './options.ts';

/** All policies that come with the simulator. */
export const POLICIES: readonly PolicyDefinition[] = [
  fifoDefinition,
  fifoFitDefinition,
  easyDefinition,
  sjfDefinition,
  srtfDefinition,
  srsfDefinition,
  smallestFirstDefinition,
  tiresiasDefinition,
  bestFitDefinition,
  mpsEqualDefinition,
  energyGreedyDefinition,
  heshareDefinition,
];

/** Looks a policy up by name. @throws {RangeError} with the nearest name, or all of them */
export function policyNamed(
  name: string,
  policies: readonly PolicyDefinition[] = POLICIES,
): PolicyDefinition {
  const found = policies.find((policy) => policy.name === name);
  if (found !== undefined) return found;
  const names = policies.map((policy) => policy.name);
  const close = nearest(name, names);
  const hint = close === null ? `expected one of: ${names.join(', ')}` : `did you mean '${close}'?`;
  throw new RangeError(`unknown policy '${name}', ${hint}`);
}
