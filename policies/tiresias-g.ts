import { PLACEMENT_OPTIONS, placementParts } from './common-options.ts';
import { compose } from './compose.ts';
import { AttainedService } from './order/attained-service.ts';
import { gittinsIndex, LearnedGittinsIndex, releasedGittinsIndex } from './order/gittins.ts';
import { ReleasedQueues } from './order/released-queues.ts';
import type { PolicyDefinition } from './policy.ts';
import { numberList, QUEUE_OPTIONS, queueRules } from './tiresias-queues.ts';

function samplesOf(text: string): readonly number[] {
  if (text.trim() === '') return [];
  const samples = numberList(text);
  const bad = samples.find((sample) => !(sample > 0 && sample < Infinity));
  if (bad === undefined) return samples;
  throw new RangeError(
    `policy 'tiresias-g': samples is '${text}', expected numbers above 0 with commas between`,
  );
}

/** Discretised 2D-Gittins of Tiresias (Tiresias-G). */
export const tiresiasGittinsDefinition: PolicyDefinition = {
  name: 'tiresias-g',
  title:
    'the queues of tiresias; within one, highest Gittins index first, from the distribution of GPU time',
  source:
    'Gu et al., Tiresias, NSDI 2019 (2D-Gittins); SymbioticLab/Tiresias, run_sim.py, schedule dlas-gpu-gittins',
  faithfulness: 'port',
  checkedBy:
    'recorded schedule of its simulator (hand12, dlas-gpu-gittins) and its indices to 4 decimals, with compat',
  duration: 'none',
  profile: 'solo',
  options: [
    ...QUEUE_OPTIONS,
    {
      name: 'quantum',
      default: 3250,
      min: 1,
      description:
        'with compat, service over which the index looks ahead, in GPU-seconds (or seconds); otherwise it is the best over all',
      source: 'released simulator, jobs.py gittins_delta',
    },
    {
      name: 'samples',
      default: '',
      description:
        'service of jobs of the past, numbers with commas between; empty learns from the jobs of the run that have ended',
      source: 'assumed; the released simulator reads 1001 samples from a file',
    },
    {
      name: 'compat',
      default: false,
      description:
        'index and queues as the released simulator has them: whole samples in the expected service, rounded; late falls',
      source:
        'run_sim.py cal_r_gittins_index, under its Python 2.7; the index of Gittins takes what is left, and the best quantum',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create(options, context) {
    const rules = queueRules('tiresias-g', options);
    const samples = samplesOf(String(options.samples));
    const isCompatible = options.compat === true;
    if (isCompatible && samples.length === 0) {
      throw new RangeError(`policy 'tiresias-g': compat needs samples, the original learns none`);
    }
    const order = isCompatible
      ? new ReleasedQueues({
          ...rules,
          gittins: releasedGittinsIndex(samples, Number(options.quantum)),
        })
      : new AttainedService({
          ...rules,
          gittins: samples.length > 0 ? gittinsIndex(samples) : new LearnedGittinsIndex(),
        });
    return compose({
      name: 'tiresias-g',
      walk: 'preemptive',
      order,
      ...placementParts(options, context),
    });
  },
};
