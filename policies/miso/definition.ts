import { PLACEMENT_OPTIONS, placementParts } from '../common-options.ts';
import { consolidated } from '../placement/consolidated.ts';
import type { PolicyDefinition } from '../policy.ts';
import { Miso } from './miso.ts';
import { SliceTable } from './slices.ts';

/** Registry entry of {@link Miso}. */
export const misoDefinition: PolicyDefinition = {
  name: 'miso',
  title:
    'in order of submission, skipping; jobs of one GPU run on the slices of its best MIG partition, found under MPS',
  source:
    'MISO (Li et al., SoCC 2022; boringlee24/socc22-miso @39b1ee6); speeds on slices are predicted from the solo profile instead of by its network, and checkpoints cost what the profile says',
  faithfulness: 'port',
  checkedBy: 'recorded partition searches of the released simulator; hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'objective',
      default: 'throughput',
      choices: ['throughput', 'mean-slowdown'],
      description: 'best partition: largest sum of relative speeds, or least mean slowdown',
      source: 'paper section 4.3: throughput; the released search minimises the mean slowdown',
    },
    {
      name: 'profileS',
      default: 30,
      min: 0,
      max: 3600,
      description:
        'how long the jobs of a GPU run together under MPS after one has joined; 0 partitions at once',
      source: 'released default mps_time 30 s',
    },
    ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
  ],
  create(options, context) {
    const { placement = consolidated() } = placementParts({ ...options, clock: 1 }, context);
    return new Miso({
      placement,
      slices: new SliceTable(context.predictor),
      objective: options.objective === 'mean-slowdown' ? 'mean-slowdown' : 'throughput',
      profileS: Number(options.profileS),
    });
  },
};
