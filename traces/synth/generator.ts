import { InputError, nearest } from '../../sim/errors.ts';
import type { RandomSource } from '../../sim/random.ts';
import { quoted } from '../csv/row.ts';
import type { SettingDoc, Settings } from '../importers/importer.ts';

/** What a generated job asks for. */
export interface Body {
  readonly gpuCount: number;
  /** Part of each GPU, in (0, 1]. */
  readonly share: number;
  readonly durationS: number;
}

/** The named random stream of a purpose. */
export type Streams = (purpose: string) => RandomSource;

/** How one generator draws its jobs, once its options are read. */
export interface TraceLaw {
  /** Mean submissions a second where neither a rate nor a load is asked for. */
  readonly ratePerS: number;
  /** What the clock of the trace that is imitated shows at time 0, in seconds after midnight. */
  readonly clockStartS: number;
  /** Whether run times are whole seconds, at least one, as in the traces that are imitated. */
  readonly wholeSeconds: boolean;
  /** What so many jobs ask for, gangs above the limit not drawn. */
  bodies(count: number, streams: Streams): readonly Body[];
  /** When they are submitted, at this mean rate; in the order of the bodies, not of time. */
  arrivals(bodies: readonly Body[], ratePerS: number, streams: Streams): readonly number[];
  /** Options with their defaults, for the report. */
  readonly options: Readonly<Record<string, string | number>>;
  /** Where figures come from, and what is assumed beyond them. */
  readonly assumed: readonly string[];
}

/** A generator of jobs. */
export interface Generator {
  readonly name: string;
  readonly title: string;
  readonly settings: readonly SettingDoc[];
  /** @param maxGpus larger gangs are not drawn; infinite for no limit */
  law(settings: SettingReader, maxGpus: number): TraceLaw;
}

/** Reads the options of one generator. Anything wrong is an `InputError` that names it. */
export class SettingReader {
  readonly #generator: string;
  readonly #settings: Settings;

  constructor({ name, settings: docs }: Pick<Generator, 'name' | 'settings'>, settings: Settings) {
    this.#generator = name;
    this.#settings = settings;
    const known = docs.map((doc) => doc.name);
    for (const given of Object.keys(settings)) {
      if (known.includes(given)) continue;
      const near = nearest(given, known);
      const has = known.length === 0 ? 'it has none' : `it has ${known.map(quoted).join(', ')}`;
      const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
      throw this.#error(`has no option ${quoted(given)}: ${has}${hint}`);
    }
  }

  #error(detail: string): InputError {
    return new InputError('options', null, null, `generator ${this.#generator}: ${detail}`);
  }

  /** A number within bounds. */
  number(name: string, usual: number, min: number, max = Number.POSITIVE_INFINITY): number {
    const given = this.#settings[name];
    if (given === undefined) return usual;
    const value = given === '' ? Number.NaN : Number(given);
    if (value >= min && value <= max && Number.isFinite(value)) return value;
    const expected = max === Number.POSITIVE_INFINITY ? `from ${min}` : `from ${min} to ${max}`;
    throw this.#error(`${name}: expected a number ${expected}, found ${quoted(String(given))}`);
  }

  /** A number of GPUs, from 1 to the largest gang that may be drawn. */
  gpus(name: string, usual: number, maxGpus: number): number {
    const value = this.number(name, usual, 1);
    if (!Number.isSafeInteger(value)) {
      throw this.#error(`${name}: expected a whole number from 1, found ${value}`);
    }
    if (value <= maxGpus) return value;
    throw this.#error(
      `${name}: expected no more than the limit maxGpus=${maxGpus}, found ${value}`,
    );
  }

  /** One of some words; the first where none is given. */
  word<W extends string>(name: string, words: readonly [W, ...W[]]): W {
    const given = String(this.#settings[name] ?? words[0]);
    const word = words.find((each) => each.toLowerCase() === given.toLowerCase());
    if (word !== undefined) return word;
    const near = nearest(given, words);
    const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
    const detail = `expected one of ${words.map(quoted).join(', ')}, found ${quoted(given)}`;
    throw this.#error(`${name}: ${detail}${hint}`);
  }
}
