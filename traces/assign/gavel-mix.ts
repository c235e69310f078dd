import { z } from 'zod';
import { type AssignmentRule, pickUniform, ruleOptions } from './rule.ts';

/** A job type of Gavel, by its workload here. */
interface GavelType {
  readonly workload: string;
  /** Whether Gavel runs it on more than one GPU. */
  readonly distributed: boolean;
}

const types = (prefix: string, batchSizes: readonly number[], distributed: boolean) =>
  batchSizes.map((size): GavelType => ({ workload: `${prefix}-b${size}`, distributed }));

/**
 * The 26 job types that Gavel simulates (stanford-futuredata/gavel, scheduler/job_table.py; OSDI 2020), in
 * its order. All of them have profiles.
 */
export const GAVEL_TYPES: readonly GavelType[] = [
  ...types('resnet18-gavel', [16, 32, 64, 128, 256], true),
  ...types('resnet50-gavel', [16, 32, 64, 128], true),
  ...types('transformer-gavel', [16, 32, 64, 128, 256], true),
  ...types('lm-gavel', [5, 10, 20, 40, 80], true),
  ...types('recommendation-gavel', [512, 1024, 2048, 4096, 8192], false),
  { workload: 'a3c-gavel', distributed: false },
  { workload: 'cyclegan-gavel', distributed: false },
];

const ANY = GAVEL_TYPES.map(({ workload }) => workload);
const DISTRIBUTED = GAVEL_TYPES.filter(({ distributed }) => distributed).map(
  ({ workload }) => workload,
);

const schema = z.strictObject({});

/**
 * Job types drawn evenly, as Gavel's generator does: a gang draws among the types that run on several GPUs
 * alone. Gavel's mix of gang sizes (70, 10, 15 and 5 % of 1, 2, 4 and 8 GPUs) is not applied: gangs are
 * those of the trace.
 */
export const gavelMix: AssignmentRule = {
  name: 'gavel-mix',
  title: 'drawn evenly from the job types of Gavel',
  prepare(options) {
    ruleOptions('gavel-mix', schema, options);
    return {
      pick: ({ gpuCount }, draw) =>
        pickUniform('gavel-mix', gpuCount === 1 ? ANY : DISTRIBUTED, draw),
      options: {},
      assumed: [
        `models are drawn evenly from the ${ANY.length} job types of Gavel, for gangs from its ` +
          `${DISTRIBUTED.length} distributed ones; gang sizes are those of the trace`,
      ],
    };
  },
};
