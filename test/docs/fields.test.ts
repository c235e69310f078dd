import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { PROVENANCE_KINDS, profileFileSchema } from '../../calibration/profile-schema.ts';
import { CLUSTER_PRESETS, clusterFromText, gpuCount } from '../../harness/clusters.ts';
import { type Comparison, comparisonCsv } from '../../harness/comparison.ts';
import { DEFAULTS } from '../../harness/defaults.ts';
import { runExperiment } from '../../harness/experiment.ts';
import { EXIT } from '../../harness/failure.ts';
import { JOB_COLUMNS } from '../../harness/jobs-csv.ts';
import { METRICS } from '../../harness/metrics.ts';
import { resolveExperiment } from '../../harness/resolve.ts';
import { experimentSchema } from '../../harness/spec.ts';
import { GPU_COLUMNS } from '../../harness/timeline.ts';
import { DEFAULT_SIMULATION_OPTIONS } from '../../sim/options.ts';
import { heshare } from '../cli/program.ts';
import { codesIn, namesIn, pageText, sectionOf, tableRows } from './markdown.ts';

const EXPERIMENTS = 'docs/experiments.md';

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
}

/** Dotted names of all fields below a schema; `[]` is an element of a list, `*` any key. */
function fieldsOf(schema: JsonSchema, prefix = ''): string[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([key, inner]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    return [name, ...fieldsOf(inner, name)];
  });
  const element = items === undefined ? [] : fieldsOf(items, `${prefix}[]`);
  const anyKey =
    typeof additionalProperties === 'object' ? fieldsOf(additionalProperties, `${prefix}.*`) : [];
  const choices = anyOf.flatMap((choice) => fieldsOf(choice, prefix));
  return [...new Set([...own, ...element, ...anyKey, ...choices])];
}

function schemaFields(schema: z.ZodType, io: 'input' | 'output'): string[] {
  return fieldsOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema);
}

/** Dotted names of the values of a document; distributions and lists count as one. */
function valuesOf(document: object, prefix = ''): string[] {
  return Object.entries(document).flatMap(([key, value]: [string, unknown]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    const isLeaf = !isGroup || 'p99' in value || name === 'jobs.rejectedByReason';
    return isLeaf ? [name] : valuesOf(value, name);
  });
}

function sameNames(found: readonly string[], expected: readonly string[]): void {
  assert.deepEqual([...found].sort(), [...expected].sort());
}

describe('the fields of files that users write', () => {
  it('of experiments are in the table, each of them and no other', () => {
    sameNames(
      namesIn(sectionOf(EXPERIMENTS, '## Fields')),
      schemaFields(experimentSchema, 'output'),
    );
  });

  it('of profile files are in the table, each of them and no other', () => {
    const schema = profileFileSchema('a page');
    sameNames(namesIn(sectionOf('docs/profiles.md', '## Fields')), schemaFields(schema, 'input'));
  });

  it('have the defaults that the tables say', () => {
    const rows = tableRows(sectionOf(EXPERIMENTS, '## Fields'));
    const defaultOf = (field: string) =>
      rows.find(([name]) => name === `\`${field}\``)?.[1] ?? assert.fail(`no row of ${field}`);
    for (const [group, values] of [
      ['simulation.', DEFAULT_SIMULATION_OPTIONS],
      ['simulation.costs.', DEFAULT_SIMULATION_OPTIONS.costs],
      ['simulation.failures.', DEFAULT_SIMULATION_OPTIONS.failures],
    ] as const) {
      for (const [name, value] of Object.entries(values) as [string, unknown][]) {
        if (typeof value !== 'number' && typeof value !== 'string') continue;
        assert.equal(defaultOf(`${group}${name}`), `\`${value}\``);
      }
    }
    const { pricePerKwh, carbonGramPerKwh } = DEFAULT_SIMULATION_OPTIONS;
    assert.equal(defaultOf('simulation.pricePerKwh'), `\`${pricePerKwh.values.join()}\``);
    assert.equal(defaultOf('simulation.carbonGramPerKwh'), `\`${carbonGramPerKwh.values.join()}\``);
    assert.equal(defaultOf('cluster'), `\`${DEFAULTS.cluster}\``);
    assert.equal(defaultOf('seeds'), `\`${DEFAULTS.seeds}\``);
    assert.ok(defaultOf('workload.jobs').includes(`\`${DEFAULTS.jobs}\` of a generator`));
    assert.ok(defaultOf('workload.load').startsWith(`\`${DEFAULTS.load}\` for a generator`));
    assert.ok(defaultOf('reference').startsWith(`\`${DEFAULTS.reference}\``));
    const { maxGpus, maxDurationS } = DEFAULTS.synth;
    assert.ok(
      sectionOf(EXPERIMENTS, '## Fields')
        .replaceAll('\n', ' ')
        .includes(
          `most ${maxGpus} GPUs and run times cut to ${maxDurationS.toLocaleString('en-US')} s`,
        ),
    );
  });

  it('of profile files have the defaults that the table says', () => {
    const schema = profileFileSchema('a page');
    const { gpus, workloads } = schema.parse({
      gpus: [{ name: 'g', memoryGib: 1, idlePowerW: 7 }],
      workloads: [{ name: 'w', onGpu: { g: { time: { coreS: 1 }, power: {} } } }],
    });
    const profile = { ...workloads[0]?.onGpu.g };
    const values = new Map<string, unknown>([
      ...Object.entries(gpus[0] ?? {}).map(([key, value]) => [`gpus[].${key}`, value] as const),
      ...Object.entries(profile).map(
        ([key, value]) => [`workloads[].onGpu.*.${key}`, value] as const,
      ),
    ]);
    let compared = 0;
    for (const [name = '', usual = ''] of tableRows(sectionOf('docs/profiles.md', '## Fields'))) {
      const value = values.get(name.replaceAll('`', ''));
      if (!/^`-?[\d.]+`$/.test(usual) || typeof value !== 'number') continue;
      assert.equal(usual, `\`${value}\``, name);
      compared += 1;
    }
    assert.ok(compared >= 12, `${compared} defaults`);
  });

  it('may name the presets of clusters, which have the GPUs that the table says', () => {
    const rows = tableRows(sectionOf(EXPERIMENTS, '## Clusters'));
    assert.deepEqual(
      rows.map(([name, gpus]) => [name, gpus]),
      CLUSTER_PRESETS.map((preset) => [
        `\`${preset.name}\``,
        gpuCount(preset).toLocaleString('en-US'),
      ]),
    );
  });

  it('may say where numbers come from in the words of the table', () => {
    const names = namesIn(sectionOf('docs/profiles.md', '## What is shipped'));
    sameNames(names, PROVENANCE_KINDS);
  });
});

