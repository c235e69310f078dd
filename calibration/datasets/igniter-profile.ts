import path from 'node:path';
import { InputError } from '../../sim/errors.ts';
import type { MeasurementTable } from '../measurement.ts';
import { readTextFile } from '../yaml.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { IGNITER_GPU } from './igniter.ts';
import { type MeasurementFormat, tableOf } from './importer.ts';
import { type JsonNode, jsonError, jsonList, jsonObject, parseJson } from './json.ts';
import { jsonNumber } from './json-number.ts';
import type { MeasurementOptions } from './options.ts';
import { positive } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

/** Grid of the tables of the profile: rows are batches, columns shares. */
const BATCHES = [1, 16, 32];
const SHARES = [0.1, 0.5, 1];
/** Batch and share of the two equal jobs of `power_2` and `frequency_2`. */
const TWIN = { batch: 16, share: 0.5 };

interface Value {
  readonly node: JsonNode;
  readonly line: number;
}

type Values = Map<string, Value>;

/** The values of each model, and of `hardware`, by key. */
function readLines(file: string): Map<string, Values> {
  const models = new Map<string, Values>();
  for (const [i, text] of readTextFile(file)
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (text.trim() === '') continue;
    const line = i + 1;
    const top = parseJson(text, file, line);
    for (const [model, inner] of jsonObject(top, file, 'line')) {
      const values = models.get(model) ?? new Map<string, Value>();
      models.set(model, values);
      for (const [key, node] of jsonObject(inner, file, model)) {
        const earlier = values.get(key);
        if (earlier !== undefined) {
          const detail = `expected ${key} of ${model} once, found it also in line ${earlier.line}`;
          throw jsonError(node, file, detail);
        }
        values.set(key, { node, line });
      }
    }
  }
  return models;
}

/** Cells of a table of batches by shares; null when the model has none. */
function grid({ node }: Value, file: string, what: string): JsonNode[][] {
  const rows = jsonList(node, file, what).map((row) => [...jsonList(row, file, what)]);
  const fits =
    rows.length === BATCHES.length && rows.every(({ length }) => length === SHARES.length);
  if (fits) return rows;
  throw jsonError(
    node,
    file,
    `${what}: expected ${BATCHES.length} lists of ${SHARES.length} numbers`,
  );
}

const TABLES = [
  ['gpulatency', 'ms'],
  ['power', 'W'],
  ['frequency', 'MHz'],
] as const;

function readModel(
  builder: TableBuilder,
  file: string,
  gpuType: string,
  model: string,
  values: Values,
): void {
  const grids = TABLES.map(([key, unit]) => {
    const value = values.get(key);
    return { key, unit, line: value?.line, cells: value && grid(value, file, key) };
  });
  const line = Math.min(...grids.map((table) => table.line ?? Infinity));
  for (const [b, batch] of BATCHES.entries()) {
    for (const [s, share] of SHARES.entries()) {
      if (line === Infinity) continue;
      builder.tryMissing(() => {
        const [latencyMs, powerW, clockMhz] = grids.map(({ key, unit, cells }) => {
          const cell = cells?.[b]?.[s];
          return cell === undefined ? null : jsonNumber(cell, file, key, positive(unit));
        });
        builder.add({
          gpuType,
          workload: model,
          batch,
          share,
          sharing: 'mps',
          stepS: latencyMs == null ? null : latencyMs / 1000,
          powerW: powerW ?? null,
          achievedMhz: clockMhz ?? null,
          source: IGNITER_PROFILE.name,
          row: `${path.basename(file)}:${line}/${b + 1},${s + 1}`,
        });
      });
    }
  }
  readTwins(builder, file, gpuType, model, values);
}

/** Two jobs of the same model, half of the GPU each: their power and clock together. */
function readTwins(
  builder: TableBuilder,
  file: string,
  gpuType: string,
  model: string,
  values: Values,
): void {
  const power = values.get('power_2');
  const clock = values.get('frequency_2');
  const first = power ?? clock;
  if (first === undefined) return;
  builder.assume('power_2 and frequency_2 of an iGniter profile: two at batch 16, half each');
  builder.tryMissing(() => {
    builder.add({
      gpuType,
      workload: model,
      ...TWIN,
      sharing: 'mps',
      coRunners: [{ workload: model, ...TWIN }],
      powerW: power === undefined ? null : jsonNumber(power.node, file, 'power_2', positive('W')),
      achievedMhz:
        clock === undefined ? null : jsonNumber(clock.node, file, 'frequency_2', positive('MHz')),
      source: IGNITER_PROFILE.name,
      row: `${path.basename(file)}:${first.line}/2 x ${model}`,
    });
  });
}

/** 1 to n equal jobs on one GPU: their power and clock together. */
function readEqualJobs(
  builder: TableBuilder,
  file: string,
  gpuType: string,
  hardware: Values,
): void {
  const power = hardware.get('power');
  const clock = hardware.get('frequency');
  if (power === undefined) return;
  const powers = jsonList(power.node, file, 'hardware power');
  const clocks = clock === undefined ? null : jsonList(clock.node, file, 'hardware frequency');
  if (clock !== undefined && clocks?.length !== powers.length) {
    const detail = `hardware frequency: expected ${powers.length} numbers, as many as of power`;
    throw jsonError(clock.node, file, detail);
  }
  const workload = builder.option('colocatedWorkload');
  const share = builder.option('colocatedShare');
  for (const [i, cell] of powers.entries()) {
    builder.tryMissing(() => {
      const clockCell = clocks?.[i];
      builder.add({
        gpuType,
        workload,
        share,
        sharing: 'mps',
        coRunners: Array.from({ length: i }, () => ({ workload, batch: null, share })),
        powerW: jsonNumber(cell, file, 'hardware power', positive('W')),
        achievedMhz:
          clockCell === undefined
            ? null
            : jsonNumber(clockCell, file, 'hardware frequency', positive('MHz')),
        source: IGNITER_PROFILE.name,
        row: `${path.basename(file)}:${power.line}/${i + 1} x ${workload}`,
      });
    });
  }
}

function readFile(builder: TableBuilder, file: string): void {
  const models = readLines(file);
  if (models.size === 0) throw new InputError(file, 1, 1, 'expected JSON lines, found nothing');
  const gpuType = gpuTypeOf(builder, file, IGNITER_GPU);
  builder.file(file);
  for (const [model, values] of models) {
    if (model === 'hardware') readEqualJobs(builder, file, gpuType, values);
    else readModel(builder, file, gpuType, model, values);
  }
}

/** iGniter profile: latency, power and clock alone, and power and clock of equal jobs together. */
export const IGNITER_PROFILE: MeasurementFormat = {
  name: 'igniter-profile',
  about: 'iGniter latency, power and clock over batch and MPS share (*_profile.jsonl)',
  columns: [],
  detect: ({ text }) => /^\s*\{\s*"[^"]+"\s*:\s*\{[^{}\n]*\}\s*\}\s*(?:[\r\n]|$)/.test(text),
  read: (builder, files) => {
    for (const file of files) readFile(builder, file);
  },
};

/** Reads an iGniter profile (JSON lines); a step is one batch. @throws {InputError} */
export function importIgniterProfile(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(IGNITER_PROFILE, [file], options);
}
