import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './data.ts';

/** A fenced block of a page. */
export interface Block {
  /** Path of the page from the root. */
  readonly page: string;
  /** Line of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** `key=value` words behind the language. */
  readonly words: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The pages that are tested, from the root. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
];

/** Text of a page. */
export function pageText(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8');
}

function wordsOf(words: readonly string[]): Record<string, string> {
  const pairs = words.filter((word) => word.includes('='));
  return Object.fromEntries(pairs.map((word) => word.split('=', 2) as [string, string]));
}

/** Fenced blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const text = pageText(page);
  const fences = text.match(/^```/gm)?.length ?? 0;
  const blocks = [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match): Block => {
    const [, info = '', content = ''] = match;
    const [language = '', ...rest] = info.trim().split(/\s+/);
    const line = text.slice(0, match.index).split('\n').length;
    return { page, line, language, words: wordsOf(rest), text: content };
  });
  if (fences !== 2 * blocks.length) throw new Error(`${page}: a block is not closed`);
  return blocks;
}

/** A page without its fenced blocks. */
export function proseOf(page: string): string {
  return pageText(page).replace(/^```.*\n[\s\S]*?^```$/gm, '');
}

/** The section of a page below a heading, to the next heading of the same or a higher level. */
export function sectionOf(page: string, heading: string): string {
  const lines = proseOf(page).split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`${page} has no heading '${heading}'`);
  const level = heading.indexOf(' ');
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return (end < 0 ? rest : rest.slice(0, end)).join('\n');
}

/** Cells of all rows of all tables in a text, headings and rules left out. */
export function tableRows(text: string): string[][] {
  const lines = text.split('\n');
  const isRow = (line: string | undefined) => line?.startsWith('|') === true;
  const isRule = (line: string | undefined) => /^\|(?: *-+ *\|)+$/.test(line ?? '');
  return lines
    .filter((line, i) => isRow(line) && !isRule(line) && !isRule(lines[i + 1]))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}

/** Words in backticks. */
export function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
}

/** What the first cells of the rows of all tables name in backticks. */
export function namesIn(text: string): string[] {
  return tableRows(text).flatMap(([first = '']) => codesIn(first));
}

/** Anchors of the headings of a page, as code hosts make them. */
export function anchorsOf(page: string): Set<string> {
  const headings = proseOf(page)
    .split('\n')
    .filter((line) => /^#+ /.test(line));
  return new Set(
    headings.map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
