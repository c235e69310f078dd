import assert from 'node:assert/strict';
import { canonicalJson, contentId, readableJson } from '../../harness/canonical.ts';

describe('harness/canonical', () => {
  it('does not depend on the order of keys or on absent fields', () => {
    const a = { b: 1, a: [{ d: undefined, c: Number.POSITIVE_INFINITY }] };
    const b = { a: [{ c: Number.POSITIVE_INFINITY }], b: 1 };
    assert.equal(canonicalJson(a), '{"a":[{"c":"Infinity"}],"b":1}');
    assert.equal(contentId(a), contentId(b));
    assert.match(contentId(a), /^[0-9a-f]{12}$/);
  });

  it('tells different content apart', () => {
    assert.notEqual(contentId({ seed: 1 }), contentId({ seed: 2 }));
  });

  it('writes numbers so that they read back the same', () => {
    const value = { x: 0.1 + 0.2, y: 1e-300 };
    assert.deepEqual(JSON.parse(readableJson(value)), value);
  });
});
