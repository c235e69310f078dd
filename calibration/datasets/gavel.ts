import path from 'node:path';
import type { MeasurementTable } from '../measurement.ts';
import { readTextFile } from '../yaml.ts';
import { canonicalGpuName } from './gpu-names.ts';
import { type MeasurementFormat, tableOf } from './importer.ts';
import { type JsonNode, jsonError, jsonList, jsonObject, parseJson } from './json.ts';
import { jsonNumber } from './json-number.ts';
import type { MeasurementOptions } from './options.ts';
import { notNegative, quoted } from './quantity.ts';
import type { MeasurementFields, TableBuilder } from './table-builder.ts';

/** Relative difference below which two throughputs are the same number. */
const SAME = 1e-9;
/** Suffix of the tables of gangs that are spread over nodes; jobs on one GPU are copies there. */
const SPREAD = '_unconsolidated';
const ALONE = 'null';
const RATE = notNegative('steps/s');

const DID_NOT_FIT = 'throughput zero: did not fit or did not run';
const DISAGREE = 'the two entries of a pair disagree: each side of its own entry is taken';
const CLIPPED = 'throughput beside another job clipped at the one alone';

interface Job {
  readonly workload: string;
  readonly batch: number | null;
  readonly gpus: number;
}

/** A job by its key: `ResNet-18 (batch size 16)`, or a Python tuple of that and a number of GPUs. */
function parseJob(key: string, node: JsonNode, file: string): Job {
  const tuple = /^\(\s*(['"])(.*)\1\s*,\s*(\d+)\s*\)$/.exec(key);
  const looksLikeTuple = key.trimStart().startsWith('(');
  const text = tuple?.[2] ?? key;
  const gpus = Number(tuple?.[3] ?? '1');
  const parts = /^(.*\S)\s*\(batch size (\d+)\)$/.exec(text);
  const workload = (parts?.[1] ?? text).trim();
  if ((looksLikeTuple && tuple === null) || gpus < 1 || workload === '') {
    const detail = `expected a job like ('ResNet-18 (batch size 16)', 1), found ${quoted(key)}`;
    throw jsonError(node, file, detail);
  }
  return { workload, batch: parts?.[2] === undefined ? null : Number(parts[2]), gpus };
}

interface Table {
  readonly file: string;
  readonly name: string;
  readonly gpuType: string;
  readonly spread: boolean;
  readonly jobs: ReadonlyMap<string, { readonly job: Job; readonly entries: Entries }>;
}

type Entries = ReadonlyMap<string, JsonNode>;

function readTable(file: string, name: string, node: JsonNode): Table {
  const jobs = new Map<string, { job: Job; entries: Entries }>();
  for (const [key, inner] of jsonObject(node, file, name)) {
    const entries = jsonObject(inner, file, key);
    if (!entries.has(ALONE)) {
      throw jsonError(inner, file, `${key}: expected the throughput alone as "null", found none`);
    }
    jobs.set(key, { job: parseJob(key, inner, file), entries });
  }
  const spread = name.endsWith(SPREAD);
  const base = spread ? name.slice(0, -SPREAD.length) : name;
  return { file, name, gpuType: canonicalGpuName(base), spread, jobs };
}

/** Throughput of a job, and beside another one of both. */
function pairOf(node: JsonNode, file: string, key: string): [own: JsonNode, other: JsonNode] {
  const [own, other, ...more] = jsonList(node, file, key);
  if (own !== undefined && other !== undefined && more.length === 0) return [own, other];
  throw jsonError(node, file, `${key}: expected two throughputs`);
}

function readRows(builder: TableBuilder, table: Table): void {
  const keepGangs = builder.option('gangs') === 'keep';
  for (const [key, { job, entries }] of table.jobs) {
    const alone = entries.get(ALONE);
    if (alone === undefined) continue;
    if (table.spread && job.gpus === 1) {
      builder.drop('job on one GPU in a table of gangs over nodes: a copy', entries.size);
      continue;
    }
    if (job.gpus !== 1 && !keepGangs) {
      builder.drop('job on several GPUs', entries.size);
      continue;
    }
    builder.tryMissing(() => {
      readJob(builder, table, key, job, jsonNumber(alone, table.file, 'throughput', RATE));
    }, entries.size);
  }
}

function readJob(builder: TableBuilder, table: Table, key: string, job: Job, alone: number): void {
  const { file } = table;
  const keepGangs = builder.option('gangs') === 'keep';
  const entries = table.jobs.get(key)?.entries ?? new Map<string, JsonNode>();
  for (const [otherKey, node] of entries) {
    if (otherKey === ALONE) {
      const [point, doubts] = pointOf(builder, table, job, null, alone, null, node);
      builder.addTogether(point, doubts);
      continue;
    }
    const other = parseJob(otherKey, node, file);
    const [own, itsNode] = pairOf(node, file, otherKey);
    if (other.gpus !== 1 && !keepGangs) {
      builder.drop('job on several GPUs');
      continue;
    }
    if (other.gpus !== job.gpus) {
      builder.drop('jobs on different numbers of GPUs');
      continue;
    }
    builder.tryMissing(() => {
      const speed = jsonNumber(own, file, 'throughput', RATE);
      const itsSpeed = jsonNumber(itsNode, file, 'throughput', RATE);
      const [sides, doubts] = pointOf(builder, table, job, other, speed, alone, own);
      const mirror = table.jobs.get(otherKey)?.entries;
      // The other side has its own entry, unless that is missing or this is a job beside itself.
      const entry = mirror?.get(key);
      if (entry !== undefined && otherKey !== key) {
        const [mirrored] = pairOf(entry, file, key);
        if (!same(jsonNumber(mirrored, file, 'throughput', RATE), itsSpeed)) doubts.push(DISAGREE);
      }
      if (entry === undefined || (otherKey === key && !same(itsSpeed, speed))) {
        const itsAlone = mirror?.get(ALONE);
        const base = itsAlone && jsonNumber(itsAlone, file, 'throughput', RATE);
        const its = pointOf(builder, table, other, job, itsSpeed, base ?? null, itsNode);
        sides.push(...its[0]);
        doubts.push(...its[1]);
      }
      builder.addTogether(sides, doubts);
    });
  }
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME * Math.max(a, b);
}

/** A point as the options have it; none when it is left out. */
function pointOf(
  builder: TableBuilder,
  table: Table,
  job: Job,
  other: Job | null,
  throughput: number,
  alone: number | null,
  node: JsonNode,
): [points: MeasurementFields[], doubts: string[]] {
  const doubts: string[] = [];
  if (throughput === 0 || alone === 0) {
    if (builder.option('didNotFit') === 'drop') {
      builder.drop(DID_NOT_FIT);
      return [[], []];
    }
    doubts.push(DID_NOT_FIT);
  }
  const relativeSpeed = alone === null || alone === 0 ? null : throughput / alone;
  if (relativeSpeed !== null && same(relativeSpeed, 1)) {
    if (builder.option('clipped') === 'drop') {
      builder.drop(CLIPPED);
      return [[], []];
    }
    doubts.push(CLIPPED);
  }
  const point: MeasurementFields = {
    gpuType: table.gpuType,
    workload: job.workload,
    batch: job.batch,
    sharing: other === null ? 'alone' : 'co-located',
    coRunners:
      other === null ? [] : [{ workload: other.workload, batch: other.batch, share: null }],
    stepS: throughput === 0 ? null : 1 / throughput,
    throughput,
    relativeSpeed,
    ...(job.gpus === 1 ? {} : { gpus: job.gpus, acrossNodes: table.spread }),
    source: GAVEL.name,
    row: `${path.basename(table.file)}:${node.line}:${node.column}`,
  };
  return [[point], doubts];
}

function readFile(builder: TableBuilder, file: string): void {
  const top = parseJson(readTextFile(file), file);
  const given = builder.given('gpu');
  const wanted = given == null ? null : canonicalGpuName(given);
  builder.file(file);
  const tables = [...jsonObject(top, file, 'throughputs')].map(([name, node]) =>
    readTable(file, name, node),
  );
  const types = [...new Set(tables.map(({ gpuType }) => gpuType))];
  if (types.length === 0) throw jsonError(top, file, 'expected gpu types, found none');
  if (wanted !== null && types.length > 1 && !types.includes(wanted)) {
    const found = types.map(quoted).join(', ');
    throw jsonError(top, file, `expected gpu type ${quoted(wanted)} of option gpu, found ${found}`);
  }
  for (const table of tables) {
    if (wanted === null || types.length === 1 || table.gpuType === wanted) {
      readRows(builder, { ...table, gpuType: wanted ?? table.gpuType });
      continue;
    }
    const entries = [...table.jobs.values()].map((job) => job.entries.size);
    builder.drop(
      'another gpu type than option gpu',
      entries.reduce((sum, size) => sum + size, 0),
    );
  }
}

/** Gavel throughputs: training jobs alone and in pairs, whole GPUs shared without limits. */
export const GAVEL: MeasurementFormat = {
  name: 'gavel',
  about: 'Gavel throughputs alone and in pairs (*_throughputs.json)',
  columns: [],
  detect: ({ text }) => /^\s*\{\s*"[^"]+"\s*:\s*\{\s*"[^\n"]+"\s*:\s*\{/.test(text),
  read: (builder, files) => {
    for (const file of files) readFile(builder, file);
  },
};

/** Reads a Gavel throughput file: all its GPU types. @throws {InputError} */
export function importGavel(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(GAVEL, [file], options);
}
