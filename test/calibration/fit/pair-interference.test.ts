import assert from 'node:assert/strict';
import { fitShrunkInterference } from '../../../calibration/fit/pair-interference.ts';
import { close } from '../../support/close.ts';

const extraOf = (
  terms: ReturnType<typeof fitShrunkInterference>,
  workload: string,
  other: string,
): number => terms(workload).sensitivity * terms(other).aggressiveness;

describe('calibration/fit/pair-interference', () => {
  const pairs = [
    { workload: 'a', other: 'b', extra: 0.1 },
    { workload: 'b', other: 'a', extra: 0.3 },
  ];

  it('is the mean over ordered pairs at infinite shrinkage, however many rows each has', () => {
    const rows = [...pairs, ...pairs.slice(0, 1), ...pairs.slice(0, 1)];
    const terms = fitShrunkInterference(rows, Infinity);
    close(extraOf(terms, 'a', 'b'), 0.2, 1e-12);
    close(extraOf(terms, 'x', 'y'), 0.2, 1e-12);
  });

  it('follows each pair as the shrinkage falls, and lies between it and the mean before', () => {
    const at = (shrinkage: number): number =>
      extraOf(fitShrunkInterference(pairs, shrinkage), 'b', 'a');
    close(at(1e-8), 0.3, 1e-5);
    assert.ok(0.2 < at(1) && at(1) < at(0.1) && at(0.1) < 0.3);
  });

  it('carries terms over to a pair that was not seen', () => {
    const made = { a: [0.05, 2], b: [0.1, 0.5], c: [0.2, 1] } as const;
    const names = ['a', 'b', 'c'] as const;
    const rows = names.flatMap((workload) =>
      names.flatMap((other) =>
        workload === other || (workload === 'c' && other === 'a')
          ? []
          : [{ workload, other, extra: made[workload][0] * made[other][1] }],
      ),
    );
    // c beside a was never seen; c is known beside b, a from what it did to b.
    const terms = fitShrunkInterference(rows, 1e-6);
    close(extraOf(terms, 'c', 'a'), 0.4, 0.01);
    assert.ok(extraOf(fitShrunkInterference(rows, 1), 'c', 'a') < 0.35);
  });

  it('is none where pairs ran no slower together', () => {
    const terms = fitShrunkInterference([{ workload: 'a', other: 'b', extra: -0.1 }], 0.1);
    assert.equal(extraOf(terms, 'a', 'b'), 0);
  });
});
