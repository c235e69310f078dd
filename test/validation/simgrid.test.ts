import assert from 'node:assert/strict';
import path from 'node:path';
import { compose } from '../../policies/compose.ts';
import type { JobSpec } from '../../sim/job.ts';
import type { Summary } from '../../sim/result.ts';
import { simulate } from '../../sim/simulate.ts';
import { assignWorkloads } from '../../traces/assign/assign.ts';
import { importTrace } from '../../traces/formats.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';

// The first N jobs of the public Philly trace, first come first served with head-of-line blocking on 512
// GPUs that draw 50 W idle and 300 W busy, against what a C++ program on SimGrid 3.32 with its host energy
// plugin gave: energy from the first submission to the last completion, to the digit given there.

const RECORDED: readonly (readonly [jobs: number, energyMwh: number])[] = [
  [1000, 70.3],
  [5000, 87.5],
  [10_000, 106.1],
  [50_000, 199.7],
  [82_247, 311.4],
];
const MEAN_JCT_OF_1000_S = 103_998;
const JOULES_PER_MWH = 3.6e9;

const data = process.env.HESHARE_DATA;
const title = 'SimGrid on the Philly trace';

(data === undefined ? describe.skip : describe)(
  data === undefined ? `${title} (skipped: HESHARE_DATA is unset)` : title,
  () => {
    let jobs: readonly JobSpec[] = [];

    before(async () => {
      const file = path.join(data ?? '', 'traces/philly-derived/pollux_philly.csv');
      const trace = await importTrace(file, { settings: { timeZone: 'naive' } });
      const settings = {
        rule: 'fixed',
        seed: 0,
        options: { workload: 'flat' },
        referenceGpu: 'flat',
      };
      ({ jobs } = assignWorkloads(trace.jobs, settings));
    });

    function run(count: number): Summary {
      const world = worldOf({
        jobs: jobs.slice(0, count),
        cluster: clusterOf({ nodes: 512 }),
        profiles: profileSet([flatGpu({ idlePowerW: 50 })], [flatProfile()]),
        options: { paranoid: false },
      });
      return simulate(world, compose({ name: 'fifo', walk: 'head-of-line' })).summary;
    }

    for (const [count, energyMwh] of RECORDED) {
      it(`gives the energy of the first ${count} jobs: ${energyMwh} MWh`, () => {
        const { energyJ, jobs: outcome } = run(count);
        assert.equal(outcome.done, count);
        assert.equal((energyJ.total / JOULES_PER_MWH).toFixed(1), energyMwh.toFixed(1));
      });
    }

    it(`gives the mean completion time of the first 1000 jobs: ${MEAN_JCT_OF_1000_S} s`, () => {
      assert.equal(Math.round(run(1000).jctS.mean), MEAN_JCT_OF_1000_S);
    });
  },
);
