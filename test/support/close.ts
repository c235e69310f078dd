import assert from 'node:assert/strict';

/** Asserts that two numbers agree within a relative error (absolute where the expected one is 0). */
export function close(actual: number, expected: number, relative = 1e-9, what = ''): void {
  const error = Math.abs(actual - expected) / (expected === 0 ? 1 : Math.abs(expected));
  assert.ok(error <= relative, `${what} ${actual} is not within ${relative} of ${expected}`);
}
