import assert from 'node:assert/strict';
import fc from 'fast-check';
import { loadShippedProfiles } from '../../../calibration/profiles.ts';
import type { Grid } from '../../../policies/heshare/curves.ts';
import { Tuner } from '../../../policies/heshare/tune.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { randomStream } from '../../../sim/random.ts';
import { bruteForce, objectiveOf } from './brute-force.ts';
import { predictorOf, runEnergyGreedy, runHeshare } from './support.ts';
import { jobSpec } from './synthetic.ts';

const PROFILES = loadShippedProfiles();

describe('heshare on the shipped profiles', () => {
  it('finds the best shares and clock of one to three residents, as brute force does', () => {
    const predictor = predictorOf(PROFILES);
    const options = {
      energyWeight: 0.5,
      shareStep: 0.2,
      oversubscription: 1,
      powerCap: 1,
      dvfs: true,
      unlimited: true,
    };
    const tuner = new Tuner(predictor, options);
    const cases = PROFILES.gpuTypes.flatMap((_, type) => {
      const runnable = PROFILES.workloads.filter(({ name }) => predictor.profile(name, type));
      return runnable.length > 0 ? [{ type, names: runnable.map(({ name }) => name) }] : [];
    });
    let feasible = 0;
    const anyCase = fc.constantFrom(...cases).chain(({ type, names }) =>
      fc.record({
        type: fc.constant(type),
        seats: fc.array(
          fc.record({
            name: fc.constantFrom(...names),
            maxSlowdown: fc.constantFrom(1.1, 1.5, 3),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    );
    fc.assert(
      fc.property(anyCase, ({ type, seats }) => {
        const grid = tuner.grids[type] as Grid;
        const residents = seats.map(({ name, maxSlowdown }) => {
          const profile = predictor.profile(name, type);
          assert.ok(profile !== null);
          return { profile, maxSlowdown, steps: 0 };
        });
        const best = bruteForce(predictor, grid, residents, 0.5, true);
        const tuning = tuner.tune(
          type,
          seats.map(({ name, maxSlowdown }) => ({
            task: tuner.task(name, maxSlowdown),
            steps: 0,
          })),
        );
        if (tuning === null) {
          assert.equal(best, Infinity);
          return;
        }
        feasible += 1;
        const { steps, clockMhz } = tuning;
        const found = objectiveOf(predictor, grid, residents, steps, clockMhz, 0.5);
        assert.ok(Math.abs(found - best) <= 1e-9 * best);
      }),
      { numRuns: 60, seed: 3 },
    );
    assert.ok(feasible > 20, `only ${feasible} cases had a legal setting`);
  });

  it('saves energy against full clock without sharing, and loses little time or none', () => {
    const cluster = {
      name: 'small',
      groups: [
        { gpuType: 'V100', gpusPerNode: 4, nodes: 2 },
        { gpuType: 'P100', gpusPerNode: 4, nodes: 1 },
        { gpuType: 'A40', gpusPerNode: 4, nodes: 1 },
      ],
    };
    for (const seed of [1, 2, 3]) {
      for (const load of [0.5, 0.9]) {
        const world = { profiles: PROFILES, cluster, jobs: zeusJobs(seed, 16, load) };
        const simulation = { paranoid: false };
        const heshare = runHeshare({ ...world, simulation }).result.summary;
        const plain = runHeshare({
          ...world,
          simulation,
          options: { mps: false, dvfs: false, sched: false },
        }).result.summary;
        const greedy = runEnergyGreedy({ ...world, simulation }).result.summary;
        const saving = 1 - heshare.energyJ.total / plain.energyJ.total;
        assert.ok(saving > 0.15, `load ${load}: saves ${saving}`);
        assert.ok(heshare.jctS.mean < 1.1 * plain.jctS.mean, `load ${load}: slower than plain`);
        assert.ok(heshare.jctS.mean < greedy.jctS.mean, `load ${load}: slower than greedy`);
      }
    }
  });
});

/** Zeus training jobs at random, mostly on one GPU. */
function zeusJobs(seed: number, gpus: number, load: number): JobSpec[] {
  const random = randomStream(seed, 'zeus-jobs');
  const names = PROFILES.workloads
    .filter(({ onGpu }) => onGpu.V100 && onGpu.P100 && onGpu.A40)
    .map(({ name }) => name);
  const gangs = [1, 1, 1, 1, 1, 1, 2, 4];
  const meanGang = gangs.reduce((sum, gang) => sum + gang, 0) / gangs.length;
  const meanS = 3600;
  let submitS = 0;
  return Array.from({ length: 800 }, (_, i) => {
    submitS += (-Math.log(1 - random()) * meanS * meanGang) / (gpus * load);
    return jobSpec(`${i}`, {
      submitS,
      workload: names[Math.floor(random() * names.length)] as string,
      durationS: -Math.log(1 - random()) * meanS,
      referenceGpu: 'V100',
      gpuCount: gangs[Math.floor(random() * gangs.length)] as number,
    });
  });
}
