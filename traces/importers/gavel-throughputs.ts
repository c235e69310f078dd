import { InputError } from '../../sim/errors.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import { quoted } from '../csv/row.ts';
import { ORACLE_V100, SIMULATION_V100 } from './gavel-rates.ts';

/** The largest published table has 1.3 MB. */
const LIMIT_BYTES = 64 * 1024 * 1024;
/** Key of the throughput without a neighbour. */
const ALONE = 'null';
const TUPLE = /^\(\s*(['"])(.*)\1\s*,\s*(\d+)\s*\)$/;

/** The tables in Gavel's repository that its traces count their steps with. */
export type GavelTable = 'oracle_throughputs' | 'simulation_throughputs';

/** Steps per second of Gavel's job types alone on one GPU type. */
export interface GavelThroughputs {
  /** Path of the file, or the name of a table that is built in. */
  readonly name: string;
  /** Of the file; null for a table that is built in. */
  readonly sha256: string | null;
  /** Whether the table tells gang sizes apart; else a job type has one rate at every gang size. */
  readonly byGangSize: boolean;
  /** Null where the table has no such job, or it did not run there (0). */
  stepsPerS(jobType: string, gpuCount: number): number | null;
}

interface Rates {
  /** By gang size and job type. */
  readonly gangs: Map<string, number>;
  /** By job type, at any gang size. */
  readonly singles: Map<string, number>;
}

const gangKey = (jobType: string, gpuCount: number) => `${gpuCount} ${jobType}`;

function throughputsOf(
  name: string,
  sha256: string | null,
  { gangs, singles }: Rates,
): GavelThroughputs {
  return {
    name,
    sha256,
    byGangSize: gangs.size > 0,
    stepsPerS(jobType, gpuCount) {
      const rate = gangs.get(gangKey(jobType, gpuCount)) ?? singles.get(jobType) ?? 0;
      return rate > 0 ? rate : null;
    },
  };
}

/** What is built in of a table of Gavel: its V100. */
export function builtInThroughputs(table: GavelTable): GavelThroughputs {
  const rates: Rates = { gangs: new Map(), singles: new Map() };
  if (table === 'oracle_throughputs') {
    for (const [jobType, rate] of Object.entries(ORACLE_V100)) rates.singles.set(jobType, rate);
  } else {
    for (const [jobType, byGang] of Object.entries(SIMULATION_V100)) {
      for (const [at, rate] of byGang.entries()) rates.gangs.set(gangKey(jobType, 2 ** at), rate);
    }
  }
  return throughputsOf(`built-in ${table}`, null, rates);
}

async function textOf(source: ByteSource): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source.chunks()) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes > LIMIT_BYTES) {
      throw new InputError(source.path, null, null, `is larger than ${LIMIT_BYTES} bytes`);
    }
  }
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

type JsonObject = Readonly<Record<string, unknown>>;

function objectAt(path: string, value: unknown, where: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw new InputError(path, null, null, `${where}: expected an object`);
}

function parsed(path: string, text: string): JsonObject {
  try {
    return objectAt(path, JSON.parse(text), 'throughputs');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InputError(path, null, null, `is not JSON: ${error.message.toLowerCase()}`);
  }
}

/**
 * Reads a throughput table of Gavel (stanford-futuredata/gavel, scheduler/): by GPU type (`v100`, `p100`,
 * `k80`), by job type, in steps per second. `simulation_throughputs.json` names jobs by Python tuples of
 * job type and gang size, `oracle_throughputs.json` by job type alone. Closes the source.
 *
 * @throws {InputError} when it is no such table or has no such GPU type
 */
export async function readGavelThroughputs(
  source: ByteSource,
  gpuType: string,
): Promise<GavelThroughputs> {
  const { path } = source;
  try {
    const table = parsed(path, await textOf(source));
    const rows = table[gpuType];
    if (rows === undefined) {
      const found = Object.keys(table).slice(0, 10).map(quoted).join(', ');
      const detail = `has no throughputs of ${quoted(gpuType)}; found: ${found}`;
      throw new InputError(path, null, null, detail);
    }
    const rates: Rates = { gangs: new Map(), singles: new Map() };
    for (const [key, entry] of Object.entries(objectAt(path, rows, quoted(gpuType)))) {
      const rate = objectAt(path, entry, quoted(key))[ALONE];
      if (typeof rate !== 'number' || !Number.isFinite(rate) || rate < 0) {
        const detail = `${quoted(key)}: expected a throughput from 0 under ${quoted(ALONE)}`;
        throw new InputError(path, null, null, detail);
      }
      const tuple = TUPLE.exec(key);
      if (tuple === null) rates.singles.set(key, rate);
      else rates.gangs.set(gangKey(tuple[2] ?? '', Number(tuple[3])), rate);
    }
    return throughputsOf(path, source.fingerprint().sha256, rates);
  } finally {
    source.close();
  }
}
