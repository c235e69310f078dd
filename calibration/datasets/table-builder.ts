import { basename } from 'node:path';
import { InputError } from '../../sim/errors.ts';
import type { Measurement, MeasurementReport, MeasurementTable } from '../measurement.ts';
import { type CsvRow, type CsvTable, MissingValue } from './csv.ts';
import { type MeasurementOptions, OPTION_DEFAULTS, type OptionName } from './options.ts';

type Defaulted = keyof typeof OPTION_DEFAULTS;

/** What a set says of a point; all else is null or none. */
export type MeasurementFields = Partial<Measurement> &
  Pick<Measurement, 'gpuType' | 'workload' | 'source' | 'row'>;

const BLANK: Omit<Measurement, 'gpuType' | 'workload' | 'source' | 'row'> = {
  batch: null,
  coreMhz: null,
  memoryMhz: null,
  powerCapW: null,
  share: null,
  sharing: 'alone',
  coRunners: [],
  stepS: null,
  throughput: null,
  normalised: false,
  relativeSpeed: null,
  powerW: null,
  achievedMhz: null,
  utilisation: null,
  bandwidth: null,
  l2: null,
  memoryGib: null,
};

/** A measurement of which all that is not given is null. */
export function measurement(fields: MeasurementFields): Measurement {
  return { ...BLANK, ...fields };
}

/** Collects the measurements of one or more files and counts what is left out or doubtful. */
export class TableBuilder {
  readonly #options: MeasurementOptions;
  readonly #consulted = new Map<OptionName, string | number>();
  readonly #rows: Measurement[] = [];
  readonly #values = new Map<string, Set<string>>();
  readonly #dropped = new Map<string, number>();
  readonly #flagged = new Map<string, number>();
  readonly #files = new Set<string>();
  readonly #assumed = new Set<string>();

  constructor(options: MeasurementOptions = {}) {
    this.#options = options;
  }

  /** An option in force, its default where it was not given. */
  option<K extends Defaulted>(name: K): NonNullable<MeasurementOptions[K]> {
    const value: NonNullable<MeasurementOptions[K]> = this.#options[name] ?? OPTION_DEFAULTS[name];
    this.#consulted.set(name, value);
    return value;
  }

  /** An option whose default depends on the file: null when it was not given. */
  given<K extends OptionName>(name: K, rule?: string): MeasurementOptions[K] | null {
    const value = this.#options[name] ?? null;
    if (value !== null) this.#consulted.set(name, value);
    else if (rule !== undefined) this.#consulted.set(name, rule);
    return value;
  }

  /** Notes that a file belongs to the table. */
  file(path: string): void {
    this.#files.add(path);
  }

  /** Notes what a reader took for granted. */
  assume(what: string): void {
    this.#assumed.add(what);
  }

  /** Counts points that are left out. */
  drop(reason: string, count = 1): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
  }

  /** Counts points that are kept with a doubt. */
  flag(reason: string, count = 1): void {
    this.#flagged.set(reason, (this.#flagged.get(reason) ?? 0) + count);
  }

  /**
   * Takes a point: a copy of an earlier one is treated as `duplicates` says.
   *
   * @param doubts reasons that are counted when it is kept
   */
  add(fields: MeasurementFields, doubts: readonly string[] = []): void {
    this.addTogether([fields], doubts);
  }

  /** Takes the points of one row, such as both sides of a pair: they are no copies of each other. */
  addTogether(sides: readonly MeasurementFields[], doubts: readonly string[] = []): void {
    const points = sides.map(measurement);
    const [first] = points;
    if (first === undefined) return;
    const parts = points.map(split);
    const knobs = parts.map(([part]) => part).join('\n');
    const values = parts.map(([, part]) => part).join('\n');
    const earlier = this.#values.get(knobs);
    if (earlier === undefined) {
      this.#values.set(knobs, new Set([values]));
    } else if (earlier.has(values)) {
      const treatment = this.option('duplicates');
      if (treatment === 'error') {
        const detail = `${first.row}: expected each row once, found a copy of an earlier one`;
        throw new InputError([...this.#files].at(-1) ?? first.source, null, null, detail);
      }
      if (treatment === 'drop') {
        this.drop('duplicated row', points.length);
        return;
      }
      this.flag('duplicated row', points.length);
    } else {
      earlier.add(values);
      this.flag('same point measured again, with another result', points.length);
    }
    for (const doubt of doubts) this.flag(doubt);
    this.#rows.push(...points);
  }

  /** Runs a reader over the rows of a table; rows without a needed value are treated as `missing` says. */
  eachRow(table: CsvTable, read: (row: CsvRow, place: string) => void, pointsPerRow = 1): void {
    this.file(table.file);
    const name = basename(table.file);
    for (const row of table.rows) {
      this.tryMissing(() => {
        read(row, `${name}:${row.line}`);
      }, pointsPerRow);
    }
  }

  /** Runs a reader of one row; a missing value drops it, with a count, unless `missing` is an error. */
  tryMissing(read: () => void, points = 1): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof MissingValue) || this.option('missing') === 'error') throw error;
      this.drop(`no value of ${error.field}`, points);
    }
  }

  /** The table of all that was taken. */
  table(): MeasurementTable {
    const flagged = new Map(this.#flagged);
    for (const [reason, count] of loneKnobs(this.#rows)) flagged.set(reason, count);
    const idle = Object.entries(this.#options)
      .filter(([name, value]) => value !== undefined && !this.#consulted.has(name as OptionName))
      .map(([name]) => `option ${name} concerns none of the files`);
    let dropped = 0;
    for (const count of this.#dropped.values()) dropped += count;
    const report: MeasurementReport = {
      files: [...this.#files],
      rowsRead: this.#rows.length + dropped,
      kept: this.#rows.length,
      dropped: Object.fromEntries(this.#dropped),
      flagged: Object.fromEntries(flagged),
      options: Object.fromEntries(this.#consulted),
      assumed: [...this.#assumed, ...idle],
    };
    return { rows: [...this.#rows], report };
  }
}

/** Identity of a point and what was measured there, as texts. */
function split(point: Measurement): [knobs: string, values: string] {
  const { stepS, throughput, relativeSpeed, powerW, achievedMhz, row: _row, ...rest } = point;
  const { utilisation, bandwidth, l2, memoryGib, ...knobs } = rest;
  const values = [stepS, throughput, relativeSpeed, powerW, achievedMhz];
  return [
    JSON.stringify(knobs, Object.keys(knobs).sort().concat('workload', 'batch', 'share')),
    JSON.stringify([...values, utilisation, bandwidth, l2, memoryGib]),
  ];
}

/** Workloads of a set that varies a knob, of which only one setting was measured. */
function loneKnobs(rows: readonly Measurement[]): Map<string, number> {
  const counts = new Map<string, number>();
  const knobs: [string, (row: Measurement) => string | null][] = [
    ['clock', ({ coreMhz, memoryMhz }) => (coreMhz === null ? null : `${coreMhz}/${memoryMhz}`)],
    ['power cap', ({ powerCapW }) => (powerCapW === null ? null : String(powerCapW))],
  ];
  for (const [name, settingOf] of knobs) {
    const settings = new Map<string, Set<string>>();
    for (const row of rows) {
      const setting = settingOf(row);
      if (setting === null) continue;
      const workload = JSON.stringify([row.source, row.gpuType, row.workload, row.batch]);
      settings.set(workload, (settings.get(workload) ?? new Set()).add(setting));
    }
    const lone = [...settings.values()].filter(({ size }) => size === 1).length;
    if (lone > 0) counts.set(`workload at one ${name} only`, lone);
  }
  return counts;
}
