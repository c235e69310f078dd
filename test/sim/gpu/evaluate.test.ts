import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  capFraction,
  evaluateGpu,
  type GpuSetting,
  type OperatingPoint,
  type Resident,
  SHARING_MODES,
  soloStepS,
} from '../../../sim/gpu/evaluate.ts';
import { contextPowerW, dynamicPowerW } from '../../../sim/gpu/power.ts';
import type { PairMeasurement, WorkloadProfile } from '../../../sim/gpu/profile.ts';
import { close } from '../../support/close.ts';
import { flatGpu, flatProfile } from '../../support/flat.ts';

// By hand on the flat GPU (context 50 W; one workload: 1 s a step, all core time, 250 W at full clock):
//   alone                        step 1       dynamic 250          power 300
//   alone at clock 0.5           step 2       dynamic 125          power 175
//   alone at clock 1.2, V 1.2    step 1/1.2   250 * 1.44 * 1.2     = 432, power 482
//   two under mps, 100 % each    half speed   125 each             power 300
//   shares 0.25 and 0.25         step 4       62.5 each            power 175
//   alone under a cap of 175 W   50 + 250 x = 175: clock 0.5

const GPU = flatGpu();

function setting(over: Partial<GpuSetting> = {}): GpuSetting {
  return { mode: 'mps', clockX: 1, memoryX: 1, powerCapW: 1000, switchingLoss: 0, ...over };
}

function resident(share = 1, profile: Partial<WorkloadProfile> = {}): Resident {
  return { profile: flatProfile(profile), share };
}

function evaluate(
  residents: readonly Resident[],
  over: Partial<GpuSetting> = {},
  pair: PairMeasurement | null = null,
): OperatingPoint {
  return evaluateGpu(GPU, residents, setting(over), pair);
}

function closeAll(actual: readonly number[], expected: readonly number[], relative = 1e-9): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    close(value, expected[i] ?? NaN, relative);
  });
}

describe('sim/gpu/evaluate alone', () => {
  it('draws idle power without residents, and context power is not idle power', () => {
    const empty = evaluate([]);
    assert.equal(empty.powerW, 20);
    assert.deepEqual(empty.stepS, []);
    assert.equal(
      evaluate([resident(1, { power: { memoryW: 0, coreW: 0 }, capFraction: 1 })]).powerW,
      50,
    );
  });

  it('runs one job at full speed and full power in every mode', () => {
    for (const mode of SHARING_MODES) {
      const point = evaluate([resident()], { mode, switchingLoss: 0.02 });
      assert.deepEqual(point.stepS, [1], mode);
      assert.deepEqual(point.dynamicW, [250], mode);
      assert.equal(point.powerW, 300, mode);
      assert.equal(point.throttled, false);
    }
  });

  it('slows core time and power with the clock, and raises power with the voltage above the knee', () => {
    const half = evaluate([resident()], { clockX: 0.5 });
    closeAll(half.stepS, [2]);
    close(half.powerW, 175);
    const fast = evaluate([resident()], { clockX: 1.2 });
    closeAll(fast.stepS, [1 / 1.2]);
    close(fast.powerW, 482);
  });

  it('knows no contention of a job with itself, even where its bandwidth would not keep up', () => {
    // At clock 1.2 the step takes 0.5 + 0.5 / 1.2 s, by the definition of the step time.
    const time = { hostS: 0, memoryS: 0.5, coreS: 0.5, q: 1 };
    const point = evaluate([resident(1, { time, bandwidthDemand: 1 })], { clockX: 1.2 });
    closeAll(point.stepS, [0.5 + 0.5 / 1.2]);
  });

  it('runs a job alone on a share of the GPU at that share of speed and dynamic power', () => {
    const point = evaluate([resident(0.25)]);
    closeAll(point.stepS, [4]);
    closeAll(point.dynamicW, [62.5]);
    close(point.powerW, 112.5);
  });
});

