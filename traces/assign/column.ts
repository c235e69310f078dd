import { z } from 'zod';
import { nearest } from '../../sim/errors.ts';
import { quoted } from '../csv/row.ts';
import { type AssignmentRule, ruleError, ruleOptions, workloadName } from './rule.ts';

const LISTED = 10;
const schema = z.strictObject({
  map: z.record(z.string(), workloadName).optional(),
  known: z.array(workloadName).optional(),
});

/**
 * The trace's own model column. `{ map }` turns the file's names into workload names; without it they are
 * taken as they are. `{ known }` lists the workloads there are. All names that lead nowhere are one error.
 */
export const column: AssignmentRule = {
  name: 'column',
  title: "the trace's own model column",
  prepare(options, jobs) {
    const { map, known } = ruleOptions('column', schema, options);
    const names = new Map(Object.entries(map ?? {}));
    const workloads = known === undefined ? null : new Set(known);
    const workloadOf = (model: string) => (map === undefined ? model : names.get(model));

    const unknown = new Map<string, string | null>();
    let unnamed = 0;
    for (const { model } of jobs) {
      if (model === null) {
        unnamed += 1;
        continue;
      }
      const workload = workloadOf(model);
      if (workload === undefined) unknown.set(model, nearest(model, names.keys()));
      else if (workloads?.has(workload) === false) {
        unknown.set(workload, nearest(workload, workloads));
      }
    }
    if (unnamed > 0) {
      const detail = `${unnamed} of ${jobs.length} jobs name no model; use another rule`;
      throw ruleError('column', detail);
    }
    if (unknown.size > 0) {
      const listed = [...unknown].slice(0, LISTED).map(([name, near]) => {
        return near === null ? quoted(name) : `${quoted(name)} (did you mean ${quoted(near)}?)`;
      });
      const more = unknown.size > LISTED ? ` and ${unknown.size - LISTED} more` : '';
      throw ruleError('column', `no workload for ${listed.join(', ')}${more}`);
    }
    return {
      pick({ id, model }) {
        const workload = model === null ? undefined : workloadOf(model);
        if (workload === undefined) throw ruleError('column', `job ${quoted(id)} has no workload`);
        return workload;
      },
      options: { map: map ?? null },
      assumed: [],
    };
  },
};
