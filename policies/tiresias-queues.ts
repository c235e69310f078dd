import type { OptionValues, PolicyOption } from './policy.ts';

const RELEASED = 'released simulator, jobs.py';

/** Options of the discrete queues of Tiresias. */
export const QUEUE_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'queues',
    default: 3,
    min: 1,
    max: 32,
    description: 'number of priority queues',
    source: RELEASED,
  },
  {
    name: 'limits',
    default: '3250,7200,18000',
    description:
      'service at which a job falls to the next queue, in GPU-seconds (or seconds, see service); one limit less than queues is used',
    source: `${RELEASED}; its README says 3600 for the first; the third is listed but never used`,
  },
  {
    name: 'service',
    default: 'gpu-time',
    choices: ['gpu-time', 'time'],
    description: 'what counts as service: GPUs x time running, or time running',
    source: 'paper section 3.2 (2D-LAS); time is schedule dlas of the released simulator',
  },
  {
    name: 'promoteKnob',
    default: 0,
    min: 0,
    description:
      'a job that has waited this many times as long as it has run goes back to the first queue; 0 for never',
    source: 'paper section 3.2 (PROMOTEKNOB); off as in schedule dlas-gpu',
  },
];

/** What the options of the queues say. */
export interface QueueRules {
  readonly limits: readonly number[];
  readonly service: 'gpu-time' | 'time';
  readonly promoteKnob: number;
}

/** Numbers of a comma list; NaN where a part is none. */
export function numberList(text: string): number[] {
  return text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
}

/** Reads `QUEUE_OPTIONS`. @throws {RangeError} when queues and limits do not go together */
export function queueRules(policy: string, options: OptionValues): QueueRules {
  const queues = Number(options.queues);
  const limits = numberList(String(options.limits));
  if (!Number.isInteger(queues) || limits.length < queues - 1) {
    throw new RangeError(
      `policy '${policy}': queues is ${queues}, expected a whole number of at most limits + 1 (limits is '${options.limits}')`,
    );
  }
  return {
    limits: limits.slice(0, queues - 1),
    service: options.service === 'time' ? 'time' : 'gpu-time',
    promoteKnob: Number(options.promoteKnob),
  };
}
