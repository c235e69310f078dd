import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { JobSpec } from '../../sim/job.ts';
import { job, rowsById, run } from '../policies/schedule.ts';
import { clusterOf, worldOf } from '../support/flat.ts';

/** A job's line of a recorded schedule. */
type Line = [id: string, startS: number, endS: number, preemptions: number, promotions: number];

interface Fixture {
  readonly jobs: readonly {
    readonly id: string;
    readonly gpus: number;
    readonly submitS: number;
    readonly durationS: number;
  }[];
  readonly schedules: Readonly<Record<string, readonly Line[]>>;
}

const fixture = JSON.parse(
  readFileSync(new URL('fixtures/tiresias-hand12.json', import.meta.url), 'utf8'),
) as Fixture;

const jobs: JobSpec[] = fixture.jobs.map(({ id, gpus, submitS, durationS }) =>
  job(id, submitS, gpus, durationS),
);

/** Our name and options of a schedule of the Tiresias simulator. */
const cases: readonly [schedule: string, policy: string, options: Record<string, unknown>][] = [
  ['fifo', 'fifo', {}],
  ['fjf', 'fifo-fit', {}],
  ['sjf', 'smallest-first', {}],
  ['shortest', 'srtf', {}],
  ['dlas', 'tiresias', { service: 'time' }],
  ['dlas', 'tiresias', { service: 'time', demotion: 'released' }],
  ['dlas-gpu', 'tiresias', { demotion: 'released' }],
  ['dlas-gpu-1', 'tiresias', { demotion: 'released', promoteKnob: 1 }],
];

describe('the recorded schedules of the Tiresias simulator', () => {
  for (const [schedule, policy, options] of cases) {
    const given = Object.entries(options).map(([key, value]) => ` ${key}=${String(value)}`);
    it(`${schedule} is met to the second by ${policy}${given.join('')}`, () => {
      const world = worldOf({ jobs, cluster: clusterOf({ nodes: 2, gpusPerNode: 4 }) });
      const rows = rowsById(run(world, policy, options));
      const ours = jobs.map(({ id }) => {
        const row = rows[id];
        return [id, row?.startS, row?.endS, row?.preemptions];
      });
      const recorded = fixture.schedules[schedule]?.map((line) => line.slice(0, 4));
      assert.deepEqual(ours, recorded);
    });
  }
});
