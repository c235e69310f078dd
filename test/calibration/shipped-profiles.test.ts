import assert from 'node:assert/strict';
import { isExtrapolated, loadShippedProfiles } from '../../calibration/profiles.ts';
import { evaluateGpu, soloStepS } from '../../sim/gpu/evaluate.ts';
import { contextPowerW } from '../../sim/gpu/power.ts';
import { gpuTypeNamed, type WorkloadProfile, workloadNamed } from '../../sim/gpu/profile.ts';

const profiles = loadShippedProfiles();
const all = loadShippedProfiles({ allowExtrapolated: true });

const solo = (profile: WorkloadProfile, clockX = 1, powerCapW?: number) => {
  const type = gpuTypeNamed(profiles, profile.gpuType);
  return evaluateGpu(type, [{ profile, share: 1 }], {
    mode: 'exclusive',
    clockX,
    memoryX: 1,
    powerCapW: powerCapW ?? type.powerLimitW.default,
    switchingLoss: 0,
  });
};
const profileOf = (workload: string, gpuType: string): WorkloadProfile =>
  workloadNamed(profiles, workload).onGpu[gpuType] ?? assert.fail(`no ${workload} on ${gpuType}`);
const ZEUS_JOBS = [
  'bert-sentiment140-b32',
  'bert-squad-b16',
  'deepspeech2-librispeech-b32',
  'ncf-movielens-b512',
  'resnet50-imagenet-b32',
  'shufflenetv2-cifar100-b128',
];

