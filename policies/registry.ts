import { nearest } from '../sim/errors.ts';
import { alloxDefinition } from './allox.ts';
import { antmanDefinition } from './antman.ts';
import { easyDefinition } from './easy.ts';
import { edfDefinition } from './edf.ts';
import { elasticFlowDefinition } from './elastic-flow/index.ts';
import {
  deadlineDvfsDefinition,
  delayDefinition,
  eacoDefinition,
  edlDefinition,
  gpoeoDefinition,
  mfGpoeoDefinition,
  odppDefinition,
  zeusDefinition,
} from './energy/index.ts';
import { energyGreedyDefinition } from './energy-greedy.ts';
import {
  bestFitDefinition,
  dotProductDefinition,
  fgdDefinition,
  gpuClusteringDefinition,
  gpuPackingDefinition,
  pwrDefinition,
  randomFitDefinition,
} from './fgd/index.ts';
import { fifoDefinition } from './fifo.ts';
import { fifoFitDefinition } from './fifo-fit.ts';
import { gandivaDefinition } from './gandiva.ts';
import { gavelDefinition, themisDefinition } from './gavel/index.ts';
import { gpuletsDefinition } from './gpulets/index.ts';
import { gsliceDefinition } from './gslice/index.ts';
import { heshareDefinition } from './heshare/index.ts';
import { horusDefinition } from './horus.ts';
import { igniterDefinition } from './igniter/index.ts';
import { lasDefinition } from './las.ts';
import { lucidDefinition } from './lucid.ts';
import { misoDefinition } from './miso/index.ts';
import { mpsEqualDefinition } from './mps-equal.ts';
import { mpsFreeDefinition } from './mps-free.ts';
import { mpsOfflineOptDefinition } from './mps-offline-opt.ts';
import { muriLeastDefinition, muriShortDefinition } from './muri/index.ts';
import { optimusDefinition } from './optimus.ts';
import type { PolicyDefinition } from './policy.ts';
import { powerFlowDefinition } from './power-flow/index.ts';
import { qssfDefinition } from './qssf.ts';
import { salusFairDefinition, salusPackDefinition } from './salus.ts';
import { siaDefinition } from './sia/index.ts';
import { sjfDefinition } from './sjf.ts';
import { smallestFirstDefinition } from './smallest-first.ts';
import { srsfDefinition } from './srsf.ts';
import { srtfDefinition } from './srtf.ts';
import { tgsDefinition } from './tgs.ts';
import { tiresiasDefinition } from './tiresias.ts';
import { tiresiasGittinsDefinition } from './tiresias-g.ts';

export { resolveOptions } from './options.ts';

/** All policies that come with the simulator. */
export const POLICIES: readonly PolicyDefinition[] = [
  fifoDefinition,
  fifoFitDefinition,
  easyDefinition,
  sjfDefinition,
  qssfDefinition,
  srtfDefinition,
  srsfDefinition,
  edfDefinition,
  smallestFirstDefinition,
  lasDefinition,
  tiresiasDefinition,
  tiresiasGittinsDefinition,
  gavelDefinition,
  themisDefinition,
  alloxDefinition,
  optimusDefinition,
  siaDefinition,
  elasticFlowDefinition,
  gandivaDefinition,
  fgdDefinition,
  bestFitDefinition,
  dotProductDefinition,
  gpuPackingDefinition,
  gpuClusteringDefinition,
  randomFitDefinition,
  pwrDefinition,
  lucidDefinition,
  horusDefinition,
  mpsEqualDefinition,
  mpsFreeDefinition,
  mpsOfflineOptDefinition,
  igniterDefinition,
  gpuletsDefinition,
  gsliceDefinition,
  salusPackDefinition,
  salusFairDefinition,
  antmanDefinition,
  tgsDefinition,
  misoDefinition,
  muriShortDefinition,
  muriLeastDefinition,
  energyGreedyDefinition,
  zeusDefinition,
  gpoeoDefinition,
  odppDefinition,
  mfGpoeoDefinition,
  deadlineDvfsDefinition,
  delayDefinition,
  edlDefinition,
  eacoDefinition,
  powerFlowDefinition,
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
