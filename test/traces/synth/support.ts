import assert from 'node:assert/strict';

/** Asserts that a number is near another, within a part of it. */
export function near(found: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(found / expected - 1) <= tolerance, `${found} is not near ${expected}`);
}
