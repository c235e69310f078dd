import assert from 'node:assert/strict';
import { loadWarnings, type RunWithRejections, rejectionWarnings } from '../../harness/warnings.ts';
import { clusterLoad } from '../../traces/statistics/load.ts';
import { job } from '../traces/support.ts';

const EXPERIMENT = { allowExtrapolated: false, workload: { kind: 'synth' } } as const;

/** A run of 10 jobs of which so many were rejected, by reason. */
function runOf(rejectedByReason: Readonly<Record<string, number>>): RunWithRejections {
  const rejected = Object.values(rejectedByReason).reduce((all, count) => all + count, 0);
  const jobs = { submitted: 10, done: 10 - rejected, failed: 0, rejected, rejectedByReason };
  return { jobs, firstRejected: rejected === 0 ? null : { job: 'a', reason: 'is too much' } };
}

describe('harness/warnings', () => {
  it('say nothing where no job was rejected', () => {
    assert.deepEqual(rejectionWarnings([], EXPERIMENT), []);
    assert.deepEqual(rejectionWarnings([runOf({})], EXPERIMENT), []);
  });

  it('count all runs, the most frequent reason first, and name the mends of each', () => {
    const runs = [runOf({}), runOf({ memory: 1, too_many_gpus: 2 }), runOf({ memory: 3 })];
    assert.deepEqual(rejectionWarnings(runs, EXPERIMENT), [
      "6 of 30 jobs were rejected (4 memory, 2 too_many_gpus), the figures leave them out; job 'a', for example: is too much; to mend it: GPUs with more memory (--cluster); a larger cluster (--cluster), or smaller gangs (--synth philly:maxGpus=N)",
    ]);
  });

  it('tell runs in which nothing ran from the others', () => {
    const [some = ''] = rejectionWarnings([runOf({}), runOf({ gpu_type: 10 })], EXPERIMENT);
    assert.match(some, /^10 of 20 .* nothing ran in 1 of 2 runs, whose figures mean nothing;/);
    const [all = ''] = rejectionWarnings([runOf({ gpu_type: 10 })], EXPERIMENT);
    assert.match(all, /^all 10 jobs were rejected .* nothing ran and the figures mean nothing;/);
  });

  it('advise only what would change something', () => {
    const advice = (reason: string, experiment: Parameters<typeof rejectionWarnings>[1]) =>
      rejectionWarnings([runOf({ [reason]: 1 })], experiment)[0] ?? '';
    assert.match(advice('no_profile', EXPERIMENT), /--allow-extrapolated/);
    const trace = { allowExtrapolated: true, workload: { kind: 'trace' } } as const;
    assert.doesNotMatch(advice('no_profile', trace), /--allow-extrapolated/);
    assert.doesNotMatch(advice('too_many_gpus', trace), /--synth/);
    assert.doesNotMatch(advice('a new reason', trace), /to mend/);
  });
});

describe('harness/warnings of a load', () => {
  const cluster = {
    name: 'c',
    groups: [
      { gpuType: 'A10', gpusPerNode: 1, nodes: 1 },
      { gpuType: 'V100', gpusPerNode: 1, nodes: 1 },
    ],
  };
  /** One job of 10 s every 10 s, of so many GPUs and these types. */
  const loadOf = (gpuCount: number, gpuTypes: readonly string[]) => {
    const jobs = Array.from({ length: 200 }, (_, at) =>
      job({ submitS: 10 * at, durationS: 10, gpuCount, gpuTypes }),
    );
    return clusterLoad(jobs, cluster);
  };

  it('name the type or the cluster that is asked for more than it has, and the mend', () => {
    const mend = 'to mend it: fewer submissions (--load) or a larger cluster (--cluster)';
    const grows = 'the queue grows for as long as jobs are submitted';
    assert.deepEqual(loadWarnings(loadOf(1, ['A10']), null), [
      `jobs that may run on A10 only ask for 101 % of its 1 GPUs: ${grows}; ${mend}`,
    ]);
    assert.deepEqual(loadWarnings(loadOf(2, []), null), [
      `all jobs together ask for 101 % of the 2 GPUs: ${grows}; ${mend}`,
    ]);
    assert.deepEqual(loadWarnings(loadOf(1, []), null), []);
  });

  it('do not complain of a load that was asked for, but of a type all the same', () => {
    assert.deepEqual(loadWarnings(loadOf(2, []), 1.005), []);
    assert.equal(loadWarnings(loadOf(1, ['A10']), 0.5).length, 1);
  });
});