describe('sim/gpu/evaluate mps', () => {
  it('runs two equal jobs without thread limits at half speed and the power of one', () => {
    const point = evaluate([resident(), resident()]);
    closeAll(point.stepS, [2, 2]);
    closeAll(point.dynamicW, [125, 125]);
    close(point.powerW, 300);
  });

  it('honours shares that sum to at most 1', () => {
    closeAll(evaluate([resident(0.25), resident(0.25)]).stepS, [4, 4]);
    const full = evaluate([resident(0.3), resident(0.7)]);
    closeAll(full.stepS, [1 / 0.3, 1 / 0.7]);
    closeAll(full.dynamicW, [75, 175]);
  });

  it('divides the SMs in proportion to the shares where these sum to more', () => {
    closeAll(evaluate([resident(0.8), resident(0.8)]).stepS, [2, 2]);
    closeAll(evaluate([resident(0.9), resident(0.3)]).stepS, [1 / 0.75, 4]);
  });

  it('leaves jobs that cannot use the whole GPU at full speed while their demands fit', () => {
    const small = { smDemand: 0.4 };
    closeAll(evaluate([resident(1, small), resident(1, small)]).stepS, [1, 1]);
    closeAll(evaluate([resident(0.2, small)]).stepS, [2]);
    // Demands 0.1, 1 and 1, always busy: each gets 1 / 2.1 of what it can use.
    closeAll(
      evaluate([resident(1, { smDemand: 0.1 }), resident(), resident()]).stepS,
      [2.1, 2.1, 2.1],
    );
  });

  it('slows jobs down while both are busy, and lets each use the other’s host time', () => {
    // Busy half of a step: the GPU's part grows by s = 1 + p, p = s / (1 + s): the golden ratio.
    const time = { hostS: 0.5, memoryS: 0, coreS: 0.5, q: 1 };
    const golden = (1 + Math.sqrt(5)) / 2;
    const steps = [0.5 + 0.5 * golden, 0.5 + 0.5 * golden];
    closeAll(evaluate([resident(1, { time }), resident(1, { time })]).stepS, steps);
    // Busy 0.8: 0.8 s^2 - 1.4 s - 0.2 = 0.
    const busier = { hostS: 0.2, memoryS: 0, coreS: 0.8, q: 1 };
    const longer = 0.2 + 0.8 * ((1.4 + Math.sqrt(2.6)) / 1.6);
    closeAll(evaluate([resident(1, { time: busier }), resident(1, { time: busier })]).stepS, [
      longer,
      longer,
    ]);
    // At half the clock the first pair is busy 2/3 of a step of 1.5 s: 2 s^2 - 3 s - 1 = 0.
    const slower = 0.5 + (3 + Math.sqrt(17)) / 4;
    closeAll(evaluate([resident(1, { time }), resident(1, { time })], { clockX: 0.5 }).stepS, [
      slower,
      slower,
    ]);
  });

  it('slows memory time until the bandwidth fits, exactly', () => {
    // Two jobs of 0.5 memory and 0.5 core time, bandwidth 0.8 each: 1.6 / (0.5 kappa + 0.5) = 1 at
    // kappa 2.2, so a step takes 1.6 s and the dynamic power is 250 / 1.6.
    const profile = {
      time: { hostS: 0, memoryS: 0.5, coreS: 0.5, q: 1 },
      smDemand: 0.5,
      bandwidthDemand: 0.8,
    };
    const point = evaluate([resident(1, profile), resident(1, profile)]);
    closeAll(point.stepS, [1.6, 1.6], 1e-9);
    closeAll(point.dynamicW, [156.25, 156.25], 1e-9);
    // At half the memory clock, 1.6 / (kappa + 0.5) = 0.5: kappa 2.7, so a step takes 3.2 s.
    closeAll(
      evaluate([resident(1, profile), resident(1, profile)], { memoryX: 0.5 }).stepS,
      [3.2, 3.2],
    );
    closeAll(evaluate([resident(1, profile)]).stepS, [1]);
  });

  it('stretches time on the GPU by sensitivity times the aggressiveness of the others', () => {
    const a = { smDemand: 0.3, interference: { sensitivity: 0.5, aggressiveness: 0.2 } };
    const b = { smDemand: 0.3, interference: { sensitivity: 0.1, aggressiveness: 0.4 } };
    closeAll(evaluate([resident(1, a), resident(1, b)]).stepS, [1.2, 1.02]);
    // Three: a feels 0.4 + 0.4, each b feels 0.2 + 0.4.
    closeAll(evaluate([resident(1, a), resident(1, b), resident(1, b)]).stepS, [1.4, 1.06, 1.06]);
    closeAll(evaluate([resident(1, a)]).stepS, [1]);
    // Host time is not stretched: 0.25 + 0.75 * 1.2.
    const hosted = { ...a, time: { hostS: 0.25, memoryS: 0, coreS: 0.75, q: 1 } };
    closeAll([evaluate([resident(1, hosted), resident(1, b)]).stepS[0] ?? NaN], [1.15]);
  });
});

