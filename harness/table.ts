import Table from 'cli-table3';
import type { ComparedFigure, Comparison } from './comparison.ts';
import { displayUnit, METRICS, type Metric, threeDigits } from './metrics.ts';

/** How the table may look. */
export interface TableStyle {
  /** Escape codes for emphasis; never when the output is no terminal or NO_COLOR is set. */
  readonly colours: boolean;
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
};

function percent(fraction: number): string {
  const value = 100 * fraction;
  const digits = Math.abs(value) >= 99.95 ? 0 : 1;
  return value.toFixed(digits);
}

/** From here on a change is told as a factor: per cent would be a long number that says little. */
const LARGE_CHANGE = 10;

/** `-12.3±2.1`: the change in per cent and, where there is one, its half width. */
function changeText({ change }: ComparedFigure, withInterval: boolean): string {
  if (change === null) return '';
  if (change.mean >= LARGE_CHANGE) return `x${threeDigits(1 + change.mean)}`;
  const sign = change.mean >= 0 ? '+' : '';
  const interval =
    change.halfWidth === null || !withInterval ? '' : `±${percent(change.halfWidth)}`;
  return `${sign}${percent(change.mean)}${interval}`;
}

function figureOf(policy: Comparison['policies'][number], metric: Metric): ComparedFigure {
  const figure = policy.figures[metric.name];
  if (figure === undefined) throw new TypeError(`comparison lacks '${metric.name}'`);
  return figure;
}

/** The unit of a column: the one that suits its largest value. */
function columnUnit(comparison: Comparison, metric: Metric) {
  const sizes = comparison.policies.map((policy) => Math.abs(figureOf(policy, metric).mean));
  return displayUnit(metric.units, Math.max(0, ...sizes));
}

function dim(text: string, { colours }: TableStyle): string {
  return colours && text !== '' ? `\u001b[2m${text}\u001b[22m` : text;
}

function bold(text: string, { colours }: TableStyle): string {
  return colours ? `\u001b[1m${text}\u001b[22m` : text;
}

/** One line on what became of the jobs, over all runs. */
export function jobsLine({ jobs }: Comparison): string {
  const reasons = Object.entries(jobs.rejectedByReason)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');
  const rejected = `${jobs.rejected} rejected${reasons === '' ? '' : ` (${reasons})`}`;
  return `jobs: ${jobs.submitted} submitted = ${jobs.done} done + ${jobs.failed} failed + ${rejected}`;
}

/** Whether all seeds gave the same: an interval over them then says nothing. */
function seedsAreAlike({ policies }: Comparison): boolean {
  return policies.every(({ figures }) =>
    Object.values(figures).every(({ halfWidth }) => halfWidth === 0),
  );
}

function notes(comparison: Comparison): string[] {
  const seeds = Math.max(0, ...comparison.policies.map((policy) => policy.seeds.length));
  const per = `${100 * comparison.confidence} %`;
  const alike = seedsAreAlike(comparison);
  const interval =
    seeds < 2 || alike
      ? `${seeds < 2 ? 'one seed only' : 'the seeds change nothing here'}, so no interval can be stated`
      : `± half width of the ${per} interval (paired by seed, Student t, ${seeds} seeds)`;
  return [
    `second line of a policy: change in % (x: factor) against ${comparison.reference}; ${interval}`,
    `${jobsLine(comparison)}; energy conserved to ${comparison.conservationError.toExponential(1)}`,
  ];
}

/**
 * The comparison as a table for people, about 120 columns wide: a policy a row, under each figure
 * the change against the reference.
 */
export function comparisonTable(comparison: Comparison, style: TableStyle): string {
  const units = METRICS.map((metric) => columnUnit(comparison, metric));
  const withInterval = !seedsAreAlike(comparison);
  const table = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 1 },
    colAligns: ['left', ...METRICS.map(() => 'right' as const)],
  });
  table.push([
    bold('policy', style),
    ...METRICS.map(({ title }, i) => bold(`${title}\n${units[i]?.unit ?? ''}`, style)),
  ]);
  for (const policy of comparison.policies) {
    const isReference = policy.label === comparison.reference;
    table.push([
      isReference ? `${policy.label}\n${dim('(reference)', style)}` : policy.label,
      ...METRICS.map((metric, i) => {
        const figure = figureOf(policy, metric);
        const value = threeDigits(figure.mean / (units[i]?.size ?? 1));
        return `${value}\n${dim(changeText(figure, withInterval), style)}`;
      }),
    ]);
  }
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return `${lines.join('\n')}\n\n${notes(comparison).join('\n')}\n`;
}
