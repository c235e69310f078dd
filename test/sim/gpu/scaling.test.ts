import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gangSpeedup, relativeGangSpeed } from '../../../sim/gpu/scaling.ts';
import { close } from '../../support/close.ts';

const SCALING = { withinNode: 0.8, acrossNodes: 0.5 };

const part = fc.double({ min: 0.5, max: 1, noNaN: true });
const scaling = fc.record({ withinNode: part, acrossNodes: part });
const count = fc.integer({ min: 1, max: 64 });

describe('gangSpeedup', () => {
  it('keeps a part of the throughput at each doubling, within a node and across nodes', () => {
    assert.equal(gangSpeedup(SCALING, 1, 1), 1);
    close(gangSpeedup(SCALING, 2, 1), 2 * 0.8);
    close(gangSpeedup(SCALING, 4, 1), 4 * 0.8 * 0.8);
    close(gangSpeedup(SCALING, 2, 2), 2 * 0.5);
    close(gangSpeedup(SCALING, 4, 2), 4 * 0.8 * 0.5);
    close(gangSpeedup(SCALING, 8, 4), 8 * 0.8 * 0.5 * 0.5);
  });

  it('takes other counts as fractions of a doubling', () => {
    close(gangSpeedup(SCALING, 3, 1), 3 * 0.8 ** 1.584962500721156);
    // Three on two nodes are 1.5 a node.
    close(gangSpeedup(SCALING, 3, 2), 3 * 0.8 ** 0.5849625007211562 * 0.5);
  });

  it('never falls with more GPUs on as many nodes, and is never more than their number', () => {
    fc.assert(
      fc.property(scaling, count, count, (s, gpus, nodes) => {
        fc.pre(nodes <= gpus);
        const speedup = gangSpeedup(s, gpus, nodes);
        assert.ok(speedup <= gpus * (1 + 1e-12));
        assert.ok(gangSpeedup(s, gpus + 1, nodes) >= speedup * (1 - 1e-12));
      }),
    );
  });
});

describe('relativeGangSpeed', () => {
  it('is the ratio of two speedups on as few nodes as can hold the gangs', () => {
    // In nodes of four: 1 -> 4 is 2.56; 4 -> 8 doubles the nodes; 8 -> 2 is 1.6 / (8 * 0.64 * 0.5).
    close(relativeGangSpeed(SCALING, 1, 4, 1, 4), 2.56);
    close(relativeGangSpeed(SCALING, 4, 8, 2, 4), 2 * 0.5);
    close(relativeGangSpeed(SCALING, 8, 2, 1, 4), 1.6 / 2.56);
  });

  it('loses acrossNodes for each doubling of the nodes beyond those, at any size', () => {
    assert.equal(relativeGangSpeed(SCALING, 4, 4, 1, 4), 1);
    assert.equal(relativeGangSpeed(SCALING, 4, 4, 4, 4), 0.25);
    close(relativeGangSpeed(SCALING, 1, 4, 4, 4), 2.56 * 0.25);
    assert.equal(relativeGangSpeed({ ...SCALING, acrossNodes: 1 }, 4, 4, 4, 4), 1);
  });

  it('goes from one size to another and back without gain or loss', () => {
    fc.assert(
      fc.property(scaling, count, count, fc.integer({ min: 1, max: 16 }), (s, a, b, perNode) => {
        const fewest = (gpus: number) => Math.ceil(gpus / perNode);
        const there = relativeGangSpeed(s, a, b, fewest(b), perNode);
        close(there * relativeGangSpeed(s, b, a, fewest(a), perNode), 1);
      }),
    );
  });
});