describe('sim/gpu/evaluate time-slice and mig', () => {
  it('alternates residents by their weights, at a loss', () => {
    const point = evaluate([resident(), resident()], { mode: 'time-slice', switchingLoss: 0.02 });
    closeAll(point.stepS, [2 / 0.98, 2 / 0.98]);
    close(point.powerW, 50 + 250 * 0.98);
    const weighted = evaluate([resident(0.25), resident(0.75)], {
      mode: 'time-slice',
      switchingLoss: 0.1,
    });
    closeAll(weighted.stepS, [1 / (0.9 * 0.25), 1 / (0.9 * 0.75)]);
  });

  it('isolates MIG slices, which have their own SMs and bandwidth', () => {
    const profile = { time: { hostS: 0, memoryS: 0.5, coreS: 0.5, q: 1 }, bandwidthDemand: 1 };
    const alone = evaluate([resident(0.5, profile)], { mode: 'mig' });
    closeAll(alone.stepS, [2]);
    const noisy = { ...profile, interference: { sensitivity: 1, aggressiveness: 1 } };
    const both = evaluate([resident(0.5, profile), resident(0.25, noisy)], { mode: 'mig' });
    closeAll(both.stepS, [2, 4]);
    closeAll(both.dynamicW, [125, 62.5]);
  });
});

describe('sim/gpu/evaluate power cap', () => {
  it('throttles to exactly the cap', () => {
    const point = evaluate([resident()], { powerCapW: 175 });
    close(point.powerW, 175, 1e-12);
    close(point.clockX, 0.5, 1e-12);
    closeAll(point.stepS, [2], 1e-12);
    assert.equal(point.throttled, true);
    // Above the knee 50 + 250 x^3 = 400: x is the cube root of 1.4.
    const fast = evaluate([resident()], { clockX: 1.2, powerCapW: 400 });
    close(fast.clockX, 1.4 ** (1 / 3), 1e-12);
  });

  it('leaves a power at the cap alone', () => {
    const point = evaluate([resident()], { powerCapW: 300 });
    assert.equal(point.throttled, false);
    assert.equal(point.clockX, 1);
  });

  it('never falls below the lowest clock, and then power exceeds the cap', () => {
    const point = evaluate([resident()], { powerCapW: 60 });
    assert.equal(point.clockX, 0.2);
    close(point.powerW, 100);
    closeAll(point.stepS, [5]);
    assert.equal(point.throttled, true);
  });

  it('leaves room for the bursts of jobs whose average power is below their peaks', () => {
    // A cap of 250 W lets a job with a fraction of 0.8 draw 200 W on average: 50 + 250 x = 200.
    const bursts = { power: { memoryW: 0, coreW: 250 }, capFraction: 0.8 };
    const alone = evaluate([resident(1, bursts)], { powerCapW: 250 });
    close(alone.powerW, 200, 1e-12);
    close(alone.clockX, 0.6, 1e-12);
    // Beside a steady job of the same power, 0.9 of the cap.
    close(evaluate([resident(1, bursts), resident()], { powerCapW: 250 }).powerW, 225, 1e-12);
    // Drawing 300 W it is over 0.8 of a cap of 370 W, not over one of 375 W.
    assert.equal(evaluate([resident(1, bursts)], { powerCapW: 370 }).throttled, true);
    assert.equal(evaluate([resident(1, bursts)], { powerCapW: 375 }).throttled, false);
  });

  it('lowers the context power, too, where that follows the clock', () => {
    // 30 of the 50 W follow the clock below the knee: 20 + 30 x + 250 x = 160 at x 0.5.
    const type = flatGpu({ contextClockW: 30 });
    const point = evaluateGpu(type, [resident()], setting({ powerCapW: 160 }));
    close(point.clockX, 0.5, 1e-12);
    close(point.powerW, 160, 1e-12);
    close(evaluateGpu(type, [resident()], setting()).powerW, 300);
  });

  it('throttles co-located jobs together', () => {
    // At clock x both run at x / 2: 50 + 250 x = 150 at x 0.4.
    const point = evaluate([resident(), resident()], { powerCapW: 150 });
    close(point.clockX, 0.4, 1e-12);
    closeAll(point.stepS, [5, 5], 1e-12);
    close(point.powerW, 150, 1e-12);
  });
});

