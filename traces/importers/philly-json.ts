import { InputError } from '../../sim/errors.ts';
import type { ByteSource, FileHead } from '../csv/byte-source.ts';
import { RowError } from '../csv/row.ts';
import { arrayElements, type JsonElement } from '../json/array-elements.ts';
import type { ImportedTrace } from '../workload.ts';
import {
  checkSettings,
  type Importer,
  type ReadOptions,
  type SettingDoc,
  wordSetting,
} from './importer.ts';
import { PhillyJobs } from './philly-attempts.ts';
import { phillyRecord } from './philly-record.ts';
import { concludeImport, Tally } from './tally.ts';
import { TimeZero } from './time-zero.ts';
import { TraceClock } from './trace-clock.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const NAME = 'philly-json';
const ZONE = 'America/Los_Angeles';
const STARTS = /^\s*\[\s*\{/;
const KEYS = ['"jobid"', '"attempts"', '"submitted_time"'];

const SETTINGS: readonly SettingDoc[] = [
  {
    name: 'attempts',
    meaning:
      "'merged' (default): one job from the start of the first attempt to the end of the last, as " +
      "Microsoft's own analysis and all published statistics count; 'sum': one job of all attempts " +
      "with both times, without the gaps, as Synergy and Blox; 'separate': each attempt a job that " +
      'arrives when the one before ends, as Blox and Helios',
  },
  {
    name: 'gang',
    meaning: "GPUs of a job: of its 'first' attempt (default), or the 'largest' of its attempts",
  },
  {
    name: 'timeZone',
    meaning: `'${ZONE}' (default), or 'naive' for differences of the clock on the wall`,
  },
  ZERO_DURATION,
];

function detect({ text }: FileHead): string | null {
  if (!STARTS.test(text) || !KEYS.every((key) => text.includes(key))) return null;
  return `it is a JSON list of objects with ${KEYS.join(', ').replaceAll('"', "'")}`;
}

function located(path: string, { line, column, value }: JsonElement, error: RowError): InputError {
  const job = typeof value.jobid === 'string' ? `job '${value.jobid.slice(0, 80)}': ` : '';
  return new InputError(path, line, column, `${job}${error.column}: ${error.message}`);
}

async function read(source: ByteSource, options: ReadOptions): Promise<ImportedTrace> {
  const { path } = source;
  const { settings } = options;
  checkSettings(path, NAME, settings, SETTINGS);
  const clock = new TraceClock(path, settings, ZONE);
  const attempts = wordSetting(path, settings, 'attempts', ['merged', 'sum', 'separate']);
  const gang = wordSetting(path, settings, 'gang', ['first', 'largest']);
  const zero = new ZeroDurationRule(path, settings);
  const jobs = new PhillyJobs(clock, attempts, gang, zero);
  const zeroTime = new TimeZero();
  const tally = new Tally();
  let row = 0;
  for await (const element of arrayElements(source)) {
    row += 1;
    try {
      for (const result of jobs.jobsOf(phillyRecord(element.value), row)) {
        tally.rowsRead += 1;
        tally.keep(result);
      }
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      tally.rowsRead += 1;
      tally.bad(located(path, element, error));
    }
  }
  return concludeImport(source, options, tally, {
    format: NAME,
    options: { attempts, gang, timeZone: clock.timeZone, zeroDuration: zero.choice },
    timeZeroS: (firstS) => zeroTime.take(firstS),
    assumed: () => [
      zeroTime.assumed(clock.name),
      ...clock.assumed('times'),
      ...jobs.assumed(),
      ...zero.assumed(),
    ],
  });
}

/**
 * `cluster_job_log` of Microsoft Philly (msr-fiddle/philly-traces; Jeon et al., ATC 2019): a JSON list of
 * jobs, each with its attempts. Stamps are US Pacific time without a zone. Time 0 is the first submission
 * that is kept.
 */
export const phillyJson: Importer = {
  name: NAME,
  title: 'Microsoft Philly job log (JSON)',
  columns: [],
  settings: SETTINGS,
  detect,
  read,
};