describe('the README', () => {
  it('says of the default comparison what it is', () => {
    const { jobs, seeds, cluster, reference } = DEFAULTS;
    const spec = clusterFromText(cluster);
    const words = ['zero', 'one', 'two', 'three', 'four', 'five'];
    const types = new Set(spec.groups.map(({ gpuType }) => gpuType)).size;
    const text = pageText('README.md').replaceAll('\n', ' ');
    const size = `${jobs.toLocaleString('en-US')} jobs a seed, ${gpuCount(spec)} GPUs of`;
    assert.ok(text.includes(`${words[seeds] ?? ''} seeds, ${size} ${words[types] ?? ''} types`));
    assert.ok(text.includes(`as a change against ${reference}`));
  });

  it('calls no command missing that is there', async () => {
    const { stdout } = await heshare('--help');
    const there = [...stdout.matchAll(/^ {2}([a-z]+)(?: \[options\]| {2,})/gm)].map(
      ([, name]) => name,
    );
    assert.ok(there.includes('compare') && there.includes('traces'));
    const missing = codesIn(sectionOf('README.md', '## Not there yet'));
    assert.deepEqual(
      missing.filter((name) => there.includes(name)),
      [],
    );
  });
});

describe('the fields of files that the program writes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'heshare-docs-'));
  let comparison: Comparison;
  const read = (file: string) =>
    readFileSync(path.join(folder, comparison.runs[0]?.directory ?? '', file), 'utf8');
  const namesBelow = (heading: string) => namesIn(sectionOf(EXPERIMENTS, heading));

  before(async () => {
    const experiment = await resolveExperiment(
      { workload: { jobs: 5 }, policies: [{ name: 'fifo', options: {} }], seeds: 2 },
      { folder },
    );
    const outcome = await runExperiment(experiment, {
      out: folder,
      workers: 0,
      force: false,
      timeline: true,
      signal: new AbortController().signal,
      progress: { stream: process.stderr, quiet: true },
    });
    comparison = outcome.comparison ?? assert.fail('no comparison');
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('are all in the table of summary.json', () => {
    const names = tableRows(
      sectionOf(EXPERIMENTS, '### summary.json').split('Reasons of')[0] ?? '',
    );
    const summary = JSON.parse(read('summary.json')) as object;
    sameNames(
      names.map(([name = '']) => name.replaceAll('`', '')),
      valuesOf(summary),
    );
    assert.deepEqual(Object.keys(comparison.runs[0]?.summary.jctS ?? {}), [
      'mean',
      'median',
      'p95',
      'p99',
      'max',
    ]);
  });

  it('are all in the tables of jobs.csv and gpus.csv', () => {
    assert.deepEqual(namesBelow('### jobs.csv'), [...JOB_COLUMNS]);
    assert.deepEqual(namesBelow('### gpus.csv'), [...GPU_COLUMNS]);
    assert.equal(read('jobs.csv').split('\n')[0], JOB_COLUMNS.join());
    assert.equal(read('gpus.csv').split('\n')[0], GPU_COLUMNS.join());
  });

  it('are all in the tables of run.json and timing.json', () => {
    sameNames(namesBelow('### run.json'), Object.keys(JSON.parse(read('run.json')) as object));
    sameNames(
      namesBelow('### timing.json'),
      Object.keys(JSON.parse(read('timing.json')) as object),
    );
  });

  it('are all in the tables of the comparison', () => {
    const columns = comparisonCsv(comparison).split('\n')[0]?.split(',') ?? [];
    const metrics = METRICS.map(({ name }) => name);
    assert.deepEqual(namesBelow('### comparison.csv'), [...columns, ...metrics]);
    sameNames(namesBelow('### comparison.json and `--json`'), Object.keys(comparison));
  });

  it('are followed by the exit codes of the program', () => {
    const codes = tableRows(sectionOf(EXPERIMENTS, '## Exit codes')).map(([code]) => Number(code));
    assert.deepEqual(codes, Object.values(EXIT));
  });
});
