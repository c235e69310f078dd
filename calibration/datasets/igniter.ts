import path from 'node:path';
import { z } from 'zod';
import { InputError } from '../../sim/errors.ts';
import { readTextFile } from '../yaml.ts';
import { readCsv } from './csv.ts';

/** Latency of a model running alone under an MPS active thread percentage. */
export interface SharePoint {
  readonly batchSize: number;
  /** SM share in (0, 1]. */
  readonly share: number;
  readonly latencyMs: number;
}

/** Power and core clock of a model running alone under an MPS active thread percentage. */
export interface SharePower {
  readonly batchSize: number;
  readonly share: number;
  readonly powerW: number;
  readonly clockMhz: number;
}

/** One side of a co-run pair: how a model fared beside another. */
export interface PairObservation {
  readonly model: string;
  readonly other: string;
  readonly batchSize: number;
  readonly share: number;
  readonly otherBatchSize: number;
  readonly otherShare: number;
  /** Latency beside the other over latency alone at the same share. */
  readonly slowdown: number;
  /** DRAM bandwidth utilisation alone at this batch size and share, in [0, 1]. */
  readonly dramUtilisation: number;
  readonly otherDramUtilisation: number;
}

export interface IgniterData {
  readonly solo: ReadonlyMap<string, readonly SharePoint[]>;
  readonly power: ReadonlyMap<string, readonly SharePower[]>;
  readonly pairs: readonly PairObservation[];
}

/** How the data set is named in provenance. */
export const IGNITER_SOURCE =
  'iGniter V100 profiles (github.com/icloud-ecnu/igniter, commit b1ff2ab; TPDS 2023), V100-SXM2, TensorRT inference under MPS at 1530 MHz';

/** Grid of the power and clock tables of the data set. */
const BATCH_SIZES = [1, 16, 32];
const SHARES = [0.1, 0.5, 1];

/** Reads the iGniter set: `solo.csv`, `pairs.csv` and `igniter_v100_profile.jsonl`. */
export function readIgniter(folder: string): IgniterData {
  const solo = new Map<string, SharePoint[]>();
  for (const row of readCsv(folder, 'solo.csv')) {
    const model = row.text('model');
    const points = solo.get(model) ?? [];
    points.push({
      batchSize: row.number('batch'),
      share: row.number('thread_pct') / 100,
      latencyMs: row.number('latency_ms'),
    });
    solo.set(model, points);
  }
  const pairs = readCsv(folder, 'pairs.csv').flatMap((row) =>
    ([1, 2] as const).map((me): PairObservation => {
      const it = 3 - me;
      return {
        model: row.text(`model${me}`),
        other: row.text(`model${it}`),
        batchSize: row.number(`batch${me}`),
        share: row.number(`thread_pct${me}`) / 100,
        otherBatchSize: row.number(`batch${it}`),
        otherShare: row.number(`thread_pct${it}`) / 100,
        slowdown: row.number(`slowdown${me}`),
        dramUtilisation: row.number(`dram_${me}_pct`) / 100,
        otherDramUtilisation: row.number(`dram_${it}_pct`) / 100,
      };
    }),
  );
  return { solo, power: readPower(path.join(folder, 'igniter_v100_profile.jsonl')), pairs };
}

const table = z.array(z.array(z.number()).length(SHARES.length)).length(BATCH_SIZES.length);
const line = z.record(
  z.string(),
  z.looseObject({ power: z.unknown().optional(), frequency: z.unknown().optional() }),
);

/** Power and clock of each model, from lines `{"model": {"power": [[...]]}}`, batch by share. */
function readPower(file: string): Map<string, SharePower[]> {
  const powers = new Map<string, number[][]>();
  const clocks = new Map<string, number[][]>();
  readTextFile(file)
    .split('\n')
    .forEach((text, i) => {
      if (text.trim() === '') return;
      for (const [model, { power, frequency }] of Object.entries(parseLine(text, file, i + 1))) {
        if (model === 'hardware') continue;
        if (power !== undefined) powers.set(model, readTable(power, file, i + 1));
        if (frequency !== undefined) clocks.set(model, readTable(frequency, file, i + 1));
      }
    });
  const result = new Map<string, SharePower[]>();
  for (const [model, power] of powers) {
    const clock = clocks.get(model);
    const points = BATCH_SIZES.flatMap((batchSize, b) =>
      SHARES.flatMap((share, s) => {
        const powerW = power[b]?.[s];
        const clockMhz = clock?.[b]?.[s];
        return powerW === undefined || clockMhz === undefined
          ? []
          : [{ batchSize, share, powerW, clockMhz }];
      }),
    );
    result.set(model, points);
  }
  return result;
}

function readTable(value: unknown, file: string, number: number): number[][] {
  const parsed = table.safeParse(value);
  if (parsed.success) return parsed.data;
  const detail = `expected ${BATCH_SIZES.length} lists of ${SHARES.length} numbers`;
  throw new InputError(file, number, null, detail);
}

function parseLine(text: string, file: string, number: number): z.output<typeof line> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError(file, number, null, 'expected a JSON object in each line');
  }
  const parsed = line.safeParse(value);
  if (!parsed.success) throw new InputError(file, number, null, 'expected {"model": {...}}');
  return parsed.data;
}
