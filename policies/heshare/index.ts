import type { PolicyDefinition } from '../policy.ts';
import { HeShare } from './heshare.ts';
import { HESHARE_OPTIONS, heshareOptions } from './options.ts';

/** Registry entry of {@link HeShare}. */
export const heshareDefinition: PolicyDefinition = {
  name: 'heshare',
  title: 'energy-aware allocation over mps shares and core clock tuned together on each gpu',
  source: 'HeShare, IEEE TC, DOI 10.1109/TC.2025.3628924: reconstructed from the abstract',
  faithfulness: 'like',
  checkedBy: 'level 2 against brute force; hand-worked cases',
  duration: 'estimate',
  profile: 'all',
  options: HESHARE_OPTIONS,
  create: (options, context) => new HeShare(heshareOptions(options), context),
};
