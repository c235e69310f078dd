import assert from 'node:assert/strict';
import {
  loadShippedProfiles,
  mergeProfiles,
  readProfilesFile,
  type UserProfiles,
} from '../../calibration/profiles.ts';
import { InputError } from '../../sim/errors.ts';
import { evaluateGpu } from '../../sim/gpu/evaluate.ts';
import { gpuTypeNamed, type ProfileSet, workloadNamed } from '../../sim/gpu/profile.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const MINIMAL = `
gpus:
  - {name: FLAT, memoryGib: 32, idlePowerW: 50}
workloads:
  - {name: flat, onGpu: {FLAT: {time: {coreS: 1}, power: {coreW: 250}}}}
`;
const EMPTY: ProfileSet = { gpuTypes: [], workloads: [], pairs: [] };

describe('a user profile file', () => {
  const folder = new TemporaryFolder();
  after(() => {
    folder.remove();
  });
  let files = 0;
  const read = (text: string): UserProfiles => {
    files += 1;
    return readProfilesFile(folder.write(`${files}.yaml`, text));
  };
  /** The message without the folder. */
  const errorOf = (text: string, base: ProfileSet = EMPTY): string => {
    try {
      mergeProfiles(base, read(text));
    } catch (error) {
      assert.ok(error instanceof InputError, String(error));
      return `${error.line}:${error.column} ${error.detail}`;
    }
    return assert.fail('no error');
  };

  it('may be as small as two lines', () => {
    const profiles = read(MINIMAL);
    const type = gpuTypeNamed(profiles, 'FLAT');
    assert.deepEqual(type, {
      name: 'FLAT',
      memoryGib: 32,
      memoryBandwidthGBps: 0,
      smCount: 1,
      referenceClockMhz: 1000,
      clocksMhz: [1000],
      referenceMemoryClockMhz: 1,
      powerLimitW: { min: 1e6, default: 1e6, max: 1e6 },
      idlePowerW: 50,
      contextPowerW: 50,
      contextClockW: 0,
      sleepPowerW: 0,
      wakeS: 60,
      voltage: { knee: 1, slope: 0 },
      mpsClientLimit: 48,
      clockTransitionS: 0.03,
      migSlices: [],
      provenance: { '*': { kind: 'user', source: profiles.file } },
    });
    assert.deepEqual(workloadNamed(profiles, 'flat'), {
      name: 'flat',
      kind: 'training',
      batchSize: 1,
      description: '',
      onGpu: {
        FLAT: {
          workload: 'flat',
          gpuType: 'FLAT',
          time: { hostS: 0, memoryS: 0, coreS: 1, q: 1 },
          power: { memoryW: 0, coreW: 250 },
          capFraction: 1,
          memoryGib: 0,
          smDemand: 1,
          bandwidthDemand: 0,
          interference: { sensitivity: 0, aggressiveness: 0 },
          startS: 0,
          restartS: 0,
          checkpointS: 0,
          scaling: { withinNode: 1, acrossNodes: 1 },
          provenance: { '*': { kind: 'user', source: profiles.file } },
          fitError: null,
        },
      },
    });
  });

  it('means 50 W idle and 300 W busy in the simulator', () => {
    const profiles = read(MINIMAL);
    const type = gpuTypeNamed(profiles, 'FLAT');
    const profile = workloadNamed(profiles, 'flat').onGpu.FLAT;
    assert.ok(profile);
    const setting = {
      mode: 'exclusive',
      clockX: 1,
      memoryX: 1,
      powerCapW: type.powerLimitW.default,
      switchingLoss: 0,
    } as const;
    assert.equal(evaluateGpu(type, [], setting).powerW, 50);
    assert.equal(evaluateGpu(type, [{ profile, share: 1 }], setting).powerW, 300);
  });

  it('takes the last of its clocks as reference and one number as power limit', () => {
    const [type] = read(
      'gpus: [{name: A, memoryGib: 1, idlePowerW: 0, clocksMhz: [500, 900], powerLimitW: 200}]',
    ).gpuTypes;
    assert.ok(type);
    assert.equal(type.referenceClockMhz, 900);
    assert.deepEqual(type.powerLimitW, { min: 200, default: 200, max: 200 });
  });

  it('may be JSON', () => {
    const { gpuTypes } = read('{"gpus": [{"name": "J", "memoryGib": 1, "idlePowerW": 2}]}');
    assert.equal(gpuTypes[0]?.name, 'J');
  });

  const gpu = (fields: string): string =>
    `gpus:\n  - {name: A, memoryGib: 8, idlePowerW: 20, ${fields}}\n`;
  const profile = (fields: string): string =>
    `${gpu('')}workloads:\n  - name: w\n    onGpu:\n      A: {${fields}}\n`;
  const cases: [string, string, string][] = [
    [
      'a misspelt key',
      gpu('memroyGib: 3'),
      "2:45 gpus.0.memroyGib: unknown key, did you mean 'memoryGib'?",
    ],
    [
      'a negative power',
      gpu('contextPowerW: -3'),
      '2:60 gpus.0.contextPowerW: expected at least 0, found -3 (and 1 more)',
    ],
    [
      'a context level below idle',
      gpu('contextPowerW: 3'),
      '2:60 gpus.0.contextPowerW: expected at least idlePowerW (20), found 3',
    ],
    [
      'a part of the context level above the whole of it',
      gpu('contextClockW: 30'),
      '2:60 gpus.0.contextClockW: expected at most contextPowerW (20), found 30',
    ],
    [
      'a sleep level above idle',
      gpu('sleepPowerW: 30'),
      '2:58 gpus.0.sleepPowerW: expected at most idlePowerW (20), found 30',
    ],
    [
      'clocks that do not ascend',
      gpu('clocksMhz: [500, 400]'),
      '2:62 gpus.0.clocksMhz.1: expected ascending clocks, found 400 after 500',
    ],
    [
      'a reference clock that is none',
      gpu('clocksMhz: [500], referenceClockMhz: 600'),
      '2:82 gpus.0.referenceClockMhz: expected one of clocksMhz, found 600',
    ],
    [
      'an infinite number',
      gpu('wakeS: .inf'),
      '2:52 gpus.0.wakeS: expected a number, found Infinity',
    ],
    [
      'a number that is none',
      gpu('wakeS: .nan'),
      '2:52 gpus.0.wakeS: expected a number, found NaN',
    ],
    [
      'limits in the wrong order',
      gpu('powerLimitW: {min: 3, default: 2, max: 4}'),
      '2:58 gpus.0.powerLimitW: expected min <= default <= max',
    ],
    [
      'a MIG slice above the whole',
      gpu('migSlices: [1.5]'),
      '2:57 gpus.0.migSlices.0: expected at most 1, found 1.5',
    ],
    [
      'a step without time',
      profile('time: {q: 2}, power: {coreW: 1}'),
      '6:17 workloads.0.onGpu.A.time: expected a step that takes time, found hostS, memoryS and coreS all 0',
    ],
    [
      'a q below 1',
      profile('time: {coreS: 1, q: 0.5}, power: {}'),
      '6:31 workloads.0.onGpu.A.time.q: expected at least 1, found 0.5',
    ],
    [
      'a demand above the whole',
      profile('time: {coreS: 1}, power: {}, smDemand: 1.2'),
      '6:50 workloads.0.onGpu.A.smDemand: expected at most 1, found 1.2',
    ],
    [
      'power that is missing',
      profile('time: {coreS: 1}'),
      '6:10 workloads.0.onGpu.A.power: expected a mapping, found nothing',
    ],
    [
      'a workload without profiles',
      'workloads: [{name: w, onGpu: {}}]',
      '1:30 workloads.0.onGpu: expected a profile for at least one gpu type, found none',
    ],
    [
      'a gpu type twice',
      'gpus:\n  - {name: A, memoryGib: 1, idlePowerW: 1}\n  - {name: A, memoryGib: 2, idlePowerW: 1}\n',
      "3:12 gpus.1.name: duplicate name 'A'",
    ],
    [
      'a workload on an unknown gpu type',
      profile('time: {coreS: 1}, power: {}').replace('      A:', '      B:'),
      "6:7 workloads.0.onGpu.B: unknown gpu type 'B', did you mean 'A'?",
    ],
    [
      'a pair of an unknown workload',
      `${profile('time: {coreS: 1}, power: {}')}pairs:\n  - {gpuType: A, workloads: [w, nothing], speeds: [0.5, 0.5]}\n`,
      "8:33 pairs.0.workloads.1: unknown workload 'nothing', expected one of: w",
    ],
    [
      'a pair on an unknown gpu type',
      `${gpu('')}pairs:\n  - {gpuType: Zebra, workloads: [w, w], speeds: [1, 1]}\n`,
      "4:15 pairs.0.gpuType: unknown gpu type 'Zebra', expected one of: A",
    ],
  ];
  for (const [what, text, message] of cases) {
    it(`is refused for ${what}`, () => {
      assert.equal(errorOf(text), message);
    });
  }

  it('is refused when it is missing, a folder, or binary', () => {
    const failure = (path: string): RegExp | string => {
      try {
        readProfilesFile(path);
      } catch (error) {
        return error instanceof InputError ? error.detail : String(error);
      }
      return 'no error';
    };
    assert.equal(failure(`${folder.path}/none.yaml`), 'no such file');
    assert.equal(failure(folder.path), 'expected a file, found a folder');
    const binary = folder.write('x.bin', new Uint8Array([0, 1, 2, 255]));
    assert.equal(failure(binary), 'expected UTF-8 text, found a binary file');
  });

  it('adds to the shipped profiles, and wins where both have a value', () => {
    const shipped = loadShippedProfiles();
    const merged = mergeProfiles(
      shipped,
      read(`
