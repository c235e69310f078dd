import { expectedService } from '../../../policies/order/qssf.ts';
import type { Packable } from '../../../policies/sharing/lucid-rule.ts';
import { InputError } from '../../../sim/errors.ts';
import type { LucidJob, Pair, Single } from './inputs.ts';
import type { PackingFacts } from './packing.ts';
import type { Ticket } from './virtual-cluster.ts';

/** Models that its pair table leaves out: with them, nobody is slowed (updater.py). */
const OUTSIDE_MODELS = ['NeuMF', 'ResNet50', 'BERT', 'Transformer'];
/** What an estimate below 0 is taken for (estimator.py), in seconds. */
const ESTIMATE_OF_NONE_S = 1000;

/** Files that the packing reads, and where jobs stand, for messages. */
export interface PackingTables {
  readonly singles: ReadonlyMap<string, Single>;
  readonly singlesPath: string;
  readonly pairs: readonly Pair[];
  readonly pairsPath: string;
  /** Expected durations by job; null takes the durations themselves. */
  readonly estimates: ReadonlyMap<string, number> | null;
}

/** Expected duration of a job. @throws {InputError} when there are estimates but none of this job */
export function estimateOf(job: LucidJob, estimates: ReadonlyMap<string, number> | null): number {
  if (estimates === null) return job.durationS;
  const estimateS = estimates.get(job.id);
  if (estimateS !== undefined) return estimateS;
  throw new InputError('--set estimates=FILE', null, null, `has no estimate of job '${job.id}'`);
}

/** What the packing knows of these jobs. @throws {InputError} on a configuration that was not measured */
export function packingFacts(tickets: readonly Ticket[], tables: PackingTables): PackingFacts {
  const packables = tickets.map(({ job }) => packableOf(job, tables));
  const speeds = new Map<string, readonly Pair[]>();
  for (const pair of tables.pairs) {
    const key = keyOf(pair.first, pair.second);
    speeds.set(key, [...(speeds.get(key) ?? []), pair]);
  }
  return {
    packable: ({ index }) => packables[index] as Packable,
    speeds(a, b) {
      const models = [a.job.model, b.job.model];
      if (models.some((model) => model !== null && OUTSIDE_MODELS.includes(model))) return [1, 1];
      const [first, second] = [a.job.configuration ?? '', b.job.configuration ?? ''];
      const forward = speeds.get(keyOf(first, second)) ?? [];
      const backward = forward.length > 0 ? [] : (speeds.get(keyOf(second, first)) ?? []);
      const [found, other] = [...forward, ...backward];
      if (found === undefined || other !== undefined) {
        const what = found === undefined ? 'no measurement' : 'several measurements';
        const detail = `${what} of the pair '${first}' and '${second}'`;
        throw new InputError(tables.pairsPath, null, null, detail);
      }
      const [mine, theirs] = found.speeds;
      return forward.length > 0 ? [mine, theirs] : [theirs, mine];
    },
  };
}

function packableOf(job: LucidJob, tables: PackingTables): Packable {
  const { gpuCount, configuration } = job;
  const single = configuration === null ? undefined : tables.singles.get(configuration);
  if (single === undefined) {
    const what = configuration === null ? 'model, dataset, batchsize, amp' : `'${configuration}'`;
    const detail = `has no measurement of job '${job.id}' alone: ${what}`;
    throw new InputError(tables.singlesPath, null, null, detail);
  }
  const estimateS = estimateOf(job, tables.estimates);
  const durationS = estimateS < 0 ? ESTIMATE_OF_NONE_S : estimateS;
  return {
    gpuCount,
    memory: job.memoryMib ?? single.memoryMib,
    score: single.score,
    priority: expectedService({ durationS, gpuCount }),
  };
}

function keyOf(first: string, second: string): string {
  return `${first}\n${second}`;
}
