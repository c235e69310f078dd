import assert from 'node:assert/strict';
import fc from 'fast-check';
import { heaviestMatching } from '../../../policies/muri/matching.ts';
import { close } from '../../support/close.ts';

type Weights = readonly (readonly number[])[];

const weightIn = (weights: Weights) => (a: number, b: number) => weights[a]?.[b] ?? 0;

/** The largest weight of any matching of these vertices, all tried. */
function most(weights: Weights, vertices: readonly number[]): number {
  const [first, ...rest] = vertices;
  if (first === undefined) return 0;
  let best = most(weights, rest);
  for (const other of rest) {
    const others = rest.filter((vertex) => vertex !== other);
    best = Math.max(best, weightIn(weights)(first, other) + most(weights, others));
  }
  return best;
}

describe('the matching of largest weight', () => {
  it('prefers two middling pairs to one good one, by hand', () => {
    // 1-2 is the best pair, but 0-1 and 2-3 weigh 0.6 + 0.6.
    const weights = [
      [0, 0.6, 0, 0],
      [0, 0, 0.9, 0],
      [0, 0, 0, 0.6],
      [0, 0, 0, 0],
    ];
    assert.deepEqual(heaviestMatching(4, weightIn(weights)), [
      [0, 1],
      [2, 3],
    ]);
  });

  it('leaves a vertex of a triangle alone, and pairs nothing without edges', () => {
    const triangle = [
      [0, 0.5, 0.7],
      [0, 0, 0.6],
      [0, 0, 0],
    ];
    assert.deepEqual(heaviestMatching(3, weightIn(triangle)), [[0, 2]]);
    assert.deepEqual(
      heaviestMatching(3, () => 0),
      [],
    );
    assert.deepEqual(
      heaviestMatching(0, () => 1),
      [],
    );
  });

  it('weighs as much as the best of all matchings', () => {
    const graph = fc.integer({ min: 1, max: 8 }).chain((n) =>
      fc.array(
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1e6 })), {
          minLength: n,
          maxLength: n,
        }),
        { minLength: n, maxLength: n },
      ),
    );
    fc.assert(
      fc.property(graph, (parts) => {
        const weights = parts.map((row) => row.map((weight) => weight / 1e6));
        const pairs = heaviestMatching(weights.length, weightIn(weights));
        const matched = pairs.flat();
        assert.equal(new Set(matched).size, matched.length);
        const total = pairs.reduce((sum, [a, b]) => sum + weightIn(weights)(a, b), 0);
        close(total, most(weights, [...weights.keys()]), 1e-9);
      }),
      { numRuns: 200 },
    );
  });
});
