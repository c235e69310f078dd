/**
 * `node --import tsx scripts/validation-section.ts`: writes the part of docs/validation.md that
 * `heshare calibrate validate` computes. Needs HESHARE_DATA; without it nothing is written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadShippedProfiles } from '../calibration/profiles.ts';
import { literatureCells, runSchemes } from '../calibration/validate/schemes.ts';
import { markdownTable } from '../calibration/validate/table.ts';

const START = '<!-- calibrate validate -->';
const END = '<!-- end -->';
const PAGE = fileURLToPath(new URL('../docs/validation.md', import.meta.url));

/** The generated part of the page, between its markers. */
export function validationSection(dataFolder: string): string {
  const { schemes, literature } = runSchemes(dataFolder, [], loadShippedProfiles().gpuTypes);
  const [head = [], ...rows] = literatureCells(literature);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    ...schemes.map((scheme) => markdownTable(scheme, 3)),
    [
      '### 7. Reproduced from the literature\n',
      line(head),
      line(head.map(() => '---')),
      ...rows.map(line),
      '',
    ].join('\n'),
  ].join('\n');
}

/** The part of a page between the markers. @throws {RangeError} where it has none */
export function sectionOf(page: string): string {
  const [start, end] = placesOf(page);
  return page.slice(start, end);
}

/** A page with another text between its markers. */
export function withSection(page: string, section: string): string {
  const [start, end] = placesOf(page);
  return `${page.slice(0, start)}\n\n${section.trim()}\n\n${page.slice(end)}`;
}

function placesOf(page: string): [start: number, end: number] {
  const start = page.indexOf(START);
  const end = page.indexOf(END, start);
  if (start < 0 || end < 0) throw new RangeError(`expected ${START} and ${END} in the page`);
  return [start + START.length, end];
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === import.meta.filename) {
  const data = process.env.HESHARE_DATA;
  if (data === undefined || data === '') {
    process.stderr.write(
      'held-out schemes of docs/validation.md left as they are: no HESHARE_DATA\n',
    );
  } else {
    writeFileSync(PAGE, withSection(readFileSync(PAGE, 'utf8'), validationSection(data)));
  }
}
