import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { TimelineWriter } from '../../harness/timeline.ts';
import { temporaryFolder } from './temporary-folder.ts';

const IDLE = { residents: [], shares: [], clockMhz: 1000, powerW: 50 };

describe('harness/timeline', () => {
  const folder = temporaryFolder();

  function written(steps: (timeline: TimelineWriter) => void): string[] {
    const timeline = new TimelineWriter(folder.file('gpus.csv'));
    steps(timeline);
    timeline.close();
    return readFileSync(folder.file('gpus.csv'), 'utf8').trimEnd().split('\n').slice(1);
  }

  it('writes a line for each stretch of time, up to the end', () => {
    const lines = written((timeline) => {
      timeline.add({ gpu: 0, fromS: 0, ...IDLE });
      timeline.add({ gpu: 1, fromS: 0, ...IDLE });
      const busy = { residents: ['a', 'b'], shares: [0.5, 0.25], clockMhz: 1000, powerW: 300 };
      timeline.add({ gpu: 0, fromS: 10, ...busy });
      timeline.finish(30);
    });
    assert.deepEqual(lines, [
      '0,0,10,1000,50,,',
      '0,10,30,1000,300,a b,0.5 0.25',
      '1,0,30,1000,50,,',
    ]);
  });

  it('joins stretches that are alike and leaves out those of no length', () => {
    const lines = written((timeline) => {
      timeline.add({ gpu: 0, fromS: 0, ...IDLE });
      timeline.add({ gpu: 0, fromS: 5, ...IDLE });
      timeline.add({ gpu: 0, fromS: 8, ...IDLE, powerW: 70 });
      timeline.add({ gpu: 0, fromS: 8, ...IDLE, powerW: 90 });
      timeline.finish(9);
    });
    assert.deepEqual(lines, ['0,0,8,1000,50,,', '0,8,9,1000,90,,']);
  });

  it('quotes job ids that would break the line', () => {
    const lines = written((timeline) => {
      timeline.add({ gpu: 0, fromS: 0, ...IDLE, residents: ['a,"b"'], shares: [1] });
      timeline.finish(1);
    });
    assert.deepEqual(lines, ['0,0,1,1000,50,"a,""b""",1']);
  });
});
