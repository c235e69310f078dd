import assert from 'node:assert/strict';
import { loadShippedProfiles } from '../../../calibration/profiles.ts';
import { InputError } from '../../../sim/errors.ts';
import { assignWorkloads, PAI_TAGS } from '../../../traces/assign/index.ts';
import { job } from '../support.ts';

const jobs = [
  job({ id: 'a', model: 'nmt' }),
  job({ id: 'b', model: 'BERT' }),
  job({ id: 'c', model: null, durationS: 400_000, gpuCount: 1 }),
  job({ id: 'd', model: 'speech', durationS: 40_000, gpuCount: 2 }),
  job({ id: 'e', model: 'speech', durationS: 40_000, gpuCount: 2 }),
];
const assign = (options?: unknown) => assignWorkloads(jobs, { rule: 'pai-tag', seed: 1, options });
const workloads = (options?: unknown) => assign(options).jobs.map(({ workload }) => workload);

describe('the rule pai-tag', () => {
  it('gives every tag a workload that has a profile', () => {
    const known = loadShippedProfiles().workloads.map(({ name }) => name);
    for (const [tag, workload] of Object.entries(PAI_TAGS)) {
      assert.ok(known.includes(workload), `${tag}: ${workload}`);
    }
  });

  it('follows the tags, and GPU-hours where they lead nowhere', () => {
    // 111 GPU-hours and 22 of them are in the classes of Pollux from 100 and from 10.
    assert.deepEqual(workloads(), [
      'transformer-gavel-b64',
      'bert-squad-b16',
      'resnet50-imagenet-b32',
      'bert-squad-b16',
      'bert-squad-b16',
    ]);
  });

  it('counts the jobs whose tag leads nowhere', () => {
    const { assumed, options } = assign().record;
    assert.ok(
      assumed.includes(
        "of 5 jobs 1 have no tag and 2 another one ('speech' 2): their models follow pollux-gpu-hours",
      ),
    );
    assert.equal(options.fallback, 'pollux-gpu-hours');
  });

  it('takes tags of the user, and another rule for the rest', () => {
    const options = { map: { Speech: 'deepspeech2-librispeech-b32' }, fallback: 'gavel-mix' };
    const given = workloads(options);
    assert.deepEqual(given.slice(3), [
      'deepspeech2-librispeech-b32',
      'deepspeech2-librispeech-b32',
    ]);
    assert.match(given[2] ?? '', /-gavel/);
    assert.ok(assign(options).record.assumed.some((line) => line.includes('follow gavel-mix')));
  });

  it('says nothing of a rest where every tag is known', () => {
    const { record } = assignWorkloads(jobs.slice(0, 2), { rule: 'pai-tag', seed: 1 });
    assert.ok(!record.assumed.some((line) => line.includes('have no tag')));
  });

  it('refuses a rest that is no rule, or one that needs options', () => {
    const message = /pai-tag: fallback: expected one of .*found 'gavel'/;
    const refused = (error: unknown) => error instanceof InputError && message.test(error.message);
    assert.throws(() => assign({ fallback: 'gavel' }), refused);
    assert.throws(() => assign({ fallback: 'fixed' }), InputError);
    assert.throws(() => assign({ mapp: {} }), InputError);
  });
});
