import path from 'node:path';
import { readableJson } from './canonical.ts';
import { type Comparison, comparisonCsv } from './comparison.ts';
import { comparisonFigure } from './comparison-figure.ts';
import { drawFigure } from './figure.ts';
import { replaceFile } from './run-directory.ts';

/** Files that a comparison leaves in its output folder, beside the runs. */
export const COMPARISON_FILES = [
  'comparison.json',
  'comparison.csv',
  'comparison.svg',
  'comparison.png',
] as const;

/** Writes {@link COMPARISON_FILES}, each in one step. */
export async function writeComparison(out: string, comparison: Comparison): Promise<void> {
  const { svg, png } = await drawFigure(comparisonFigure(comparison));
  const contents = [readableJson(comparison), comparisonCsv(comparison), svg, png];
  for (const [i, name] of COMPARISON_FILES.entries()) {
    replaceFile(path.join(out, name), contents[i] as string | Uint8Array);
  }
}
