import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sectionOf, validationSection } from '../../../scripts/validation-section.ts';

const PAGE = new URL('../../../docs/validation.md', import.meta.url);
const data = process.env.HESHARE_DATA ?? '';
const isThere = data !== '' && existsSync(path.join(data, 'calibration'));
const why = isThere ? '' : ' (skipped: HESHARE_DATA names no folder with calibration/)';

describe('the held-out schemes on docs/validation.md', () => {
  it('stand there, with their goals met', () => {
    const section = sectionOf(readFileSync(PAGE, 'utf8'));
    for (let i = 1; i <= 7; i += 1) assert.match(section, new RegExp(`^### ${i}\\. `, 'm'));
    assert.doesNotMatch(section, /\| no \||NaN|undefined/);
  });

  it(`are what heshare calibrate validate computes now${why}`, function () {
    this.timeout(600_000);
    if (!isThere) this.skip();
    const section = sectionOf(readFileSync(PAGE, 'utf8'));
    assert.equal(section.trim(), validationSection(data).trim(), 'stale: run npm run docs');
  });
});
