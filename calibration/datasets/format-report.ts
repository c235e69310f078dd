import type { MeasurementReport } from '../measurement.ts';

/** A report of measurement files as lines of text. */
export function formatMeasurementReport(report: MeasurementReport): string {
  const { files, rowsRead, kept, dropped, flagged, options, assumed } = report;
  const lines = [
    `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${rowsRead} points read, ${kept} kept`,
  ];
  const section = (title: string, entries: readonly string[]): void => {
    if (entries.length === 0) return;
    lines.push(`${title}:`, ...entries.map((entry) => `  ${entry}`));
  };
  const counts = (values: Readonly<Record<string, number>>): string[] =>
    Object.entries(values).map(([reason, count]) => `${count} ${reason}`);
  section('left out', counts(dropped));
  section('kept with a doubt', counts(flagged));
  section(
    'options',
    Object.entries(options).map(([name, value]) => `${name}: ${value}`),
  );
  section('taken for granted', assumed);
  return `${lines.join('\n')}\n`;
}
