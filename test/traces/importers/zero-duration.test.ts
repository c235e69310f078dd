import assert from 'node:assert/strict';
import { InputError } from '../../../sim/errors.ts';
import { ZeroDurationRule } from '../../../traces/importers/zero-duration.ts';

describe('what ran for no time', () => {
  it('is left out, kept or taken as a second, and counted', () => {
    const apply = (zeroDuration: string) => {
      const rule = new ZeroDurationRule('t.csv', { zeroDuration });
      return [[5, 0, -1].map((durationS) => rule.apply(durationS)), rule.assumed().length];
    };
    assert.deepEqual(apply('drop'), [[5, null, null], 0]);
    assert.deepEqual(apply('keep'), [[5, 0, null], 1]);
    assert.deepEqual(apply('one-second'), [[5, 1, 1], 1]);
    assert.equal(new ZeroDurationRule('t.csv', {}).choice, 'drop');
  });

  it('has no other choice', () => {
    assert.throws(() => new ZeroDurationRule('t.csv', { zeroDuration: 'kep' }), InputError);
    assert.throws(
      () => new ZeroDurationRule('t.csv', { zeroDuration: 'kep' }),
      /option zeroDuration: expected one of 'drop', 'keep', .* found 'kep'; did you mean 'keep'\?/,
    );
  });
});
