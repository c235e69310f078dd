import { InputError } from '../../sim/errors.ts';
import { quoted } from '../csv/row.ts';
import { type ZoneClock, zoneClock } from '../csv/wall-clock.ts';
import type { Settings } from './importer.ts';

/** The zone that takes differences of the clock on the wall. */
export const NAIVE = 'naive';

/** The clock of a trace whose stamps state no zone, chosen by the setting `timeZone`. */
export class TraceClock {
  readonly timeZone: string;
  readonly #read: ZoneClock;
  readonly #folds = { repeated: 0, skipped: 0 };
  #secondPass = 0;

  /** @throws {InputError} on an unknown zone */
  constructor(path: string, settings: Settings, byDefault: string) {
    this.timeZone = String(settings.timeZone ?? byDefault);
    if (this.timeZone === NAIVE) {
      this.#read = (wallS) => ({ epochS: wallS, fold: null });
      return;
    }
    try {
      this.#read = zoneClock(this.timeZone);
    } catch {
      const expected = `expected '${NAIVE}' or a zone like 'America/Los_Angeles'`;
      const detail = `option timeZone: ${expected}, found ${quoted(this.timeZone)}`;
      throw new InputError(path, null, null, detail);
    }
  }

  /** Seconds since 1970 of a wall clock time; see `ZoneClock`. Counts the times that are not unique. */
  epochS(wallS: number, notBeforeS?: number): number {
    const { epochS, fold } = this.#read(wallS, notBeforeS);
    if (fold !== null) this.#folds[fold] += 1;
    if (fold === 'repeated' && epochS !== this.#read(wallS).epochS) this.#secondPass += 1;
    return epochS;
  }

  /** What 1970 is on, for a line of the report. */
  get name(): string {
    return this.timeZone === NAIVE ? 'local clock time' : 'UTC';
  }

  /** For the report: what was assumed of times such as `submissions`. */
  assumed(times: string): readonly string[] {
    const { repeated, skipped } = this.#folds;
    const lines: string[] = [];
    if (this.timeZone === NAIVE) lines.push(`${times} are differences of local clock times`);
    if (repeated > 0) {
      const first = `${repeated} ${times} in a repeated hour are taken as its first pass`;
      const but = `, but ${this.#secondPass} as its second: the first is before what came before`;
      lines.push(this.#secondPass > 0 ? first + but : first);
    }
    if (skipped > 0) {
      lines.push(`${skipped} ${times} in a skipped hour are read with the old offset`);
    }
    return lines;
  }
}
