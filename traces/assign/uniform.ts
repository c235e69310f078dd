import { z } from 'zod';
import { type AssignmentRule, pickUniform, ruleOptions, workloadName } from './rule.ts';

const schema = z.strictObject({ workloads: z.array(workloadName).min(1) });

/** Each job draws one of `{ workloads }`, all equally likely; naming one twice doubles its chance. */
export const uniform: AssignmentRule = {
  name: 'uniform',
  title: 'drawn evenly from a list',
  prepare(options) {
    const { workloads } = ruleOptions('uniform', schema, options);
    return {
      pick: (_job, draw) => pickUniform('uniform', workloads, draw),
      options: { workloads },
      assumed: [`workloads are drawn evenly from ${workloads.length} names`],
    };
  },
};
