import { meetsGoal, type SchemeGoal, type SchemeResult, type SchemeRow } from './scheme.ts';

const HEADER = ['what', 'time', 'power', 'worst', 'goal', 'met', 'naive time', 'naive power'];

/** A fraction as a percentage with two decimals below 10 % and one above; `-` for null. */
export function percent(fraction: number | null): string {
  if (fraction === null) return '-';
  const value = 100 * fraction;
  return `${value.toFixed(value < 9.995 ? 2 : 1)} %`;
}

/** `1.2 % / 1.6 % / 3.5 %` (time, power, worst) with `-` for what is not asked; empty without a goal. */
export function goalText(goal: SchemeGoal): string {
  const parts = [goal.timeMape, goal.powerMape, goal.worst];
  if (parts.every((part) => part === null)) return '';
  return parts
    .map((part) => (part === null ? '-' : `${Number((100 * part).toFixed(4))} %`))
    .join(' / ');
}

/** The scheme as a Markdown section: its goal, a table and its notes. */
export function markdownTable(result: SchemeResult, level = 3): string {
  const rows = bodyOf(result);
  const lines = [
    `${'#'.repeat(level)} ${result.name}`,
    '',
    ...(result.goal.more === '' ? [] : [`Goal: ${result.goal.more}.`, '']),
    `| ${[...HEADER, 'published'].join(' | ')} |`,
    `| --- |${' ---: |'.repeat(3)} --- | --- |${' ---: |'.repeat(2)} --- |`,
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
    ...(result.notes.length === 0 ? [] : ['', ...result.notes.map((note) => `- ${note}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The scheme as aligned columns for a terminal; what was published follows below the rows. */
export function plainTable(result: SchemeResult): string {
  const rows = [HEADER, ...bodyOf(result).map((cells) => cells.slice(0, HEADER.length))];
  const widths = HEADER.map((_, j) => Math.max(...rows.map((cells) => (cells[j] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, j) =>
        isNumeric(j) ? cell.padStart(widths[j] ?? 0) : cell.padEnd(widths[j] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const published = result.rows.flatMap(({ what, published: others }) =>
    others === '' ? [] : [`  ${what}: ${others}`],
  );
  return `${[
    result.name,
    ...rows.map(line),
    ...(published.length === 0 ? [] : ['published:', ...published]),
    ...result.notes.map((note) => `- ${note}`),
  ].join('\n')}\n`;
}

function isNumeric(column: number): boolean {
  return (column >= 1 && column <= 3) || column >= 6;
}

function bodyOf({ goal, rows }: SchemeResult): string[][] {
  return rows.map((row) => cellsOf(row, goal));
}

function cellsOf(row: SchemeRow, goal: SchemeGoal): string[] {
  const met = meetsGoal(row, goal);
  return [
    row.what,
    percent(row.timeMape),
    percent(row.powerMape),
    percent(row.worst),
    goalText(row.goal ?? goal),
    met === null ? '' : met ? 'yes' : 'no',
    percent(row.naiveTime),
    percent(row.naivePower),
    row.published,
  ];
}
