import type { ClusterDemand } from './cluster-demand.ts';
import { DROP_REASONS, type DropReason, type QualityReport } from './report.ts';
import type { Concurrency } from './statistics/concurrency.ts';
import type { Coverage } from './statistics/coverage.ts';
import { figure, percentOf } from './statistics/figures.ts';
import type { Frequencies } from './statistics/frequency.ts';
import type { Range, Spread } from './statistics/range.ts';

const LABEL_WIDTH = 20;
/** Values of a field that one line names. */
const NAMED = 8;
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

type Rows = (label: string, value: string) => void;

function rangeText(range: Range | null, unit = ''): string {
  if (range === null) return '-';
  const { min, median, max } = range;
  return `${figure(min)} / ${figure(median)} / ${figure(max)}${unit}`;
}

function spreadText(spread: Spread | null): string {
  if (spread === null) return '-';
  const { mean, p90, p99 } = spread;
  return `${rangeText(spread, ' s')}; mean ${figure(mean)}, 90 % ${figure(p90)}, 99 % ${figure(p99)} s`;
}

/** The most frequent values, and how many more there are. */
function frequencyText({ distinct, most }: Frequencies): string {
  const named = Object.entries(most).slice(0, NAMED);
  // Names come from the file: none of them may steer a terminal.
  const text = named
    .map(([name, count]) => `${name.replace(/\p{Cc}/gu, '?')}: ${figure(count)}`)
    .join(', ');
  return distinct > named.length ? `${text} and ${distinct - named.length} more` : text;
}

/** Values as bars, the largest the full height; a blank for none. */
function sparkline(values: readonly number[]): string {
  const largest = Math.max(...values);
  const bar = (value: number) =>
    value === 0 ? ' ' : (BARS[Math.ceil((value / largest) * BARS.length) - 1] ?? ' ');
  return values.map(bar).join('');
}

function coverageRows(row: Rows, coverage: Coverage): void {
  const { stretchS, jobs, gpuHours, arrivedBy, longestGap } = coverage;
  const { p10, p50, p90 } = arrivedBy;
  const percent = (part: number) => `${figure(100 * part)} %`;
  row('jobs over time', `|${sparkline(jobs)}| one mark is ${figure(stretchS)} s`);
  row('GPU-hours over time', `|${sparkline(gpuHours)}| by submission`);
  row(
    'submitted by',
    `10 % at ${percent(p10)} of the span, 50 % at ${percent(p50)}, 90 % at ${percent(p90)}`,
  );
  row('longest gap', `${figure(longestGap.lengthS)} s from ${figure(longestGap.fromS)} s`);
}

function startsText({ startsRecorded }: Concurrency, jobs: number): string {
  if (startsRecorded === jobs) return 'with the starts that are recorded';
  if (startsRecorded === 0) return 'if no job waited: starts are not recorded';
  return `with the ${figure(startsRecorded)} starts that are recorded; the other jobs as if they did not wait`;
}

function fieldRows(row: Rows, report: QualityReport): void {
  const { stated, jobs } = report;
  if (stated.queuedS > 0) row('recorded wait', spreadText(report.queuedS));
  if (stated.requestedS > 0) row('requested time', spreadText(report.requestedS));
  if (stated.memoryGib > 0) row('memory', rangeText(report.memoryGib, ' GiB'));
  if (stated.gpuTypes > 0) {
    const any = jobs - stated.gpuTypes;
    const rest = any === 0 ? '' : `; any: ${figure(any)}`;
    row('GPU types', frequencyText(report.gpuTypes) + rest);
  }
  if (stated.model > 0) row('models', frequencyText(report.models));
  if (stated.status > 0) row('states', frequencyText(report.statuses));
  if (stated.virtualCluster > 0) row('virtual clusters', frequencyText(report.virtualClusters));
  if (stated.user > 0) row('users', figure(report.users));
  const partly = Object.entries(stated).filter(([, count]) => count > 0 && count < jobs);
  if (partly.length > 0) {
    const names = partly.map(([field, count]) => `${field} ${figure(count)}`);
    row('stated for some', names.join(', '));
  }
}

function loadRows(row: Rows, { cluster, load, findings }: ClusterDemand): void {
  const percent = (value: number | null) => (value === null ? 'infinite' : percentOf(value));
  const lasting = load.sustained ? '' : ' (submissions end too soon for a lasting load)';
  row('cluster', `${cluster.name} (${figure(load.gpus)} GPUs)`);
  row('offered load', percent(load.offeredLoad) + lasting);
  for (const { gpuType, gpus, boundLoad, load: all } of load.types) {
    const bound =
      boundLoad === all || boundLoad === 0
        ? ''
        : `, ${percent(boundLoad)} by jobs that may use no other`;
    row(`  ${gpuType}`, `${percent(all)} of ${figure(gpus)} GPUs${bound}`);
  }
  for (const finding of findings) row('  beware', finding);
}

/** The report as lines for a person to read; with what it asks of a cluster where one is given. */
export function formatReport(report: QualityReport, demand: ClusterDemand | null = null): string {
  const lines: string[] = [];
  const row: Rows = (label, value) => {
    lines.push(`${label.padEnd(LABEL_WIDTH)} ${value}`.trimEnd());
  };
  row('format', report.format);
  if (report.input !== null) {
    row('input', `${report.input.path} (${figure(report.input.bytes)} bytes)`);
    row('sha256', report.input.sha256);
  }
  for (const { path, bytes, sha256 } of report.companions ?? []) {
    row('  with', `${path} (${figure(bytes)} bytes)`);
    row('  sha256', sha256);
  }
  const options = Object.entries(report.options).map(([name, value]) => `${name}=${value}`);
  if (options.length > 0) row('options', options.join(' '));
  row(report.input === null ? 'jobs generated' : 'rows read', figure(report.rowsRead));
  row('jobs', figure(report.jobs));
  const dropped = Object.entries(report.dropped) as [DropReason, number][];
  for (const [reason, count] of dropped.toSorted((a, b) => b[1] - a[1])) {
    row('  left out', `${figure(count)} ${reason}: ${DROP_REASONS[reason]}`);
  }
  for (const example of report.badRowExamples) row('  bad row', example);
  row('submitted', `${rangeText(report.submitS, ' s')} (min / median / max)`);
  row('duration', spreadText(report.durationS));
  row('GPUs', rangeText(report.gpuCount));
  const gangs = Object.entries(report.gangSizes);
  row('gang sizes', gangs.map(([size, count]) => `${size}: ${figure(count)}`).join(', '));
  if (report.sharedGpuFraction > 0) row('part of a GPU', rangeText(report.share));
  row('GPU-hours', figure(report.gpuHours));
  row('one GPU or less', `${figure(100 * report.singleGpuFraction)} %`);
  row('less than one GPU', `${figure(100 * report.sharedGpuFraction)} %`);
  fieldRows(row, report);
  if (report.coverage !== null) coverageRows(row, report.coverage);
  const { concurrency } = report;
  if (concurrency !== null) {
    const { peakGpus, meanGpus } = concurrency;
    const starts = startsText(concurrency, report.jobs);
    row('GPUs at once', `peak ${figure(peakGpus)}, mean ${figure(meanGpus)}, ${starts}`);
  }
  if (demand !== null) loadRows(row, demand);
  for (const line of report.assumed) row('assumed', line);
  return `${lines.join('\n')}\n`;
}
