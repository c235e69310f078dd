import type { Command } from 'commander';
import { clusterFromText, gpuCount } from '../harness/clusters.ts';
import { DEFAULTS } from '../harness/defaults.ts';
import { readOptions, splitWord } from '../harness/word-options.ts';
import { InputError } from '../sim/errors.ts';
import { importTrace } from '../traces/formats.ts';
import type { Settings } from '../traces/importers/importer.ts';
import {
  type Fidelity,
  fidelityOf,
  GENERATORS,
  generatorLaw,
  synthesize,
} from '../traces/synth/index.ts';
import type { ImportedTrace } from '../traces/workload.ts';
import {
  type CommonFlags,
  columns,
  commandWith,
  positiveNumber,
  present,
  secondsFromOne,
  wholeNumber,
} from './common.ts';
import { ofFlag } from './flag-error.ts';
import type { Io } from './io.ts';
import { keepTrace } from './traces-read.ts';
import { named } from './unknown.ts';

interface SynthFlags extends CommonFlags {
  readonly jobs: number;
  readonly load?: number;
  readonly cluster: string;
  readonly maxGpus?: number;
  readonly maxDuration?: number;
}

interface FidelityFlags extends CommonFlags {
  readonly against: string;
  readonly format?: string;
  readonly seeds: number;
}

/** A generator with its own options: `helios:cluster=Venus`. */
function generatorOf(text: string): { name: string; settings: Settings } {
  const split = splitWord(text);
  const { name } = named('generator', [...GENERATORS.values()], split.word);
  const options = ofFlag('generator', () => readOptions(split));
  const settings = Object.entries(options).map(([key, value]) => [
    key,
    typeof value === 'number' ? value : String(value),
  ]);
  return { name, settings: Object.fromEntries(settings) as Settings };
}

/** Gives an error in the options of a generator its place. */
function atGenerator<T>(text: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof InputError) || error.file !== 'options') throw error;
    throw new InputError(`'${text}'`, null, null, error.detail);
  }
}

function generate(text: string, flags: SynthFlags): ImportedTrace {
  const { name, settings } = generatorOf(text);
  const { jobs, load, cluster, maxGpus, maxDuration, seed = 1 } = flags;
  const capacityGpus = gpuCount(ofFlag('--cluster', () => clusterFromText(cluster)));
  return atGenerator(text, () =>
    synthesize(name, {
      jobs,
      seed,
      settings,
      ...(load === undefined ? {} : { load, capacityGpus }),
      ...(maxGpus === undefined ? {} : { maxGpus }),
      ...(maxDuration === undefined ? {} : { maxDurationS: maxDuration }),
    }),
  );
}

interface SeedFidelity extends Fidelity {
  readonly seed: number;
}

const HEAD = [
  'seed',
  'log run time (KS)',
  'gang size (KS)',
  'GPUs (KS)',
  'hour of day (correlation)',
  'best shift',
  'GPU-hours a job',
  'by gangs',
];

function fidelityRow({ seed, bestShift, ...fidelity }: SeedFidelity): string[] {
  const { hourCorrelation, gangPart } = fidelity;
  return [
    String(seed),
    fidelity.durationDistance.toFixed(4),
    fidelity.gangDistance.toFixed(4),
    fidelity.gpusDistance.toFixed(4),
    hourCorrelation === null ? '-' : hourCorrelation.toFixed(3),
    bestShift === null ? '-' : `${bestShift.correlation.toFixed(3)} at +${bestShift.hours} h`,
    `x ${fidelity.gpuHoursRatio.toFixed(2)}`,
    `${(100 * gangPart.generated).toFixed(0)} % (real ${(100 * gangPart.real).toFixed(0)} %)`,
  ];
}

/** `10:30:41` */
function clockText(clockS: number): string {
  const parts = [Math.floor(clockS / 3600), Math.floor(clockS / 60) % 60, clockS % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

async function compareWith(io: Io, text: string, flags: FidelityFlags): Promise<void> {
  const { name, settings } = generatorOf(text);
  const { against, format, seeds, seed = 1 } = flags;
  const real = await importTrace(against, format === undefined ? {} : { format });
  const jobs = real.jobs.length;
  const { clockStartS } = atGenerator(text, () => generatorLaw(name, settings));
  const rows = Array.from({ length: seeds }, (_, at): SeedFidelity => {
    const generated = atGenerator(text, () =>
      synthesize(name, { jobs, seed: seed + at, settings }),
    );
    return { seed: seed + at, ...fidelityOf(real.jobs, generated.jobs, clockStartS) };
  });
  const document = { generator: name, settings, against: real.report.input, jobs, seeds: rows };
  present(io, flags, 'fidelity', document, () =>
    [
      `${name} against ${against}: ${jobs.toLocaleString('en-US')} jobs each\n`,
      columns([HEAD, ...rows.map(fidelityRow)]),
      'KS: largest distance between two distribution functions, 0 (alike) to 1\n',
      `hours of the day: time 0 of both is taken as ${clockText(clockStartS)}\n`,
    ].join('\n'),
  );
}

/** Adds `traces synth GENERATOR` and `traces fidelity GENERATOR --against FILE`. */
export function addTracesSynth(group: Command, io: Io, outHelp: string): void {
  commandWith(group, 'synth <generator>', {
    help: 'generate a trace, without any limit that is not given here; GENERATOR:option=value,...',
    outHelp,
    seedHelp: 'seed of the generator (default: 1)',
  })
    .option('--jobs <n>', 'how many jobs', wholeNumber(1), DEFAULTS.jobs)
    .option(
      '--load <x>',
      'offered load on the cluster (default: the rate of the trace that is imitated)',
      positiveNumber,
    )
    .option('--cluster <cluster>', 'cluster that the load refers to', DEFAULTS.cluster)
    .option('--max-gpus <n>', 'no larger gangs (default: no limit)', wholeNumber(1))
    .option('--max-duration <s>', 'longer jobs are cut to this (default: no limit)', secondsFromOne)
    .action(async (generator: string, flags: SynthFlags) => {
      await keepTrace(io, flags, { trace: generate(generator, flags), demand: null });
    });
  commandWith(group, 'fidelity <generator>', {
    help: 'compare what a generator makes with a trace file, as many jobs of each',
    outHelp: 'also write the JSON document to a file in this folder',
    seedHelp: 'first seed (default: 1)',
  })
    .requiredOption('--against <file>', 'the trace file')
    .option('--format <name>', 'format of the file (default: recognised)')
    .option('--seeds <n>', 'how many seeds', wholeNumber(1), 3)
    .action(async (generator: string, flags: FidelityFlags) => {
      await compareWith(io, generator, flags);
    });
}
