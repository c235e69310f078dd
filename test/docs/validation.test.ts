import assert from 'node:assert/strict';
import { table } from '../../scripts/generate-docs.ts';
import { DATA_FOLDER } from './data.ts';
import { pageText, proseOf } from './markdown.ts';
import { VALIDATION_TABLES } from './validation-tables.ts';

const PAGE = 'docs/validation.md';
const REGION = /<!-- figures: (\w+) -->([\s\S]*?)<!-- end of figures -->/g;

const regions = new Map(
  [...pageText(PAGE).matchAll(REGION)].map((match) => [match[1] as string, match[2] as string]),
);

describe('the figures of docs/validation.md', () => {
  it('stand in tables that are computed, all of them', () => {
    assert.deepEqual([...regions.keys()], Object.keys(VALIDATION_TABLES));
    const prose = proseOf(PAGE)
      .replace(REGION, '')
      .replace(/<!-- calibrate validate -->[\s\S]*?<!-- end -->/, '')
      // Computed too, with a test of its own (test/calibration/validation-page.test.ts).
      .replace(/<!-- calibrate validate -->[\s\S]*?<!-- end -->/, '')
      .replace(/`[^`]*`/g, '');
    assert.deepEqual(prose.match(/\d+\.\d+|\d+ ?%/g), null);
    assert.ok(![...regions.values()].some((text) => /NaN|undefined|Infinity/.test(text)));
  });

  for (const [name, validation] of Object.entries(VALIDATION_TABLES)) {
    const skipped = validation.needsData && DATA_FOLDER === null;
    it(`are those computed now: ${name}${skipped ? ' (skipped: HESHARE_DATA is unset)' : ''}`, async function () {
      this.timeout(120_000);
      if (skipped) this.skip();
      const computed = table(await validation.rows());
      assert.equal(regions.get(name)?.trim(), computed, `${PAGE} is stale: run npm run docs`);
    });
  }

  it('agree with what they are held against', () => {
    const cells = (name: string) =>
      (regions.get(name) ?? '')
        .trim()
        .split('\n')
        .slice(2)
        .map((line) => line.split('|').map((cell) => cell.trim()));
    for (const [, queue, , , theory = '', here = ''] of cells('queueing')) {
      const [ours, half] = here.split('±').map(Number.parseFloat) as [number, number];
      assert.ok(Math.abs(ours - Number.parseFloat(theory)) <= 1.5 * half, queue);
    }
    for (const [, figure, theirs, ours] of cells('simgrid')) assert.equal(ours, theirs, figure);
    for (const [, , schedule, met = ''] of cells('peers')) {
      const [found, all] = met.split(' of ');
      assert.equal(found, all, schedule);
    }
    const percent = (cell = '') => Number.parseFloat(cell);
    const [, heldOut = [], naive = []] = cells('clocks');
    assert.ok(percent(heldOut[2]) < percent(naive[2]) && percent(heldOut[4]) < percent(naive[4]));
    for (const [, , durations = '', gangs = ''] of cells('generator')) {
      assert.ok(Number(durations) <= 0.05 && Number(gangs) <= 0.02);
    }
  });
});
