import assert from 'node:assert/strict';
import { compareRuns } from '../../harness/comparison.ts';
import { comparisonFigure } from '../../harness/comparison-figure.ts';
import { COLOURS, drawFigure } from '../../harness/figure.ts';
import { madeRun } from './made-runs.ts';

const runs = ['fifo', 'heshare'].flatMap((label, i) =>
  [1, 2].map((seed) =>
    madeRun(label, seed, 1e4 * (1 + seed - 0.3 * i), 1e9 * (1 + seed - 0.4 * i)),
  ),
);

describe('harness/figure', () => {
  it('draws time and energy of every policy, in colours that everyone can tell apart', async () => {
    const { svg } = await drawFigure(comparisonFigure(compareRuns('demo', 'fifo', runs, [])));
    for (const word of [
      'fifo',
      'heshare',
      'mean job completion time',
      'energy of all GPUs',
      'reconstruction',
    ]) {
      assert.ok(svg.includes(word), `'${word}' is not in the picture`);
    }
    for (const colour of [COLOURS[0], COLOURS[3]]) assert.ok(svg.includes(colour));
  });

  it('draws the same bytes again, as SVG and as PNG', async () => {
    const spec = comparisonFigure(compareRuns('demo', 'fifo', runs, []));
    const [first, second] = [await drawFigure(spec), await drawFigure(spec)];
    assert.equal(first.svg, second.svg);
    assert.deepEqual(first.png, second.png);
    assert.equal(Buffer.from(first.png.subarray(1, 4)).toString(), 'PNG');
  });

  it('draws the labels: a picture without its fonts would be smaller', async () => {
    const spec = comparisonFigure(compareRuns('demo', 'fifo', runs, []));
    const bare = { ...spec, title: '' };
    const [full, less] = [await drawFigure(spec), await drawFigure(bare)];
    assert.ok(full.png.length > less.png.length + 3000);
  });
});
