import { allox } from './allox.ts';
import { fifoOnFastest, fifoOnLast } from './fifo.ts';
import { gandivaPacking, isolated } from './gandiva.ts';
import { fairFinish, maxMin, mostSteps, shortestDuration } from './programs.ts';
import type { Allocate, GavelRule, RuleSettings } from './rule.ts';

/** `FIFO_PACKED` of the released code packs above this summed normalised throughput. */
const PACKS_ABOVE = 1.5;

/** To which worker types look alike, or that have several times as many variables as constraints. */
const TIED = ['max_min_fairness', 'finish_time_fairness', 'max_min_fairness_packed'];

function rule(
  name: string,
  title: string,
  engine: string | null,
  create: (settings: RuleSettings) => Allocate,
): GavelRule {
  const isFifo = name.startsWith('fifo');
  const packs = name.endsWith('_packed') || name === 'gandiva';
  const knowsTypes = packs || name.endsWith('_perf') || name.startsWith('allox');
  return {
    name,
    title,
    engine,
    shuffles: !knowsTypes,
    packs,
    skipsIdleShares: isFifo,
    isTied: TIED.includes(name),
    create,
  };
}

/** Rules of the peer under their own names. */
export const GAVEL_RULES: readonly GavelRule[] = [
  rule(
    'fifo',
    'in order of arrival, each job on the last worker type listed (meant: a random one)',
    null,
    ({ seed }) => fifoOnLast(seed),
  ),
  rule(
    'fifo_perf',
    'in order of arrival, on the fastest type with room',
    'fifo:types=fastest',
    () => fifoOnFastest(null),
  ),
  rule('fifo_packed', 'the same, and jobs that wait join those that run', null, () =>
    fifoOnFastest(PACKS_ABOVE),
  ),
  rule('isolated', 'the same part of each type for every job', null, isolated),
  rule('gandiva', 'jobs paired at random while that pays', 'gandiva', ({ seed }) =>
    gandivaPacking(seed),
  ),
  rule('allox', 'least sum of completion times by assignment', 'allox', ({ alpha }) =>
    allox(alpha),
  ),
  rule('max_min_fairness', 'max-min fairness of time', 'gavel:objective=max-min-agnostic', () =>
    maxMin('none'),
  ),
  rule('max_min_fairness_perf', 'max-min fairness of throughput', 'gavel', () => maxMin('types')),
  rule('max_min_fairness_packed', 'the same with pairs of jobs', 'gavel:spaceSharing=true', () =>
    maxMin('types'),
  ),
  rule('finish_time_fairness', 'Themis on throughputs of v100', null, () => fairFinish('v100')),
  rule('finish_time_fairness_perf', 'Themis', 'themis', () => fairFinish('types')),
  rule('min_total_duration', 'makespan within 5 % on throughputs of v100', null, () =>
    shortestDuration('v100'),
  ),
  rule(
    'min_total_duration_perf',
    'makespan within 5 %',
    'gavel:objective=makespan,makespan=released',
    () => shortestDuration('types'),
  ),
  rule('max_sum_throughput_perf', 'sum of throughputs', 'gavel:objective=max-sum', mostSteps),
];

/** The rule of this name. @throws {RangeError} when there is none */
export function ruleNamed(name: string): GavelRule {
  const found = GAVEL_RULES.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = GAVEL_RULES.map((each) => each.name);
  throw new RangeError(`unknown policy '${name}' of gavel, expected one of: ${names.join(', ')}`);
}
