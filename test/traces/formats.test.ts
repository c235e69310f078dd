import assert from 'node:assert/strict';
import { FORMATS, importTrace } from '../../traces/formats.ts';
import * as importers from '../../traces/importers/index.ts';
import { assertNothingLost, fixture, importText, messageOf } from './support.ts';

const CANONICAL = 'id,submit_s,duration_s,gpus\n';

describe('formats', () => {
  it('are registered by their names, each once', () => {
    const names = Object.values(importers).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual([...FORMATS.keys()], names);
    assert.ok(names.includes('canonical-csv') && names.includes('gavel'));
  });

  it('can be named, and then nothing is recognised', async () => {
    const trace = await importTrace(fixture('philly-small.csv'), { format: 'philly-csv' });
    assert.equal(trace.recognisedBy, null);
    assert.equal(trace.name, 'philly-small');
  });

  it('have near misses pointed out', async () => {
    const message = await messageOf(importText(CANONICAL, { format: 'philly-cvs' }));
    assert.match(message, /unknown format 'philly-cvs'; .*did you mean 'philly-csv'\?/);
    assert.equal(
      await messageOf(importText('timestamp,duration,num_gpu,cluster\n')),
      "t.csv:1:1 column 'num_gpus' is missing; found: 'timestamp', 'duration', 'num_gpu', 'cluster'; " +
        "did you mean 'num_gpu'? (closest format: 'philly-csv')",
    );
  });

  it('that are unknown are listed', async () => {
    const message = await messageOf(importText('x,y\n1,2\n'));
    assert.match(
      message,
      /^t\.csv:1 format not recognised by the first line 'x,y'; known: .*'canonical-csv'/,
    );
  });
});

describe('a trace file', () => {
  it('without jobs is an error that says why', async () => {
    assert.match(await messageOf(importText(CANONICAL)), /has no jobs: 0 rows read$/);
    const message = await messageOf(importText(`${CANONICAL}a,0,1,0\nb,0,0,1\n`));
    assert.match(
      message,
      /has no jobs: 2 rows read, left out: 1 cpu_only, 1 nonpositive_duration$/,
    );
  });

  it('with a torn last line is an error', async () => {
    const message = await messageOf(importText(`${CANONICAL}a,0,1,1\nb,0`, { maxBadRows: 5 }));
    assert.match(message, /^t\.csv:3 is cut off: the last line has 2 of 4 cells and no line end/);
  });

  it('with a row of another width has a bad row', async () => {
    const text = `${CANONICAL}a,0,1,1\nb,0\nc,1,1,1,1\n`;
    const trace = await importText(text, { maxBadRows: 2 });
    assert.deepEqual(trace.report.badRowExamples, [
      't.csv:3 expected 4 cells, found 2',
      't.csv:4 expected 4 cells, found 5',
    ]);
    assertNothingLost(trace);
  });

  it('may have one bad row in a hundred and no more', async () => {
    const rows = Array.from({ length: 199 }, (_, index) => `${index},${index},1,1\n`);
    const text = (bad: number) => `${CANONICAL}${rows.join('')}${'x,x,1,1\n'.repeat(bad)}`;
    assert.equal((await importText(text(1))).report.dropped.bad_row, 1);
    assert.match(
      await messageOf(importText(text(3))),
      /3 of 202 rows are bad; allowed: 1 % of the/,
    );
    assert.match(await messageOf(importText(text(1), { maxBadRows: 0 })), /allowed: 0/);
  });

  it('keeps the first five bad rows as examples', async () => {
    const text = `${CANONICAL}a,0,1,1\n${'b,x,1,1\n'.repeat(9)}`;
    const { report } = await importText(text, { maxBadRows: 9 });
    assert.equal(report.badRowExamples.length, 5);
    assert.equal(report.badRowExamples[0], "t.csv:3:3 submit_s: expected a number, found 'x'");
    assert.equal(report.dropped.bad_row, 9);
  });

  it('keeps numbers within what a simulation can add up', async () => {
    for (const row of ['a,1e999,1,1', 'a,1e13,1,1', 'a,0,1e13,1', 'a,0,1,1e9', 'a,-1,1,1']) {
      assert.match(await messageOf(importText(`${CANONICAL}${row}\n`)), /1 of 1 rows are bad/, row);
    }
  });
});
