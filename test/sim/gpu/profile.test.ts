import assert from 'node:assert/strict';
import { gpuTypeNamed, workloadNamed } from '../../../sim/gpu/profile.ts';
import { pairMeasured } from '../../../sim/physics.ts';
import { flatGpu, flatProfile, profileSet } from '../../support/flat.ts';

// By hand: pairs (p, q) and (q, r) on `a`, and (p, q) on `b` with other speeds.

const pair = (gpuType: string, first: string, second: string, speeds: [number, number]) => ({
  gpuType,
  workloads: [first, second] as const,
  speeds,
  source: 'a test',
});
const PAIRS = [
  pair('a', 'p', 'q', [0.9, 0.8]),
  pair('a', 'q', 'r', [0.7, 0.6]),
  pair('b', 'p', 'q', [0.5, 0.4]),
];
const PROFILES = profileSet(
  [flatGpu({ name: 'a' }), flatGpu({ name: 'b' })],
  [flatProfile({ workload: 'p' }), flatProfile({ workload: 'q' })],
);

describe('sim/gpu/profile', () => {
  it('looks types and workloads up by name, and names what there is when there is none', () => {
    assert.equal(gpuTypeNamed(PROFILES, 'b').name, 'b');
    assert.equal(workloadNamed(PROFILES, 'q').name, 'q');
    assert.throws(() => gpuTypeNamed(PROFILES, 'c'), /unknown gpu type 'c', expected one of: a, b/);
    assert.throws(
      () => workloadNamed(PROFILES, 'x'),
      /unknown workload 'x', expected one of: p, q/,
    );
  });

  it('finds the measurement of a pair on a type, whichever way round', () => {
    assert.equal(pairMeasured(PAIRS, 'a', 'p', 'q'), PAIRS[0]);
    assert.equal(pairMeasured(PAIRS, 'a', 'q', 'p'), PAIRS[0]);
    assert.equal(pairMeasured(PAIRS, 'b', 'q', 'p'), PAIRS[2]);
    assert.equal(pairMeasured(PAIRS, 'a', 'p', 'r'), null);
    assert.equal(pairMeasured(PAIRS, 'b', 'r', 'q'), null);
    assert.equal(pairMeasured(PAIRS, 'a', 'p', 'p'), null);
  });
});
