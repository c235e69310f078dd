import type { Command } from 'commander';
import { InputError } from '../sim/errors.ts';
import { positiveNumber, wholeNumber } from './common.ts';

/** Options that say which jobs of a trace count, how long they run and when they come. */
export interface ShapeFlags {
  readonly virtualClusters?: string;
  readonly window?: string;
  readonly duration?: string;
  readonly minDuration?: number;
  readonly dropLonger?: number;
  readonly maxGang?: number;
  readonly sample?: number;
  readonly jobs?: number;
  readonly timeScale?: number;
  readonly load?: number;
}

/** Adds the options that shape a trace, in the order in which the steps are taken. */
export function withShapeOptions(command: Command, jobsHelp: string): Command {
  return command
    .option('--virtual-clusters <names>', 'only jobs of these virtual clusters, a comma list')
    .option('--window <from..to>', 'only jobs submitted in these seconds of its clock')
    .option('--duration <which>', 'run times: actual, requested or capped:SECONDS')
    .option('--min-duration <s>', 'leave out shorter jobs', positiveNumber)
    .option('--drop-longer <s>', 'leave out longer jobs', positiveNumber)
    .option('--max-gang <n>', 'leave out jobs of more GPUs', wholeNumber(1))
    .option('--sample <x>', 'a part of the jobs below 1, or so many, by the seed', positiveNumber)
    .option('--jobs <n>', jobsHelp, wholeNumber(1))
    .option('--time-scale <x>', 'factor on the time between submissions', positiveNumber)
    .option('--load <x>', 'offered load to scale submissions to', positiveNumber);
}

function windowOf(text: string): { fromS: number; toS: number } {
  const [from = '', to = '', ...more] = text.split('..');
  const [fromS, toS] = [Number(from), Number(to)];
  const given = from.trim() !== '' && to.trim() !== '' && more.length === 0;
  if (given && Number.isFinite(fromS) && Number.isFinite(toS)) return { fromS, toS };
  const detail = `expected FROM..TO in seconds, like 0..86400, found '${text}'`;
  throw new InputError('--window', null, null, detail);
}

/** The fields of a workload that the flags stand for; undefined for those not given. */
export function shapeGiven(flags: ShapeFlags): Record<string, unknown> {
  const { virtualClusters, window, minDuration, dropLonger } = flags;
  return {
    virtualClusters: virtualClusters?.split(',').map((name) => name.trim()),
    window: window === undefined ? undefined : windowOf(window),
    duration: flags.duration,
    minDurationS: minDuration,
    dropLongerS: dropLonger,
    maxGang: flags.maxGang,
    sample: flags.sample,
    jobs: flags.jobs,
    timeScale: flags.timeScale,
    load: flags.load,
  };
}