describe('sim/gpu/evaluate measured pairs', () => {
  const pair: PairMeasurement = {
    gpuType: 'flat',
    workloads: ['p', 'q'],
    speeds: [0.9, 0.4],
    source: 'a test',
  };
  const p = resident(1, { workload: 'p', interference: { sensitivity: 9, aggressiveness: 9 } });
  const q = resident(1, { workload: 'q' });

  it('replace the model, whichever way round the residents are', () => {
    const forwards = evaluate([p, q], {}, pair);
    closeAll(forwards.stepS, [1 / 0.9, 1 / 0.4]);
    closeAll(forwards.dynamicW, [225, 100]);
    close(forwards.powerW, 375);
    assert.equal(forwards.pairMeasured, true);
    closeAll(evaluate([q, p], {}, pair).stepS, [1 / 0.4, 1 / 0.9]);
    closeAll(evaluate([p, q], { clockX: 0.5 }, pair).stepS, [2 / 0.9, 2 / 0.4]);
  });

  it('give each of two jobs of one workload its own speed', () => {
    const same: PairMeasurement = { ...pair, workloads: ['p', 'p'], speeds: [0.7, 0.6] };
    closeAll(evaluate([p, p], {}, same).stepS, [1 / 0.7, 1 / 0.6]);
  });

  it('obey the power cap', () => {
    // 50 + 325 x = 180: x 0.4.
    const point = evaluate([p, q], { powerCapW: 180 }, pair);
    close(point.clockX, 0.4, 1e-12);
    assert.equal(point.pairMeasured, true);
  });

  it('do not hold with thread limits, in other modes, or in company of three', () => {
    const limited = { ...q, share: 0.5 };
    assert.equal(evaluate([p, limited], {}, pair).pairMeasured, false);
    assert.equal(evaluate([p, q], { mode: 'time-slice' }, pair).pairMeasured, false);
    assert.equal(evaluate([p, q, q], {}, pair).pairMeasured, false);
  });
});

