import assert from 'node:assert/strict';
import { defaultLabel, parsePolicyText, splitPolicyList } from '../../harness/policy-text.ts';

describe('harness/policy-text', () => {
  it('reads a name with options as numbers, booleans and words', () => {
    assert.deepEqual(parsePolicyText('heshare:energyWeight=0.25,dvfs=false,order=sjf'), {
      name: 'heshare',
      options: { energyWeight: 0.25, dvfs: false, order: 'sjf' },
    });
  });

  it('takes the noise on what a policy is told apart from its own options', () => {
    const request = parsePolicyText('gavel:profileNoise=0.1,roundS=360');
    assert.deepEqual(request, { name: 'gavel', options: { roundS: 360 }, profileNoise: 0.1 });
    assert.equal(defaultLabel(request), 'gavel:roundS=360,profileNoise=0.1');
  });

  it('splits a comma list without tearing options apart', () => {
    assert.deepEqual(splitPolicyList('fifo,heshare:a=1,b=2,srtf, ./mine.ts:c=x'), [
      'fifo',
      'heshare:a=1,b=2',
      'srtf',
      './mine.ts:c=x',
    ]);
  });

  it('labels a file by its name', () => {
    assert.equal(defaultLabel(parsePolicyText('./some/my-policy.ts:k=2')), 'my-policy:k=2');
  });

  it('keeps the drive letter of a path', () => {
    assert.deepEqual(parsePolicyText('C:\\mine.js:k=2'), {
      name: 'C:\\mine.js',
      options: { k: 2 },
    });
  });

  it('refuses an option without a value', () => {
    assert.throws(
      () => parsePolicyText('heshare:dvfs'),
      /expected option=value behind 'heshare:', found 'dvfs'/,
    );
  });
});
