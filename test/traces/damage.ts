import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../sim/errors.ts';
import type { ImportOptions } from '../../traces/formats.ts';
import { assertNothingLost, importText } from './support.ts';

const PIECES = [
  ...['"', '\0', ',', '\t', ' ', '\n', '\r', '\r\n', '1e999', '-', '-1', '0', '9'.repeat(400)],
  ...['NaN', '\uFEFF', '', '=1', '|', '\u00E9', '1.5', 'x', '2023-11-16 18:17:03.9799600'],
];

/** Texts with up to six cuts and insertions, and bytes that are no UTF-8 now and then. */
export function damaged(texts: readonly string[]): fc.Arbitrary<Buffer> {
  const hit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat(40),
    put: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })),
  });
  return fc
    .record({
      text: fc.constantFrom(...texts),
      hits: fc.array(hit, { minLength: 1, maxLength: 6 }),
      latin: fc.boolean(),
    })
    .map(({ text: whole, hits, latin }) => {
      let text = whole;
      for (const { at, cut, put } of hits) {
        const start = Math.floor(at * text.length);
        text = text.slice(0, start) + put + text.slice(start + cut);
      }
      return Buffer.from(text, latin ? 'latin1' : 'utf8');
    });
}

/**
 * Imports each text: it must come to sound jobs with every row accounted for, or be refused with an
 * `InputError`.
 */
export async function assertReadOrRefused(
  texts: readonly string[],
  options: ImportOptions,
  numRuns = 200,
): Promise<void> {
  const property = fc.asyncProperty(
    damaged(texts),
    fc.constantFrom(0, 3, 1000),
    async (content, maxBadRows) => {
      try {
        const trace = await importText(content, { ...options, maxBadRows });
        assertNothingLost(trace);
        const ids = new Set<string>();
        for (const { id, submitS, durationS, gpuCount, share, deadlineS } of trace.jobs) {
          ids.add(id);
          assert.ok(durationS > 0 && Number.isFinite(submitS + durationS), id);
          assert.ok(Number.isInteger(gpuCount) && gpuCount >= 1 && share > 0 && share <= 1, id);
          assert.ok(deadlineS === null || (deadlineS > 0 && Number.isFinite(deadlineS)), id);
        }
        assert.equal(ids.size, trace.jobs.length);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        assert.ok(error.message.startsWith('t.csv'), error.message);
      }
    },
  );
  await fc.assert(property, { numRuns });
}
