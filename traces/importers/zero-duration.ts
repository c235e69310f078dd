import type { SettingDoc, Settings } from './importer.ts';
import { wordSetting } from './importer.ts';

/** What becomes of a job that ran for no time. */
export type ZeroDuration = 'drop' | 'keep' | 'one-second';

export const ZERO_DURATION: SettingDoc = {
  name: 'zeroDuration',
  meaning:
    "jobs that ran for no time: 'drop' (default), 'keep' (negative times are still dropped), " +
    "or 'one-second' for both",
};

/** The setting `zeroDuration`, and a count of the run times it changed. */
export class ZeroDurationRule {
  readonly choice: ZeroDuration;
  #kept = 0;

  /** @throws {InputError} on another word */
  constructor(path: string, settings: Settings) {
    this.choice = wordSetting(path, settings, ZERO_DURATION.name, ['drop', 'keep', 'one-second']);
  }

  /** The run time to take, in seconds; null to leave the job out. */
  apply(durationS: number): number | null {
    if (durationS > 0) return durationS;
    if (this.choice === 'drop' || (this.choice === 'keep' && durationS < 0)) return null;
    this.#kept += 1;
    return this.choice === 'keep' ? 0 : 1;
  }

  /** For the report: how many jobs were kept that ran for no time. */
  assumed(): readonly string[] {
    if (this.#kept === 0) return [];
    const taken = this.choice === 'keep' ? 'kept as such' : 'taken to have run for 1 s';
    return [`${this.#kept} jobs that ran for no time are ${taken}`];
  }
}
