import assert from 'node:assert/strict';
import { knownTable } from '../../traces/no-trace.ts';
import { importText, messageOf } from './support.ts';

const head = (text: string) => ({ path: 't.csv', firstLine: text.split('\n', 1)[0] ?? '', text });

describe('a file that is known and no trace', () => {
  it('is refused by what it is', async () => {
    assert.equal(
      await messageOf(importText('job_id,priority\n765472,10326\n')),
      't.csv:1 is no trace of jobs but run times that Lucid predicted',
    );
    assert.match(await messageOf(importText('duration\n121\n')), /but a sample of run times/);
    assert.match(
      await messageOf(importText('{"philly": ["500:0:0"]}\n')),
      /but a cluster of Gavel/,
    );
  });

  it('is known by its columns, and by no others where it has few', () => {
    assert.equal(knownTable(head(',num\nvcA,9\n')), 'the nodes of each virtual cluster of Lucid');
    assert.equal(knownTable(head('job_id,priority,user\n')), null);
    assert.equal(knownTable(head('power_w,cdf_pct,more\n')), 'a distribution of GPU power');
    assert.equal(knownTable(head('{"jobs": []}\n')), null);
    assert.equal(knownTable(head('')), null);
  });
});
