import assert from 'node:assert/strict';
import path from 'node:path';
import { shapeFields } from '../../harness/spec.ts';
import {
  ASSIGNMENT_RULES,
  CANONICAL_COLUMNS,
  DROP_REASONS,
  FORMATS,
  fidelityOf,
  GAVEL_TYPES,
  GENERATORS,
  generatorLaw,
  importTrace,
  OFFICE_RHYTHM,
  OPENB,
  PAI_TAGS,
  PHILLY,
  POLLUX_CLASSES,
  synthesize,
  ZEUS_WORKLOADS,
} from '../../traces/index.ts';
import { heshare } from '../cli/program.ts';
import { DATA_FOLDER } from './data.ts';
import { codesIn, namesIn, sectionOf, tableRows } from './markdown.ts';

const PAGE = 'docs/traces.md';
const number = (value: number) => value.toLocaleString('en-US');

/** The part of a section above the first section within it. */
const headOf = (heading: string) => sectionOf(PAGE, heading).split('\n### ')[0] ?? '';

/** Headings of the sections within a section. */
const headingsIn = (heading: string) =>
  [...sectionOf(PAGE, heading).matchAll(/^### (.*)$/gm)].map((match) => match[1] as string);

/** The section within a section whose heading names something. */
function sectionNaming(within: string, name: string): string {
  const heading = headingsIn(within).find((text) => text.split(/,? (?:and )?/).includes(name));
  assert.ok(heading !== undefined, `no section of ${name}`);
  return sectionOf(PAGE, `### ${heading}`);
}

describe('docs/traces.md', () => {
  it('lists every format with its columns and options', () => {
    assert.deepEqual(
      tableRows(headOf('## Formats')).map(([name = '', , columns = '', options = '']) => [
        codesIn(name),
        codesIn(columns),
        codesIn(options),
      ]),
      [...FORMATS.values()]
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, columns, settings }) => [
          [name],
          [...columns],
          settings.map((setting) => setting.name),
        ]),
    );
  });

  it('has a section of every format, which names each option', () => {
    for (const { name, settings } of FORMATS.values()) {
      const text = sectionNaming('## Formats', name);
      for (const setting of settings) {
        // One section says of all formats what it means.
        const where = setting.name === 'zeroDuration' ? headOf('## Formats') : text;
        assert.match(where, new RegExp(`\`${setting.name}[\`=]`), `${name}: ${setting.name}`);
      }
    }
  });

  it('describes every column of the own format, in order', () => {
    assert.deepEqual(namesIn(sectionOf(PAGE, '### canonical-csv')), [...CANONICAL_COLUMNS]);
  });

  it('lists every reason for which a row is left out, in the words of the report', () => {
    const rows = tableRows(headOf('## The quality report'));
    assert.deepEqual(
      rows.filter(([first = '']) => first.startsWith('`')),
      Object.entries(DROP_REASONS).map(([reason, meaning]) => [`\`${reason}\``, meaning]),
    );
  });

  it('lists the steps that shape a trace, with flags, fields and reasons that there are', async () => {
    const rows = tableRows(sectionOf(PAGE, '## Shaping'));
    const { stdout: help } = await heshare('traces', 'import', '--help');
    const flags = rows.map(([, flag = '']) => codesIn(flag)[0]?.split(' ')[0] ?? '');
    for (const flag of flags) assert.match(help, new RegExp(`^ +${flag} `, 'm'));
    const fields = new Set(rows.flatMap(([, , field = '']) => codesIn(field)));
    assert.deepEqual([...fields].sort(), [...Object.keys(shapeFields), 'jobs', 'load'].sort());
    const reasons = rows.flatMap(([, , , reason = '']) => codesIn(reason));
    assert.ok(reasons.length >= 7 && reasons.every((reason) => reason in DROP_REASONS));
  });

  it('lists every assignment rule, and the tables of those that have one', () => {
    const rules = headOf('## How jobs get their workloads');
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
    const tags = tableRows(sectionOf(PAGE, '### pai-tag'));
    assert.deepEqual(
      tags.map(([tag = '', workload = '']) => [codesIn(tag)[0], codesIn(workload)[0]]),
      Object.entries(PAI_TAGS),
    );
    const gavel = tableRows(sectionOf(PAGE, '### gavel-mix')).flatMap(([names = '', sizes = '']) =>
      codesIn(names).flatMap((name) =>
        sizes === '' ? [name] : sizes.split(', ').map((size) => `${name}-b${size}`),
      ),
    );
    assert.deepEqual(
      gavel,
      GAVEL_TYPES.map(({ workload }) => workload),
    );
    const distributed = GAVEL_TYPES.filter((type) => type.distributed).length;
    assert.ok(sectionOf(PAGE, '### gavel-mix').includes(`the ${distributed} that Gavel runs`));
  });

  it('lists every generator with its options, and has a section of each', () => {
    assert.deepEqual(
      tableRows(headOf('## Generators')).map(([name = '', , , options = '']) => [
        codesIn(name)[0],
        codesIn(options),
      ]),
      [...GENERATORS.values()].map(({ name, settings }) => [
        name,
        settings.map((setting) => setting.name),
      ]),
    );
    for (const name of GENERATORS.keys()) {
      assert.ok(sectionNaming('## Generators', name).length > 100, name);
    }
  });

  it('states the figures that the generators know', () => {
    const countOf = (classes: typeof PHILLY.classes, gpus: number) =>
      classes
        .flatMap(({ sizes }) => sizes)
        .filter(({ gpuCount }) => gpuCount === gpus)
        .reduce((sum, { jobs }) => sum + jobs, 0);
    const points = PHILLY.classes.map(({ durations }) => durations.durationsS.length);
    const larger = PHILLY.classes
      .flatMap(({ sizes }) => sizes)
      .filter(({ gpuCount }) => gpuCount > 8);
    const philly = [
      `${number(PHILLY.jobs)} jobs: ${number(countOf(PHILLY.classes, 1))} of 1 GPU`,
      ...[2, 4, 8].map((size) => `${number(countOf(PHILLY.classes, size))} of ${size}`),
      `${larger.reduce((sum, size) => sum + size.jobs, 0)} larger, up to ${larger.at(-1)?.gpuCount ?? 0}`,
      `${points[0] ?? 0} for single GPUs, ${points[1] ?? 0} for gangs`,
      `${number(PHILLY.spanS)} s`,
      'Monday, 10:30:41',
    ];
    for (const figure of philly)
      assert.ok(sectionOf(PAGE, '### Generator philly').includes(figure), figure);
    assert.equal(PHILLY.clockStartS, (10 * 60 + 30) * 60 + 41);
    const [part = [], whole = [], several = []] = OPENB.classes.map(({ sizes }) => sizes);
    const jobs = (sizes: readonly { readonly jobs: number }[]) =>
      number(sizes.reduce((sum, size) => sum + size.jobs, 0));
    const openb = [
      `${number(OPENB.jobs)} pods`,
      `${jobs(part)} ask for one of ${part.length} parts of a GPU`,
      `${jobs(whole)} for a whole one, ${jobs(several)} for 2, 4 or 8`,
    ];
    const openbText = sectionOf(PAGE, '### Generator openb');
    for (const figure of openb) assert.ok(openbText.includes(figure), figure);
    const published = sectionNaming('## Generators', 'helios');
    for (const figure of [
      `${100 * OFFICE_RHYTHM.daySwing} % over the day with its peak at ${OFFICE_RHYTHM.dayPeakHour}:00`,
      `${100 * OFFICE_RHYTHM.weekSwing} % over the week with its peak on Wednesday`,
    ]) {
      assert.ok(published.includes(figure), figure);
    }
    assert.equal(Math.floor(OFFICE_RHYTHM.weekPeakDay), 2);
  });

  it('states how near the generators come to their files (needs HESHARE_DATA)', async function () {
    if (DATA_FOLDER === null) this.skip();
    const files = {
      philly: 'philly-derived/pollux_philly.csv',
      openb: 'alibaba-gpu-v2023/openb_pod_list_default.csv',
    };
    const rows: string[][] = [];
    for (const [name, file] of Object.entries(files)) {
      const { jobs: real } = await importTrace(path.join(DATA_FOLDER, 'traces', file));
      const { clockStartS } = generatorLaw(name);
      const found = [1, 2, 3].map((seed) =>
        fidelityOf(real, synthesize(name, { jobs: real.length, seed }).jobs, clockStartS),
      );
      const worst = (of: (fidelity: (typeof found)[number]) => number) =>
        Math.max(...found.map(of));
      rows.push([
        `\`${name}\``,
        worst((fidelity) => fidelity.durationDistance).toFixed(3),
        worst((fidelity) => fidelity.gangDistance).toFixed(3),
        worst((fidelity) => fidelity.gpusDistance).toFixed(3),
        (-worst((fidelity) => -(fidelity.hourCorrelation ?? 0))).toFixed(3),
      ]);
    }
    assert.deepEqual(tableRows(sectionOf(PAGE, '### Fidelity')), rows);
  });
});
