import assert from 'node:assert/strict';
import type { PolicyDefinition } from '../../policies/policy.ts';
import { POLICIES, policyNamed, resolveOptions } from '../../policies/registry.ts';
import { worldOf } from '../support/flat.ts';
import { policyOn } from './schedule.ts';

const definition: Pick<PolicyDefinition, 'name' | 'options'> = {
  name: 'some',
  options: [
    { name: 'count', default: 2, min: 1, max: 9, description: '', source: '' },
    { name: 'floor', default: 2, min: 1, description: '', source: '' },
    { name: 'any', default: 2, description: '', source: '' },
    { name: 'on', default: false, description: '', source: '' },
    { name: 'kind', default: 'red', choices: ['red', 'green'], description: '', source: '' },
    { name: 'text', default: '1,2', description: '', source: '' },
  ],
};

describe('policies/registry', () => {
  it('lists policies under unique names, each with a source and what checks it', () => {
    const names = POLICIES.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const { title, source, checkedBy, options } of POLICIES) {
      assert.ok(title !== '' && source !== '' && checkedBy !== '');
      for (const option of options) assert.ok(option.description !== '' && option.source !== '');
    }
  });

  it('makes every policy from its defaults, told no more than the registry says', () => {
    for (const { name, duration } of POLICIES) {
      const policy = policyOn(worldOf({}), name);
      assert.equal(policy.name, name);
      if (duration === 'none') assert.equal(policy.information.duration, 'none', name);
    }
    const noisy = policyOn(worldOf({}), 'srtf', { durationNoise: 0.5 });
    assert.deepEqual(noisy.information, { duration: 'estimate', durationNoise: 0.5 });
  });

  it('finds a policy by name and suggests the one that is meant', () => {
    assert.equal(policyNamed('easy').name, 'easy');
    assert.throws(
      () => policyNamed('tiresia'),
      /unknown policy 'tiresia', did you mean 'tiresias'\?/,
    );
    assert.throws(() => policyNamed('quux'), /unknown policy 'quux', expected one of: fifo, /);
  });
});

describe('policies/options', () => {
  const resolve = (given: Record<string, unknown>) => resolveOptions(definition, given);

  it('fills in defaults and takes numbers and booleans as text', () => {
    const defaults = { count: 2, floor: 2, any: 2, on: false, kind: 'red', text: '1,2' };
    assert.deepEqual(resolveOptions(definition), defaults);
    assert.deepEqual(resolve({ count: '3', on: 'true', text: 7 }), {
      ...defaults,
      count: 3,
      on: true,
      text: '7',
    });
    assert.deepEqual(resolve({ on: true, count: undefined }), { ...defaults, on: true });
  });

  it('refuses what is unknown, out of range or of another kind', () => {
    const cases: readonly [Record<string, unknown>, RegExp][] = [
      [{ cuont: 1 }, /policy 'some' has no option 'cuont', did you mean 'count'\?/],
      [{ weird: 1 }, /has no option 'weird', expected one of: count, floor, any, on, kind, text/],
      [{ count: 10 }, /option 'count' is 10, expected a number from 1 to 9/],
      [{ count: '' }, /option 'count' is '', expected a number from 1 to 9/],
      [{ floor: 0 }, /option 'floor' is 0, expected a number >= 1/],
      [{ any: 'x' }, /option 'any' is 'x', expected a number/],
      [{ any: Number.NaN }, /option 'any' is NaN, expected a number/],
      [{ on: 'yes' }, /option 'on' is 'yes', expected true or false/],
      [
        { kind: 'gren' },
        /option 'kind' is 'gren', expected one of: red, green; did you mean 'green'\?/,
      ],
      [{ kind: 'blue' }, /option 'kind' is 'blue', expected one of: red, green/],
      [{ text: null }, /option 'text' is null, expected text/],
    ];
    for (const [given, message] of cases) assert.throws(() => resolve(given), message);
    const none = { name: 'bare', options: [] };
    assert.throws(() => resolveOptions(none, { a: 1 }), /'bare' has no option 'a', it has none/);
  });
});
