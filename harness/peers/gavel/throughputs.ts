import { readFile } from 'node:fs/promises';
import { InputError } from '../../../sim/errors.ts';

/** A job type and its scale factor as the table names them: a Python tuple. */
const TUPLE = /^\(\s*(['"])(.*)\1\s*,\s*(\d+)\s*\)$/;
const ALONE = 'null';

/** Steps per second by worker type, job type and scale factor, alone and of two jobs together. */
export interface ThroughputTable {
  readonly path: string;
  readonly workerTypes: readonly string[];
  /** @throws {InputError} when the table has no such job */
  alone(workerType: string, jobType: string, scaleFactor: number): number;
  /** Of the first and the second job. @throws {InputError} when the table has no such pair */
  together(
    workerType: string,
    first: string,
    second: string,
    scaleFactor: number,
  ): readonly [number, number];
}

type Rates = ReadonlyMap<string, unknown>;

const keyOf = (jobType: string, scaleFactor: number): string => `${scaleFactor} ${jobType}`;

function isRate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

class ParsedTable implements ThroughputTable {
  readonly path: string;
  readonly #rates = new Map<string, Map<string, Rates>>();

  constructor(path: string, text: string) {
    this.path = path;
    for (const [workerType, jobs] of this.#entries(this.#parse(text), 'the table')) {
      const byJob = new Map<string, Rates>();
      for (const [job, rates] of this.#entries(jobs, `'${workerType}'`)) {
        const byOther = new Map<string, unknown>();
        for (const [other, rate] of this.#entries(rates, `'${job}'`)) {
          byOther.set(other === ALONE ? ALONE : this.#key(other), rate);
        }
        byJob.set(this.#key(job), byOther);
      }
      this.#rates.set(workerType, byJob);
    }
  }

  get workerTypes(): readonly string[] {
    return [...this.#rates.keys()];
  }

  alone(workerType: string, jobType: string, scaleFactor: number): number {
    const rate = this.#of(workerType, jobType, scaleFactor).get(ALONE);
    if (isRate(rate)) return rate;
    return this.#fail(
      `'${jobType}' (scale factor ${scaleFactor}) on ${workerType}: no throughput alone`,
    );
  }

  together(
    workerType: string,
    first: string,
    second: string,
    scaleFactor: number,
  ): readonly [number, number] {
    const rates = this.#of(workerType, first, scaleFactor).get(keyOf(second, scaleFactor));
    if (Array.isArray(rates) && rates.length === 2 && rates.every(isRate)) {
      return [rates[0] as number, rates[1] as number];
    }
    return this.#fail(
      `'${first}' with '${second}' (scale factor ${scaleFactor}) on ${workerType}: expected two throughputs`,
    );
  }

  #of(workerType: string, jobType: string, scaleFactor: number): Rates {
    const rates = this.#rates.get(workerType)?.get(keyOf(jobType, scaleFactor));
    if (rates !== undefined) return rates;
    return this.#fail(
      `has no throughputs of '${jobType}' with scale factor ${scaleFactor} on ${workerType}`,
    );
  }

  #key(text: string): string {
    const tuple = TUPLE.exec(text);
    if (tuple !== null) return keyOf(tuple[2] as string, Number(tuple[3]));
    return this.#fail(`expected a job like ('ResNet-18 (batch size 16)', 1), found '${text}'`);
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      return this.#fail(`is not JSON: ${(error as Error).message.toLowerCase()}`);
    }
  }

  #entries(value: unknown, what: string): [string, unknown][] {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.entries(value);
    }
    return this.#fail(`${what}: expected an object`);
  }

  #fail(detail: string): never {
    throw new InputError(this.path, null, null, detail);
  }
}

/** The table in a text of Gavel's `simulation_throughputs.json`. @throws {InputError} */
export function parseThroughputTable(path: string, text: string): ThroughputTable {
  return new ParsedTable(path, text.replace(/^\uFEFF/, ''));
}

/** Reads such a file. @throws {InputError} when it is missing or malformed */
export async function readThroughputTable(path: string): Promise<ThroughputTable> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new InputError(path, null, null, `cannot be read: ${(error as Error).message}`);
  });
  return parseThroughputTable(path, text);
}
