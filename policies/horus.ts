import { busyPart } from '../sim/gpu/evaluate.ts';
import type { JobView } from '../sim/job-view.ts';
import { PLACEMENT_OPTIONS, placementParts, typeOrder } from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';
import type { Predictor } from './predictor.ts';
import { utilisationCap } from './sharing/utilisation-cap.ts';

/** Part of the time that a job keeps a GPU busy alone, and of the SMs too where that counts. */
function utilisation(predictor: Predictor, job: JobView, type: number, ofSms: boolean): number {
  const profile = predictor.profile(job.workload, type);
  if (profile === null) return 1;
  return busyPart(profile, 1) * (ofSms ? profile.smDemand : 1);
}

/** Co-location under a cap on the sum of utilisations, after Horus. */
export const horusDefinition: PolicyDefinition = {
  name: 'horus',
  title:
    'in order of submission, skipping; jobs of one GPU share one while their predicted utilisations sum to no more than a cap',
  source:
    'after Yeung et al., Horus, IEEE TPDS 2022: utilisation as a proxy of interference; its cost function is not public',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'cap',
      default: 1,
      min: 0.01,
      max: 48,
      description: 'largest sum of predicted utilisations on a GPU',
      source: 'assumed; a GPU is full at 1',
    },
    {
      name: 'utilisation',
      default: 'busy',
      choices: ['busy', 'sm'],
      description:
        'what is summed: the part of the time that a job keeps the GPU busy alone (as nvidia-smi says), or that times the part of the SMs it can use',
      source: 'Horus predicts GPU utilisation from the model; here it is that of the profile',
    },
    {
      name: 'mode',
      default: 'mps',
      choices: ['mps', 'time-slice'],
      description: 'how jobs share a GPU; under mps each may use the whole GPU',
      source: 'assumed',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create(options, context) {
    const ofSms = options.utilisation === 'sm';
    return compose({
      name: 'horus',
      walk: 'fit-first',
      sharing: utilisationCap({
        cap: Number(options.cap),
        mode: options.mode === 'time-slice' ? 'time-slice' : 'mps',
        utilisation: (job, type) => utilisation(context.predictor, job, type, ofSms),
        types: typeOrder(options, context),
      }),
      ...placementParts(options, context),
    });
  },
};
