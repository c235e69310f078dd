import assert from 'node:assert/strict';
import {
  ASSIGNMENT_RULES,
  CANONICAL_COLUMNS,
  DROP_REASONS,
  FORMATS,
  OFFICE_RHYTHM,
  PHILLY,
  POLLUX_CLASSES,
  ZEUS_WORKLOADS,
} from '../../traces/index.ts';
import { DATA_FOLDER, firstPhillyJobs } from './data.ts';
import { codesIn, namesIn, pageText, sectionOf, tableRows } from './markdown.ts';

const PAGE = 'docs/traces.md';
const number = (value: number) => value.toLocaleString('en-US');

describe('docs/traces.md', () => {
  it('lists every format with its columns and options', () => {
    const rows = tableRows(sectionOf(PAGE, '## Formats').split('###')[0] ?? '');
    assert.deepEqual(
      rows.map(([name = '', , columns = '', options = '']) => [
        codesIn(name),
        codesIn(columns),
        codesIn(options),
      ]),
      [...FORMATS.values()].map(({ name, columns, settings }) => [
        [name],
        [...columns],
        settings.map((setting) => setting.name),
      ]),
    );
  });

  it('describes every column of the own format, in order', () => {
    assert.deepEqual(namesIn(sectionOf(PAGE, '### canonical-csv')), [...CANONICAL_COLUMNS]);
  });

  it('lists every reason for which a row is left out, in the words of the report', () => {
    const rows = tableRows(sectionOf(PAGE, '## The quality report'));
    assert.deepEqual(
      rows,
      Object.entries(DROP_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
    );
  });

  it('lists every assignment rule, and the tables of those that have one', () => {
    const rules = sectionOf(PAGE, '## How jobs get their workloads').split('###')[0] ?? '';
    assert.deepEqual(namesIn(rules).sort(), [...ASSIGNMENT_RULES.keys()].sort());
    const pollux = tableRows(sectionOf(PAGE, '### pollux-gpu-hours'));
    assert.deepEqual(
      pollux.map(([limit = '', workloads = '']) => [limit, codesIn(workloads)]),
      POLLUX_CLASSES.map(({ belowGpuHours, workloads }, i) => [
        belowGpuHours === Infinity
          ? `from ${POLLUX_CLASSES[i - 1]?.belowGpuHours ?? ''}`
          : `below ${belowGpuHours}`,
        [...workloads],
      ]),
    );
    const zeus = tableRows(sectionOf(PAGE, '### zeus-runtime'));
    assert.deepEqual(
      zeus,
      ZEUS_WORKLOADS.map((workload, i) => [String(i + 1), `\`${workload}\``]),
    );
  });

  it('states the figures that the generator knows', () => {
    const text = sectionOf(PAGE, '## The generator');
    const { gangs, quantiles, jobs, meanDurationS, gpuHours, spanS } = PHILLY;
    const larger = gangs.filter(({ gpuCount }) => gpuCount > 8);
    const counts = [1, 2, 4, 8].map((size) => {
      return `${number(gangs.find(({ gpuCount }) => gpuCount === size)?.jobs ?? 0)} of ${size}`;
    });
    const figures = [
      `${number(jobs)} jobs`,
      `${counts[0] ?? ''} GPU`,
      ...counts.slice(1),
      `${larger.reduce((sum, gang) => sum + gang.jobs, 0)} larger, up to ${gangs.at(-1)?.gpuCount ?? 0}`,
      `${(100 * quantiles[1].part).toFixed(1)} % below ${quantiles[1].durationS} s`,
      ...quantiles.slice(2).map(({ durationS }) => `${number(durationS)} s`),
      `${number(Math.round(meanDurationS))} s`,
      number(Math.floor(gpuHours)),
      `${number(spanS)} s`,
      `${100 * OFFICE_RHYTHM.daySwing} % over the day with its peak at ${OFFICE_RHYTHM.dayPeakHour}:00`,
      `${100 * OFFICE_RHYTHM.weekSwing} % over the week with its peak on Wednesday`,
    ];
    for (const figure of figures) assert.ok(text.includes(figure), figure);
    assert.equal(Math.floor(OFFICE_RHYTHM.weekPeakDay), 2);
  });

  it('says of Philly what no published statistic tells (needs HESHARE_DATA)', async function () {
    if (DATA_FOLDER === null) this.skip();
    assert.ok(pageText(PAGE).includes("an eighth of Philly's jobs ran for 60 to 80 s"));
    const jobs = await firstPhillyJobs(PHILLY.jobs);
    const short = jobs.filter(({ durationS }) => durationS >= 60 && durationS < 80);
    assert.ok(Math.abs(short.length / jobs.length - 1 / 8) < 0.005, `${short.length}`);
  });
});
