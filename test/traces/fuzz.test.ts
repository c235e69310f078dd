import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { InputError } from '../../sim/errors.ts';
import { FORMATS } from '../../traces/formats.ts';
import { assertNothingLost, fixture, importText } from './support.ts';

const FILES = [
  'philly-small.csv',
  'openb-small.csv',
  'tiresias-hand12.csv',
  'tiresias-crlf.csv',
  'canonical-small.csv',
];
const DAMAGE = [
  '"',
  '\0',
  ',',
  '\n',
  '\r',
  '1e999',
  '-',
  '9'.repeat(400),
  'NaN',
  '\uFEFF',
  '',
  '=1',
  '|',
];

const damaged = fc
  .record({
    name: fc.constantFrom(...FILES),
    hits: fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.nat(40),
        put: fc.oneof(fc.constantFrom(...DAMAGE), fc.string({ maxLength: 8 })),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ name, hits }) => {
    let text = readFileSync(fixture(name), 'utf8');
    for (const { at, cut, put } of hits) {
      const start = Math.floor(at * text.length);
      text = text.slice(0, start) + put + text.slice(start + cut);
    }
    return text;
  });

describe('a damaged trace file', () => {
  it('is read with every row accounted for, or refused with an input error', async () => {
    const format = fc.constantFrom('auto', ...FORMATS.keys());
    const maxBadRows = fc.constantFrom(0, 3, 1000);
    await fc.assert(
      fc.asyncProperty(damaged, format, maxBadRows, async (text, name, allowed) => {
        try {
          const trace = await importText(text, { format: name, maxBadRows: allowed });
          assertNothingLost(trace);
          for (const job of trace.jobs) {
            assert.ok(job.durationS > 0 && Number.isFinite(job.submitS + job.durationS));
            assert.ok(job.gpuCount >= 1 && job.share > 0 && job.share <= 1);
          }
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          assert.ok(error.message.startsWith('t.csv'));
        }
      }),
      { numRuns: 600 },
    );
  });
});
