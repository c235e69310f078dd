import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { readYamlSource } from '../calibration/yaml.ts';
import { readableJson } from '../harness/canonical.ts';
import { clusterFromText, gpuCount, scaledCluster } from '../harness/clusters.ts';
import { DEFAULTS } from '../harness/defaults.ts';
import { replaceFile } from '../harness/run-directory.ts';
import { refuseMisplaced, shapeOf } from '../harness/shape-given.ts';
import { clusterSchema, workloadFromRaw } from '../harness/spec.ts';
import { traceCache } from '../harness/trace-cache.ts';
import { readOptions, splitWord } from '../harness/word-options.ts';
import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import { InputError } from '../sim/errors.ts';
import type { CacheOptions } from '../traces/cache/trace-cache.ts';
import { type ClusterDemand, clusterDemand } from '../traces/cluster-demand.ts';
import { AUTO_FORMAT, importTrace } from '../traces/formats.ts';
import { writeCanonicalCsv } from '../traces/importers/canonical-csv.ts';
import { readMachines } from '../traces/importers/machine-lists.ts';
import { nodeGroups } from '../traces/importers/node-list.ts';
import { formatReport } from '../traces/report-text.ts';
import { shapeTrace } from '../traces/shape/index.ts';
import type { ImportedTrace } from '../traces/workload.ts';
import { type CommonFlags, positiveNumber, present, wholeNumber } from './common.ts';
import { asFlagError, flagOf } from './experiment-flags.ts';
import { ofFlag } from './flag-error.ts';
import type { Io } from './io.ts';
import { type ShapeFlags, shapeGiven, withShapeOptions } from './shape-flags.ts';

/** Options that say how a trace file is read and shaped, and what it is held against. */
export interface ReadFlags extends CommonFlags, ShapeFlags {
  readonly format?: string;
  readonly maxBadRows?: number;
  readonly cluster?: string;
  readonly clusterScale?: number;
  readonly fromZero?: true;
  readonly cache: boolean;
  readonly verbose?: true;
}

/** Adds the options of commands that read a trace file. */
export function withReadOptions(command: Command): Command {
  const read = command
    .option('--format <name>', 'format, or format:option=value,... (default: recognised)')
    .option('--max-bad-rows <n>', 'bad rows to take (default: 1 % of the rows)', wholeNumber(0));
  read
    .option('--no-cache', 'read the file itself, and keep nothing for the next time')
    .option('--verbose', 'say what of the kept traces could not be used');
  return withShapeOptions(read, 'only the first jobs')
    .option('--from-zero', 'move the first submission to time 0')
    .option(
      '--cluster <cluster>',
      'cluster to compare with: preset, NODESxGPUS:TYPE,..., a YAML file or a machine list',
    )
    .option('--cluster-scale <x>', "factor on every group's nodes, at least one", positiveNumber);
}

async function clusterOf({ cluster, clusterScale }: ReadFlags): Promise<ClusterSpec | null> {
  if (cluster === undefined) {
    if (clusterScale === undefined) return null;
    throw new InputError('--cluster-scale', null, null, 'needs a cluster (--cluster)');
  }
  let whole: ClusterSpec;
  if (/\.(ya?ml|json)$/i.test(cluster)) {
    whole = readYamlSource(cluster, clusterSchema).value;
  } else if (/\.csv$/i.test(cluster) || existsSync(cluster)) {
    whole = { name: path.basename(cluster), groups: nodeGroups(await readMachines(cluster)) };
  } else whole = ofFlag('--cluster', () => clusterFromText(cluster));
  return clusterScale === undefined ? whole : scaledCluster(whole, clusterScale);
}

function cacheOf(io: Io, { cache, verbose }: ReadFlags): CacheOptions | null {
  const kept = cache ? traceCache(io.env) : null;
  if (kept === null || verbose !== true) return kept;
  const notice = (line: string) => {
    io.stderr.write(`heshare: ${line}\n`);
  };
  return { ...kept, notice };
}

async function importWith(io: Io, file: string, flags: ReadFlags) {
  const { format, maxBadRows } = flags;
  const split = splitWord(format ?? AUTO_FORMAT);
  const options = ofFlag('--format', () => readOptions(split));
  const settings = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      typeof value === 'number' ? value : String(value),
    ]),
  );
  return await importTrace(file, {
    format: split.word,
    settings,
    ...(maxBadRows === undefined ? {} : { maxBadRows }),
    cache: cacheOf(io, flags),
  });
}

function shapedWith(
  trace: ImportedTrace,
  file: string,
  flags: ReadFlags,
  cluster: ClusterSpec | null,
): ImportedTrace {
  const given = workloadFromRaw({ ...shapeGiven(flags), trace: file }, flagOf);
  try {
    refuseMisplaced(given);
  } catch (error) {
    throw asFlagError(error);
  }
  const { load = null } = given;
  if (load !== null && cluster === null) {
    throw new InputError('--load', null, null, 'needs the cluster that it refers to (--cluster)');
  }
  const onCluster = load === null || cluster === null ? null : { load, cluster };
  const options = {
    ...shapeOf(given),
    fromZero: flags.fromZero === true,
    load: onCluster && { load: onCluster.load, capacityGpus: gpuCount(onCluster.cluster) },
  };
  try {
    return shapeTrace(trace, options, flags.seed ?? 1);
  } catch (error) {
    if (!(error instanceof InputError) || error.file !== 'options') throw error;
    throw new InputError(file, null, null, error.detail);
  }
}

/** A trace as the flags ask for it, and what it asks of the cluster that they name. */
export interface ReadTrace {
  readonly trace: ImportedTrace;
  readonly demand: ClusterDemand | null;
}

/** Reads and shapes a trace file. */
export async function readTrace(io: Io, file: string, flags: ReadFlags): Promise<ReadTrace> {
  const cluster = await clusterOf(flags);
  const trace = shapedWith(await importWith(io, file, flags), file, flags, cluster);
  const { concurrency } = trace.report;
  const demand = cluster === null ? null : clusterDemand(trace.jobs, concurrency, cluster);
  return { trace, demand };
}

/** Prints the report on a trace. */
export function presentReport(io: Io, flags: CommonFlags, { trace, demand }: ReadTrace): void {
  const document = { ...trace.report, demand };
  present(io, flags, 'report', document, () => formatReport(trace.report, demand));
}

/** Writes `trace.csv` and `report.json`, and prints the report. */
export async function keepTrace(io: Io, flags: CommonFlags, read: ReadTrace): Promise<void> {
  const { trace, demand } = read;
  const { out = path.join(DEFAULTS.output, trace.name), ...shown } = flags;
  mkdirSync(out, { recursive: true });
  await writeCanonicalCsv(path.join(out, 'trace.csv'), trace.jobs);
  const document = { ...trace.report, demand };
  replaceFile(path.join(out, 'report.json'), readableJson(document));
  const text = () => `${formatReport(trace.report, demand)}files: ${out}/\n`;
  present(io, shown, 'report', document, text);
}
