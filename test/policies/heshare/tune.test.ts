import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Grid } from '../../../policies/heshare/curves.ts';
import { type TuneOptions, Tuner, type Tuning } from '../../../policies/heshare/tune.ts';
import type { ProfileSet, WorkloadProfile } from '../../../sim/gpu/profile.ts';
import { bruteForce, type Free, objectiveOf } from './brute-force.ts';
import { predictorOf } from './support.ts';
import { gpuType, HEAVY, LIGHT, MEMORY_BOUND, profile, profileSet } from './synthetic.ts';

const OPTIONS: TuneOptions = {
  energyWeight: 0.5,
  shareStep: 0.1,
  oversubscription: 1,
  powerCap: 1,
  dvfs: true,
  unlimited: true,
};

/** A resident by workload; share steps are kept, or 0. */
interface Seat {
  readonly workload: string;
  readonly maxSlowdown: number;
  readonly steps: number;
}

function tuned(profiles: ProfileSet, seats: readonly Seat[], options: TuneOptions) {
  const predictor = predictorOf(profiles);
  const tuner = new Tuner(predictor, options);
  const residents = seats.map(({ workload, maxSlowdown, steps }) => ({
    task: tuner.task(workload, maxSlowdown),
    steps,
  }));
  const free = seats.map(({ workload, maxSlowdown, steps }): Free => {
    const known = predictor.profile(workload, 0);
    assert.ok(known !== null);
    return { profile: known, maxSlowdown, steps };
  });
  return { predictor, grid: tuner.grids[0] as Grid, free, tuning: tuner.tune(0, residents) };
}

function assertIsOptimal(
  profiles: ProfileSet,
  seats: readonly Seat[],
  options: TuneOptions,
): Tuning | null {
  const { predictor, grid, free, tuning } = tuned(profiles, seats, options);
  const { energyWeight, unlimited } = options;
  const best = bruteForce(predictor, grid, free, energyWeight, unlimited);
  if (tuning === null) {
    assert.equal(best, Infinity, 'the search found nothing where brute force did');
    return null;
  }
  const { steps, clockMhz } = tuning;
  const claimed = objectiveOf(predictor, grid, free, steps, clockMhz, energyWeight);
  assert.ok(Math.abs(claimed - best) <= 1e-9 * best, `${claimed} is not the least, ${best} is`);
  assert.ok(Math.abs(tuning.objective - best) <= 1e-9 * best);
  return tuning;
}

