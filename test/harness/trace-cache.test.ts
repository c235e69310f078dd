import assert from 'node:assert/strict';
import { traceCache } from '../../harness/trace-cache.ts';

describe('the folder of kept traces', () => {
  it('is HESHARE_CACHE, else below the usual folder of caches, else none', () => {
    const home = { HOME: '/home/me' };
    assert.deepEqual(traceCache({ ...home, HESHARE_CACHE: 'mine' }), { dir: 'mine' });
    assert.deepEqual(traceCache({ ...home, XDG_CACHE_HOME: '/c' }), { dir: '/c/heshare' });
    // A relative folder is to be passed over (XDG Base Directory Specification).
    const relative = { ...home, XDG_CACHE_HOME: 'c' };
    assert.deepEqual(traceCache(relative), { dir: '/home/me/.cache/heshare' });
    assert.deepEqual(traceCache(home), { dir: '/home/me/.cache/heshare' });
    assert.equal(traceCache({}), null);
    assert.equal(traceCache({ ...home, HESHARE_CACHE: 'off' }), null);
  });
});