describe('sim/gpu/evaluate in general', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const fraction = fc.double({ min: 0.05, max: 1, noNaN: true });
  const residentOf: fc.Arbitrary<Resident> = fc
    .record({
      hostS: part,
      memoryS: part,
      coreS: fc.double({ min: 0.01, max: 1, noNaN: true }),
      q: fc.double({ min: 1, max: 4, noNaN: true }),
      memoryW: fc.integer({ min: 0, max: 50 }),
      coreW: fc.integer({ min: 0, max: 400 }),
      capFraction: fc.constantFrom(1, 0.9, 0.6),
      smDemand: fraction,
      bandwidth: part,
      sensitivity: part,
      aggressiveness: part,
      share: fraction,
      isWhole: fc.boolean(),
    })
    .map((r) => {
      const time = { hostS: r.hostS, memoryS: r.memoryS, coreS: r.coreS, q: r.q };
      return resident(r.isWhole ? 1 : r.share, {
        time,
        power: { memoryW: r.memoryW, coreW: r.coreW },
        capFraction: r.capFraction,
        smDemand: r.smDemand,
        // What a job uses follows from its memory time: without any, it asks for no bandwidth.
        bandwidthDemand: r.memoryS > 0.05 ? r.bandwidth : 0,
        interference: { sensitivity: r.sensitivity, aggressiveness: r.aggressiveness },
      });
    });
  const settingOf = fc.record({
    mode: fc.constantFrom(...SHARING_MODES),
    clockX: fc.constantFrom(0.2, 0.5, 0.8, 1, 1.2),
    memoryX: fc.constantFrom(0.5, 1),
    powerCapW: fc.double({ min: 60, max: 1000, noNaN: true }),
    switchingLoss: fc.double({ min: 0, max: 0.2, noNaN: true }),
  });
  const residentsOf = fc.array(residentOf, { minLength: 1, maxLength: 6 });

  it('never runs a job faster than alone, and adds up power that goes with the speed achieved', () => {
    fc.assert(
      fc.property(residentsOf, settingOf, (residents, set) => {
        const point = evaluateGpu(GPU, residents, set);
        let powerW = contextPowerW(GPU, point.clockX);
        residents.forEach(({ profile }, i) => {
          const stepS = point.stepS[i] ?? NaN;
          const aloneS = soloStepS(profile, point.clockX, set.memoryX);
          assert.ok(stepS >= aloneS * (1 - 1e-9), `step ${stepS} is below ${aloneS}`);
          const alone = dynamicPowerW(profile.power, GPU.voltage, point.clockX, set.memoryX);
          close(point.dynamicW[i] ?? NaN, (alone * aloneS) / stepS);
          powerW += point.dynamicW[i] ?? NaN;
        });
        close(point.powerW, powerW);
      }),
      { numRuns: 400, seed: 8 },
    );
  });

  it('exceeds the cap only at the lowest clock, and is within a hair of it where it throttles', () => {
    fc.assert(
      fc.property(residentsOf, settingOf, (residents, set) => {
        const point = evaluateGpu(GPU, residents, set);
        assert.ok(point.clockX >= 0.2 && point.clockX <= set.clockX);
        if (point.powerW > set.powerCapW) assert.equal(point.clockX, 0.2);
        if (!point.throttled) assert.equal(point.clockX, set.clockX);
        else if (point.clockX > 0.2) {
          close(point.powerW, set.powerCapW * capFraction(residents, point.dynamicW), 1e-9);
        }
      }),
      { numRuns: 400, seed: 9 },
    );
  });

  it('keeps time slices within one GPU and bandwidth within what there is', () => {
    fc.assert(
      fc.property(residentsOf, settingOf, (residents, set) => {
        const sliced = evaluateGpu(GPU, residents, { ...set, mode: 'time-slice' });
        let speeds = 0;
        residents.forEach(({ profile }, i) => {
          speeds += soloStepS(profile, sliced.clockX, set.memoryX) / (sliced.stepS[i] ?? NaN);
        });
        close(speeds, residents.length === 1 ? 1 : 1 - set.switchingLoss);

        if (residents.length === 1) return;
        const shared = evaluateGpu(GPU, residents, { ...set, mode: 'mps' });
        let used = 0;
        residents.forEach(({ profile }, i) => {
          used += (profile.bandwidthDemand * soloStepS(profile)) / (shared.stepS[i] ?? NaN);
        });
        assert.ok(used <= set.memoryX * (1 + 1e-9), `bandwidth ${used}`);
      }),
      { numRuns: 400, seed: 10 },
    );
  });

  it('does not depend on the order of the residents', () => {
    fc.assert(
      fc.property(residentsOf, settingOf, (residents, set) => {
        const forwards = evaluateGpu(GPU, residents, set);
        const backwards = evaluateGpu(GPU, [...residents].reverse(), set);
        close(backwards.powerW, forwards.powerW, 1e-8);
        closeAll([...backwards.stepS].reverse(), forwards.stepS, 1e-8);
      }),
      { numRuns: 200, seed: 11 },
    );
  });
});