const anyProfile = (name: string): fc.Arbitrary<WorkloadProfile> =>
  fc
    .record({
      hostS: fc.double({ min: 0, max: 0.05, noNaN: true }),
      memoryS: fc.double({ min: 0, max: 0.1, noNaN: true }),
      coreS: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
      q: fc.constantFrom(1, 2, 3.5),
      memoryW: fc.double({ min: 0, max: 80, noNaN: true }),
      coreW: fc.double({ min: 5, max: 200, noNaN: true }),
      capFraction: fc.constantFrom(1, 1, 0.9, 0.7),
      smDemand: fc.constantFrom(0.15, 0.3, 0.5, 0.8, 1),
      bandwidthDemand: fc.double({ min: 0, max: 1, noNaN: true }),
      sensitivity: fc.double({ min: 0, max: 0.3, noNaN: true }),
      aggressiveness: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(
      ({
        hostS,
        memoryS,
        coreS,
        q,
        memoryW,
        coreW,
        capFraction,
        smDemand,
        bandwidthDemand,
        ...company
      }) =>
        profile(name, 'g', {
          time: { hostS, memoryS, coreS, q },
          power: { memoryW, coreW },
          capFraction,
          smDemand,
          bandwidthDemand,
          interference: company,
        }),
    );

const anyOptions: fc.Arbitrary<TuneOptions> = fc.record({
  energyWeight: fc.constantFrom(0, 0.3, 0.5, 1),
  shareStep: fc.constantFrom(0.1, 0.2, 0.25),
  oversubscription: fc.constantFrom(1, 1, 1.5, 2),
  powerCap: fc.constantFrom(1, 0.7, 0.5),
  dvfs: fc.boolean(),
  unlimited: fc.boolean(),
});

const anySeats: fc.Arbitrary<Seat[]> = fc
  .array(
    fc.record({
      maxSlowdown: fc.constantFrom(1, 1.2, 1.5, 2, 4),
      steps: fc.constantFrom(0, 0, 0, 1, 2, 4),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((seats) => seats.map((seat, i) => ({ ...seat, workload: `w${i}` })));

const anySpeed = fc.double({ min: 0.3, max: 1, noNaN: true });

const anyProfiles = fc.tuple(anyProfile('w0'), anyProfile('w1'), anyProfile('w2'));

describe('level 2 of heshare', () => {
  it('finds what brute force over shares and clocks finds, for one to three residents', () => {
    let feasible = 0;
    fc.assert(
      fc.property(anyProfiles, anySeats, anyOptions, (profiles, seats, options) => {
        const set = profileSet([gpuType('g', { contextClockW: 20 })], profiles);
        if (assertIsOptimal(set, seats, options) !== null) feasible += 1;
      }),
      { numRuns: 300, seed: 1 },
    );
    assert.ok(feasible > 100, `only ${feasible} cases had a legal setting`);
  });

  it('finds it where the pair was measured, too', () => {
    fc.assert(
      fc.property(
        anyProfiles,
        anySeats,
        anyOptions,
        fc.tuple(anySpeed, anySpeed),
        (profiles, seats, options, speeds) => {
          const pairs = [
            { gpuType: 'g', workloads: ['w1', 'w0'] as const, speeds, source: 'test' },
          ];
          const set = { ...profileSet([gpuType('g')], profiles), pairs };
          assertIsOptimal(set, seats, options);
        },
      ),
      { numRuns: 100, seed: 2 },
    );
  });

  it('gives a memory-bound job a lower clock than a compute-bound one', () => {
    const set = profileSet(
      [gpuType('g')],
      [profile('memory', 'g', MEMORY_BOUND), profile('heavy', 'g', HEAVY)],
    );
    const alone = (workload: string): number => {
      const tuning = assertIsOptimal(set, [{ workload, maxSlowdown: 1.5, steps: 0 }], OPTIONS);
      assert.ok(tuning !== null);
      return tuning.clockMhz;
    };
    assert.ok(alone('memory') < alone('heavy'));
    assert.ok(alone('memory') < 1500);
  });

  it('chooses the least energy when the clock costs no time at all', () => {
    // Nothing but host and memory time: the lowest clock draws least and costs nothing.
    const time = { hostS: 0.01, memoryS: 0.05, coreS: 0, q: 1 };
    const set = profileSet([gpuType('g')], [profile('w', 'g', { time })]);
    const tuning = assertIsOptimal(set, [{ workload: 'w', maxSlowdown: 1, steps: 0 }], OPTIONS);
    assert.equal(tuning?.clockMhz, 600);
  });

  it('stays at full clock when only time counts', () => {
    const set = profileSet([gpuType('g')], [profile('w', 'g')]);
    const options = { ...OPTIONS, energyWeight: 0 };
    const tuning = assertIsOptimal(set, [{ workload: 'w', maxSlowdown: 9, steps: 0 }], options);
    assert.equal(tuning?.clockMhz, 1500);
    assert.deepEqual(tuning.progress, [1]);
  });

  it('keeps every slowdown bound', () => {
    const set = profileSet(
      [gpuType('g')],
      [profile('light', 'g', LIGHT), profile('heavy', 'g', HEAVY)],
    );
    const seats = [
      { workload: 'light', maxSlowdown: 1.2, steps: 0 },
      { workload: 'heavy', maxSlowdown: 1.4, steps: 0 },
    ];
    const tuning = assertIsOptimal(set, seats, { ...OPTIONS, unlimited: true });
    assert.ok(tuning !== null);
    const [light, heavy] = tuning.progress;
    assert.ok(1 / (light as number) <= 1.2 + 1e-6);
    assert.ok(1 / (heavy as number) <= 1.4 + 1e-6);
  });

  it('finds nothing for two jobs that each need the whole gpu', () => {
    const set = profileSet([gpuType('g')], [profile('heavy', 'g', HEAVY)]);
    const heavy = { workload: 'heavy', maxSlowdown: 1.5, steps: 0 };
    assert.equal(assertIsOptimal(set, [heavy, heavy], OPTIONS), null);
  });

  it('leaves a job alone at the reference clock when no clock keeps bound and cap', () => {
    const hungry = { power: { memoryW: 100, coreW: 300 } };
    const set = profileSet([gpuType('g')], [profile('w', 'g', hungry)]);
    const tuner = new Tuner(predictorOf(set), { ...OPTIONS, dvfs: false });
    const tuning = tuner.alone(0, tuner.task('w', 1));
    assert.equal(tuning.clockMhz, 1500);
    assert.ok(tuning.powerW <= 300 * (1 + 1e-9), 'the hardware keeps the limit');
    assert.ok((tuning.progress[0] as number) < 1);
  });

  it('gives a lone job the least share that costs it nothing when limits are in force', () => {
    const set = profileSet([gpuType('g')], [profile('light', 'g', LIGHT)]);
    const limited = new Tuner(predictorOf(set), { ...OPTIONS, unlimited: false });
    assert.deepEqual(limited.alone(0, limited.task('light', 1.5)).steps, [4]);
    const unlimited = new Tuner(predictorOf(set), OPTIONS);
    assert.deepEqual(unlimited.alone(0, unlimited.task('light', 1.5)).steps, [10]);
  });

  it('names what it has no profile for', () => {
    const tuner = new Tuner(predictorOf(profileSet([gpuType('g')], [])), OPTIONS);
    assert.throws(
      () => tuner.alone(0, tuner.task('x', 1)),
      /workload 'x' has no profile on gpu type 'g'/,
    );
  });
});