describe('the shipped profiles', () => {
  it('hold five gpu types', () => {
    assert.deepEqual(
      profiles.gpuTypes.map(({ name }) => name),
      ['A100', 'A40', 'P100', 'T4', 'V100'],
    );
  });

  it('hold the six Zeus jobs on three gpu types each', () => {
    for (const name of ZEUS_JOBS) {
      assert.deepEqual(Object.keys(workloadNamed(profiles, name).onGpu).sort(), [
        'A40',
        'P100',
        'V100',
      ]);
    }
  });

  it('hold four inference models and fourteen networks of the clock set on the V100', () => {
    const names = profiles.workloads.map(({ name }) => name);
    assert.equal(names.filter((name) => name.endsWith('-v100clocks')).length, 14);
    assert.equal(names.length, 24);
    const inference = profiles.workloads.filter(({ kind }) => kind === 'inference');
    assert.deepEqual(
      inference.map(({ name }) => name),
      ['alexnet-tensorrt-b16', 'resnet50-tensorrt-b16', 'ssd-tensorrt-b16', 'vgg19-tensorrt-b16'],
    );
  });

  it('hold nothing that was not measured unless asked for', () => {
    for (const { onGpu } of profiles.workloads) {
      for (const profile of Object.values(onGpu)) assert.equal(isExtrapolated(profile), false);
    }
    const added = all.workloads.flatMap(({ onGpu }) => Object.values(onGpu).filter(isExtrapolated));
    assert.deepEqual([...new Set(added.map(({ gpuType }) => gpuType))].sort(), ['A100', 'T4']);
    assert.equal(added.length, 2 * ZEUS_JOBS.length);
  });

  it('name a source for every field', () => {
    const fields = [
      'time',
      'power',
      'memoryGib',
      'smDemand',
      'bandwidthDemand',
      'interference',
      'startS',
      'restartS',
      'checkpointS',
      'scaling',
    ];
    for (const { name, onGpu } of all.workloads) {
      for (const { provenance } of Object.values(onGpu)) {
        for (const field of fields) assert.ok(provenance[field], `${name}: ${field}`);
        assert.ok(Object.values(provenance).every(({ kind }) => kind !== 'user'));
      }
    }
    for (const { provenance } of all.gpuTypes) assert.ok(provenance['*'] && provenance.voltage);
  });

  it('fit the memory of their gpu types', () => {
    for (const { onGpu } of all.workloads) {
      for (const { gpuType, memoryGib } of Object.values(onGpu)) {
        assert.ok(memoryGib > 0 && memoryGib <= gpuTypeNamed(all, gpuType).memoryGib);
      }
    }
  });

  it('run slower and draw less at every lower clock', () => {
    for (const { onGpu } of all.workloads) {
      for (const profile of Object.values(onGpu)) {
        const type = gpuTypeNamed(all, profile.gpuType);
        const clocks = type.clocksMhz.map((clock) => clock / type.referenceClockMhz);
        const points = clocks.map((x) => ({
          s: soloStepS(profile, x),
          w: solo(profile, x, 1e6).powerW,
        }));
        points.slice(1).forEach((point, i) => {
          assert.ok(point.s <= (points[i]?.s ?? 0) && point.w >= (points[i]?.w ?? 0));
        });
      }
    }
  });

  it('stay near the power limit of their gpu type at full clock', () => {
    for (const { name, onGpu } of all.workloads) {
      for (const profile of Object.values(onGpu)) {
        const type = gpuTypeNamed(all, profile.gpuType);
        const powerW = solo(profile, 1, 1e6).powerW;
        // VGG19 inference asks for more than the limit of a V100, and is throttled in reality too.
        assert.ok(powerW <= 1.35 * type.powerLimitW.default, `${name} draws ${powerW} W`);
      }
    }
  });

  it('carry errors of the fit where there was one', () => {
    for (const { name, onGpu } of profiles.workloads) {
      for (const { gpuType, fitError } of Object.values(onGpu)) {
        if (name === 'ncf-movielens-b512' && gpuType === 'V100') continue;
        assert.ok(fitError && (fitError.timeMape ?? 0) < 0.06 && (fitError.powerMape ?? 0) < 0.1);
      }
    }
  });

  it('own up that a host-bound job drew less on the card measured than the context of a V100', () => {
    const { fitError, power } = profileOf('ncf-movielens-b512', 'V100');
    assert.deepEqual(power, { memoryW: 0, coreW: 0 });
    const error = fitError?.powerMape ?? 0;
    assert.ok(error > 0.2 && error < 0.3);
  });

  it('ship the average power under a cap that was measured', () => {
    assert.ok(profileOf('resnet50-imagenet-b32', 'V100').capFraction < 0.97);
    assert.equal(profileOf('ncf-movielens-b512', 'V100').capFraction, 1);
    const point = solo(profileOf('resnet50-imagenet-b32', 'V100'), 1, 150);
    assert.ok(point.throttled && point.powerW < 0.97 * 150);
  });

  it('keep a context above the idle level of a V100 at every clock', () => {
    const type = gpuTypeNamed(profiles, 'V100');
    for (const clock of type.clocksMhz) {
      const watts = contextPowerW(type, clock / type.referenceClockMhz);
      assert.ok(watts >= type.idlePowerW - 0.01 && watts <= 53.5);
    }
    assert.equal(contextPowerW(type, 1), 53.5);
  });

  it('have the clock set take one second at the reference clock', () => {
    for (const { name, onGpu } of profiles.workloads) {
      if (!name.endsWith('-v100clocks')) continue;
      const profile = onGpu.V100 ?? assert.fail(name);
      assert.ok(Math.abs(soloStepS(profile) - 1) < 0.03, name);
    }
  });

  it('let an A40 exceed a cap of 100 W that it cannot hold', () => {
    const point = solo(profileOf('bert-squad-b16', 'A40'), 1, 100);
    assert.equal(point.throttled, true);
    assert.ok(point.powerW > 100 && point.powerW < 115, String(point.powerW));
  });

  it('find the best clock for energy in the lower half of the range of a V100', () => {
    // The data set puts it at 757..1080 MHz, at 952 MHz for most of the heavy applications.
    const type = gpuTypeNamed(profiles, 'V100');
    const profile = profileOf('resnet50-v100clocks', 'V100');
    const energies = type.clocksMhz.map((clock) => {
      const x = clock / type.referenceClockMhz;
      return { clock, joules: solo(profile, x).powerW * soloStepS(profile, x) };
    });
    const best = energies.reduce((a, b) => (b.joules < a.joules ? b : a));
    assert.ok(best.clock >= 757 && best.clock <= 1080, `${best.clock} MHz`);
  });
});
