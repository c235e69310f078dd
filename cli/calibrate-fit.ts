import path from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { type FittedRow, fitTable, type TableFit } from '../calibration/assemble/fit-table.ts';
import type { FittedParameter } from '../calibration/assemble/gpu-frame.ts';
import { formatMeasurementReport } from '../calibration/datasets/format-report.ts';
import {
  type MeasurementOptions,
  parseMeasurementOptions,
} from '../calibration/datasets/options.ts';
import { readMeasurements } from '../calibration/datasets/read-measurements.ts';
import { loadShippedProfiles } from '../calibration/profiles.ts';
import { readableJson } from '../harness/canonical.ts';
import { threeDigits } from '../harness/metrics.ts';
import { replaceFile } from '../harness/run-directory.ts';
import { InputError } from '../sim/errors.ts';
import { columns, repeatable } from './common.ts';
import type { Io } from './io.ts';

interface FitFlags {
  readonly format: string;
  readonly gpu?: string;
  readonly set?: readonly string[];
  readonly out?: string;
  readonly json?: true;
  readonly quiet?: true;
}

const percent = (part: number | null): string =>
  part === null ? '-' : `${threeDigits(100 * part)} %`;

/** Times of kernels are tiny, so digits count from the first that is not 0. */
const digits = (value: number, count: number): string => String(Number(value.toPrecision(count)));

function valueText({ value, standardError }: FittedParameter): string {
  const number = digits(value, 4);
  return standardError === null ? number : `${number} +- ${digits(standardError, 2)}`;
}

/** One line a parameter: value, standard error, whether the data pins it, and why it was fixed. */
function parameterRows(of: readonly string[], parameters: readonly FittedParameter[]): string[][] {
  return parameters.map((it) => [...of, it.name, valueText(it), it.status, it.why]);
}

function rowCells(row: FittedRow): string[] {
  const { times, powers, clocks, caps, shares } = row.evidence;
  return [
    row.name,
    row.gpuType,
    `${times} / ${powers}`,
    `${clocks} / ${caps} / ${shares}`,
    percent(row.timeMape),
    percent(row.powerMape),
    percent(row.worst),
    row.warnings.join('; '),
  ];
}

function fitText(fit: TableFit): string {
  const head = ['workload', 'GPU', 'times / powers', 'clocks / caps / shares'];
  const errors = ['time error', 'power error', 'worst point', 'warnings'];
  const parameters = [
    ...fit.gpus.flatMap((gpu) => parameterRows(['(all)', gpu.name], gpu.parameters)),
    ...fit.rows.flatMap((row) => parameterRows([row.name, row.gpuType], row.parameters)),
  ];
  const kept = fit.gpus.filter(({ isNew }) => !isNew).map(({ name }) => name);
  const unused = Object.entries(fit.unused).map(([what, count]) => ['unused', `${what}: ${count}`]);
  return [
    formatMeasurementReport(fit.report),
    columns([[...head, ...errors], ...fit.rows.map(rowCells)]),
    columns([['workload', 'GPU', 'parameter', 'value', 'status', 'why'], ...parameters]),
    columns([
      ['pairs', String(fit.pairs)],
      ['interference', `error of speeds ${percent(fit.interferenceMape)}`],
      ...unused,
      ...(kept.length === 0
        ? []
        : [['kept', `curve and context level of shipped types: ${kept.join(', ')}`]]),
    ]),
  ].join('\n');
}

function readerOptions({ gpu, set = [] }: FitFlags): MeasurementOptions {
  const words = set.map((text): [string, string] => {
    const [name = '', ...rest] = text.split('=');
    if (rest.length > 0) return [name.trim(), rest.join('=').trim()];
    throw new InputError('--set', null, null, `expected NAME=VALUE, found '${text}'`);
  });
  const gpuWord = gpu === undefined ? {} : { gpu };
  return parseMeasurementOptions({ ...Object.fromEntries(words), ...gpuWord }, '--set');
}

function writeProfile(file: string, fit: TableFit): void {
  const extension = path.extname(file).toLowerCase();
  if (!['.json', '.yaml', '.yml'].includes(extension)) {
    throw new InputError('--out', null, null, `expected FILE.json or FILE.yaml, found '${file}'`);
  }
  const plain: unknown = JSON.parse(JSON.stringify(fit.profile));
  replaceFile(
    file,
    extension === '.json'
      ? readableJson(plain)
      : stringify(plain, { aliasDuplicateObjects: false }),
  );
}

/** `heshare calibrate fit FILES`: from measurement files to a profile file, with its errors. */
export function addCalibrateFit(parent: Command, io: Io): void {
  parent
    .command('fit <files...>')
    .description('fit profiles to measurement files, with residuals and standard errors')
    .option('--format <name>', 'format of the files', 'auto')
    .option('--gpu <name>', 'GPU type of all files')
    .option('--set <name=value>', 'option of the reader (docs/measurements.md)', repeatable)
    .option('--out <file>', 'profile file to write (.json or .yaml), for --profiles')
    .option('--json', 'one JSON document on stdout, nothing else')
    .option('--quiet', 'no table')
    .action((files: readonly string[], flags: FitFlags) => {
      const options = readerOptions(flags);
      const table = readMeasurements(files, { format: flags.format, options });
      const fit = fitTable(table, loadShippedProfiles());
      if (flags.out !== undefined) writeProfile(flags.out, fit);
      if (flags.json === true) io.stdout.write(readableJson(fit));
      else if (flags.quiet !== true) {
        const wrote = flags.out === undefined ? '' : `\nwrote ${flags.out}\n`;
        io.stdout.write(`${fitText(fit)}${wrote}`);
      }
    });
}
