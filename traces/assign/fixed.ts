import { z } from 'zod';
import { type AssignmentRule, ruleOptions, workloadName } from './rule.ts';

const schema = z.strictObject({ workload: workloadName });

/** Every job runs one and the same workload: `{ workload }`. */
export const fixed: AssignmentRule = {
  name: 'fixed',
  title: 'one workload for every job',
  prepare(options) {
    const { workload } = ruleOptions('fixed', schema, options);
    return { pick: () => workload, options: { workload }, assumed: [`every job runs ${workload}`] };
  },
};
