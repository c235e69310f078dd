import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { readableJson } from '../harness/canonical.ts';
import { clusterFromText, gpuCount } from '../harness/clusters.ts';
import { DEFAULTS } from '../harness/defaults.ts';
import { replaceFile } from '../harness/run-directory.ts';
import { GENERATORS } from '../harness/spec.ts';
import { readOptions, splitWord } from '../harness/word-options.ts';
import { ASSIGNMENT_RULES } from '../traces/assign/assign.ts';
import { AUTO_FORMAT, FORMATS, importTrace } from '../traces/formats.ts';
import { writeCanonicalCsv } from '../traces/importers/canonical-csv.ts';
import { formatReport } from '../traces/report.ts';
import { firstJobs } from '../traces/shape.ts';
import { synthPhilly } from '../traces/synth/philly.ts';
import type { ImportedTrace } from '../traces/workload.ts';
import {
  type CommonFlags,
  columns,
  commandWith,
  listHelp,
  NO_SEED_HELP,
  positiveNumber,
  present,
  secondsFromOne,
  wholeNumber,
} from './common.ts';
import { ofFlag } from './flag-error.ts';
import type { Io } from './io.ts';
import { named, orSubcommand } from './unknown.ts';

interface ReadFlags extends CommonFlags {
  readonly format?: string;
  readonly jobs?: number;
  readonly maxBadRows?: number;
}

interface SynthFlags extends CommonFlags {
  readonly jobs: number;
  readonly load?: number;
  readonly cluster: string;
  readonly maxGpus?: number;
  readonly maxDuration?: number;
}

function listing() {
  return {
    formats: [...FORMATS.values()].map(({ name, title, columns: needed, settings }) => ({
      name,
      title,
      columns: needed,
      settings,
    })),
    generators: [...GENERATORS],
    assignmentRules: [...ASSIGNMENT_RULES.values()].map(({ name, title }) => ({ name, title })),
  };
}

function listText(): string {
  const { formats, assignmentRules } = listing();
  const rows = formats.map(({ name, title, columns: needed }) => [name, title, needed.join(', ')]);
  const settings = formats.flatMap((format) =>
    format.settings.map(({ name, meaning }) => [format.name, name, meaning]),
  );
  return [
    columns([['format', 'what it is', 'columns it must have'], ...rows]),
    columns([['format', 'option', 'meaning'], ...settings]),
    columns([
      ['rule (--assign)', 'gives jobs their models'],
      ...assignmentRules.map(({ name, title }) => [name, title]),
    ]),
    `generators (--synth): ${GENERATORS.join(', ')}\n`,
  ].join('\n');
}

async function read(file: string, { format, jobs, maxBadRows }: ReadFlags): Promise<ImportedTrace> {
  const split = splitWord(format ?? AUTO_FORMAT);
  const options = ofFlag('--format', () => readOptions(split));
  const settings = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      typeof value === 'number' ? value : String(value),
    ]),
  );
  const trace = await importTrace(file, {
    format: split.word,
    settings,
    ...(maxBadRows === undefined ? {} : { maxBadRows }),
  });
  return jobs === undefined ? trace : { ...trace, ...firstJobs(trace, jobs) };
}

function withReadOptions(command: Command): Command {
  return command
    .option('--format <name>', 'format, or format:option=value,... (default: recognised)')
    .option('--jobs <n>', 'only the first jobs', wholeNumber(1))
    .option('--max-bad-rows <n>', 'bad rows to take (default: 1 % of the rows)', wholeNumber(0));
}

/** Writes `trace.csv` and `report.json`, and prints the report. */
async function keep(io: Io, flags: CommonFlags, trace: ImportedTrace): Promise<void> {
  const out = flags.out ?? path.join(DEFAULTS.output, trace.name);
  mkdirSync(out, { recursive: true });
  await writeCanonicalCsv(path.join(out, 'trace.csv'), trace.jobs);
  replaceFile(path.join(out, 'report.json'), readableJson(trace.report));
  const { out: _out, ...shown } = flags;
  present(io, shown, 'report', trace.report, () => `${formatReport(trace.report)}files: ${out}/\n`);
}

function generate(generator: string, flags: SynthFlags): ImportedTrace {
  named(
    'generator',
    GENERATORS.map((name) => ({ name })),
    generator,
  );
  const { jobs, load, cluster, maxGpus, maxDuration, seed = 1 } = flags;
  const capacityGpus = gpuCount(ofFlag('--cluster', () => clusterFromText(cluster)));
  return synthPhilly({
    jobs,
    seed,
    ...(load === undefined ? {} : { load, capacityGpus }),
    ...(maxGpus === undefined ? {} : { maxGpus }),
    ...(maxDuration === undefined ? {} : { maxDurationS: maxDuration }),
  });
}

/** Folder output of the commands that make a trace. */
const TRACE_OUT_HELP = 'folder for trace.csv and report.json (default: below runs/)';

/** `heshare traces [list | FILE | info FILE | import FILE | synth GENERATOR]`. */
export function addTraces(parent: Command, io: Io): void {
  const group = parent
    .command('traces')
    .description('trace files: formats, quality report, import to a HeShare file, generator');
  const list = (flags: CommonFlags) => {
    present(io, flags, 'traces', listing(), listText);
  };
  const info = async (file: string, flags: ReadFlags) => {
    const { report } = await read(file, flags);
    present(io, flags, 'report', report, () => formatReport(report));
  };
  commandWith(
    group,
    'list',
    listHelp("list formats, generators and rules (also without 'list')"),
  ).action(list);
  withReadOptions(
    commandWith(
      group,
      'info <file>',
      listHelp("report what a trace file holds (also without 'info')"),
    ),
  ).action(info);
  withReadOptions(
    commandWith(group, 'import <file>', {
      help: 'turn a trace into a HeShare trace file',
      outHelp: TRACE_OUT_HELP,
      seedHelp: NO_SEED_HELP,
    }),
  ).action(async (file: string, flags: ReadFlags) => {
    await keep(io, flags, await read(file, flags));
  });
  commandWith(group, 'synth <generator>', {
    help: 'generate a trace, without any limit that is not given here',
    outHelp: TRACE_OUT_HELP,
    seedHelp: 'seed of the generator (default: 1)',
  })
    .option('--jobs <n>', 'how many jobs', wholeNumber(1), DEFAULTS.jobs)
    .option(
      '--load <x>',
      'offered load on the cluster (default: the rate of Philly)',
      positiveNumber,
    )
    .option('--cluster <cluster>', 'cluster that the load refers to', DEFAULTS.cluster)
    .option('--max-gpus <n>', 'no larger gangs (default: no limit)', wholeNumber(1))
    .option('--max-duration <s>', 'longer jobs are cut to this (default: no limit)', secondsFromOne)
    .action(async (generator: string, flags: SynthFlags) => {
      await keep(io, flags, generate(generator, flags));
    });
  withReadOptions(commandWith(group, 'traces [file]', listHelp(group.description()), true)).action(
    async (file: string | undefined, flags: ReadFlags) => {
      if (file === undefined) list(flags);
      else {
        const subcommands = ['list', 'info', 'import', 'synth'];
        await orSubcommand('traces', subcommands, file, () => info(file, flags));
      }
    },
  );
}
