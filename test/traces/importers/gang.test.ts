import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RowError } from '../../../traces/csv/row.ts';
import { gangOf } from '../../../traces/importers/gang.ts';

describe('a gang of workers', () => {
  it('has a GPU for each, or a part of one, or the next whole number of them', () => {
    assert.deepEqual(gangOf(1, 0.5), { gpuCount: 1, share: 0.5 });
    assert.deepEqual(gangOf(4, 0.25), { gpuCount: 4, share: 0.25 });
    assert.deepEqual(gangOf(3, 2), { gpuCount: 6, share: 1 });
    assert.deepEqual(gangOf(2, 1.5), { gpuCount: 4, share: 0.75 });
    assert.deepEqual(gangOf(1, 2.0000000000000004), { gpuCount: 2, share: 1 });
    assert.equal(gangOf(0, 1), null);
    assert.equal(gangOf(5, 0), null);
  });

  it('is not larger than any that traces have', () => {
    assert.throws(() => gangOf(1_000_000, 2), RowError);
  });

  it('asks in all for what its workers do', () => {
    const workers = fc.integer({ min: 1, max: 100 });
    const each = fc.double({ min: 1e-3, max: 64, noNaN: true });
    fc.assert(
      fc.property(workers, each, (count, gpus) => {
        const gang = gangOf(count, gpus);
        assert.ok(gang !== null && gang.share > 0 && gang.share <= 1);
        assert.equal(gang.gpuCount % count, 0);
        assert.ok(Math.abs(gang.gpuCount * gang.share - count * gpus) <= 1e-6);
        assert.ok(gang.gpuCount < count * (gpus + 1));
      }),
    );
  });
});