gpus:
  - {name: V100, memoryGib: 16, idlePowerW: 40}
workloads:
  - name: resnet50-imagenet-b32
    description: mine
    onGpu: {T4: {time: {coreS: 2}, power: {coreW: 40}}}
pairs:
  - {gpuType: V100, workloads: [resnet50-imagenet-b32, ncf-movielens-b512], speeds: [0.9, 0.8]}
`),
    );
    assert.equal(merged.gpuTypes.length, shipped.gpuTypes.length);
    assert.equal(gpuTypeNamed(merged, 'V100').memoryGib, 16);
    const workload = workloadNamed(merged, 'resnet50-imagenet-b32');
    assert.equal(workload.description, 'mine');
    assert.deepEqual(Object.keys(workload.onGpu).sort(), ['A40', 'P100', 'T4', 'V100']);
    assert.equal(merged.pairs.length, shipped.pairs.length + 1);
    assert.equal(merged.pairs.at(-1)?.source, `${folder.path}/${files}.yaml`);
  });

  it('replaces a pair whichever way round it is given', () => {
    const two = (order: string, speeds: string): UserProfiles =>
      read(
        `${MINIMAL}  - {name: b, onGpu: {FLAT: {time: {coreS: 1}, power: {}}}}
pairs: [{gpuType: FLAT, workloads: ${order}, speeds: ${speeds}, source: s}]\n`,
      );
    const base = mergeProfiles(EMPTY, two('[flat, b]', '[0.5, 0.6]'));
    const merged = mergeProfiles(base, two('[b, flat]', '[0.7, 0.8]'));
    assert.deepEqual(merged.pairs, [
      { gpuType: 'FLAT', workloads: ['b', 'flat'], speeds: [0.7, 0.8], source: 's' },
    ]);
  });
});
