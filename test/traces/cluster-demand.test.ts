import assert from 'node:assert/strict';
import { clusterDemand } from '../../traces/cluster-demand.ts';
import { concurrencyOf } from '../../traces/statistics/concurrency.ts';
import type { TraceJob } from '../../traces/workload.ts';
import { job } from './support.ts';

const clusterOf = (gpus: number) => ({
  name: 'c',
  groups: [{ gpuType: 'V100', gpusPerNode: gpus, nodes: 1 }],
});
const findings = (jobs: readonly TraceJob[], gpus: number) =>
  clusterDemand(jobs, concurrencyOf(jobs), clusterOf(gpus)).findings;

describe('what a trace asks of a cluster', () => {
  const pair = [job({ submitS: 0, durationS: 100 }), job({ submitS: 50, durationS: 100 })];

  it('is nothing to speak of where jobs fit and GPUs are used', () => {
    assert.deepEqual(findings(pair, 4), []);
  });

  it('leaves it idle where the peak stays below a quarter of the GPUs', () => {
    // 2 GPUs at once of 9; 200 GPU-seconds over 150 s.
    const [finding, ...rest] = findings(pair, 9);
    assert.deepEqual(rest, []);
    assert.match(
      finding ?? '',
      /^the cluster is idle: at most 2 of 9 GPUs are asked for at once, 1\.33/,
    );
    assert.match(finding ?? '', /--load.*--cluster-scale/);
    assert.deepEqual(findings(pair, 8), []);
  });

  it('counts jobs that cannot run, with the types that they ask for', () => {
    const jobs = [
      ...pair,
      job({ submitS: 60, gpuTypes: ['T4'] }),
      job({ submitS: 61, gpuTypes: ['T4', 'A10'] }),
      job({ submitS: 62, gpuTypes: ['T4'] }),
      job({ submitS: 63, gpuCount: 9 }),
    ];
    assert.deepEqual(findings(jobs, 8), [
      '3 jobs ask only for GPU types that the cluster does not have (T4 2, T4|A10 1)',
      '1 jobs ask for more GPUs than the cluster has of the types that they may use',
    ]);
  });

  it('says an overload first', () => {
    const jobs = Array.from({ length: 200 }, (_, at) =>
      job({ submitS: at, durationS: 10, gpuTypes: at % 2 === 0 ? ['T4'] : [] }),
    );
    assert.match(findings(jobs, 2)[0] ?? '', /^all jobs together ask for 503 % of the 2 GPUs/);
  });
});
