import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { startProgress } from '../../harness/progress.ts';

function sink(isTTY: boolean) {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString());
      done();
    },
  });
  return { written, stream: Object.assign(stream, { isTTY }) };
}

describe('harness/progress', () => {
  it('says nothing when it is quiet', () => {
    const { written, stream } = sink(false);
    const progress = startProgress({ stream, quiet: true }, 'compare');
    progress.update(0.5, 1, 2);
    progress.stop();
    assert.deepEqual(written, []);
  });

  it('does not flood a log with a line an update', () => {
    const { written, stream } = sink(false);
    const progress = startProgress({ stream, quiet: false }, 'compare');
    for (let i = 0; i < 1000; i += 1) progress.update(i / 1000, 0, 10);
    progress.stop();
    assert.ok(written.length <= 1, `${written.length} lines`);
  });
});
