import assert from 'node:assert/strict';
import { compose } from '../../policies/compose.ts';
import type { JobSpec } from '../../sim/job.ts';
import { exponential, randomStream } from '../../sim/random.ts';
import { type SimulationConfig, simulate } from '../../sim/simulate.ts';
import type { DecisionMaker } from '../../sim/view.ts';
import { clusterOf, flatJob, worldOf } from '../support/flat.ts';
import { RandomPolicy } from '../support/random-policy.ts';

// A run is a function of its configuration and its policy: the same twice gives the same to the last bit.
// Jobs come in groups of three at one instant, so that ties are everywhere.

function workload(count: number): JobSpec[] {
  const random = randomStream(7, 'workload');
  let submitS = 0;
  return Array.from({ length: count }, (_, i) => {
    if (i % 3 === 0) submitS += exponential(random, 60);
    const gpuCount = [1, 1, 2, 4][Math.floor(random() * 4)] ?? 1;
    return flatJob({
      id: `${i}`,
      submitS,
      durationS: exponential(random, 100),
      gpuCount,
      share: gpuCount === 1 && random() < 0.5 ? 0.5 : 1,
    });
  });
}

function world(over: Partial<SimulationConfig> = {}, mayFail = true): SimulationConfig {
  return {
    ...worldOf({
      jobs: workload(400),
      cluster: clusterOf({ nodes: 4, gpusPerNode: 4 }),
      options: {
        paranoid: false,
        checkpointIntervalS: 50,
        costs: { start: 3, restart: 2, checkpoint: 1 },
        ...(mayFail && { failures: { gpuMtbfS: 5000, nodeMtbfS: 20_000, clientMtbfS: 5000 } }),
      },
    }),
    ...over,
  };
}

/** Few jobs on few GPUs, for a policy that is slow. */
function small(): SimulationConfig {
  return world({ jobs: workload(60), cluster: clusterOf({ nodes: 2, gpusPerNode: 4 }) });
}

/** Everything that a run gives, as text. */
function record(config: SimulationConfig, policy: DecisionMaker): string {
  const result = simulate(config, policy);
  const rows = config.jobs.map((_, index) => result.jobRow(index));
  return JSON.stringify([result.summary, rows]);
}

const fifo = (): DecisionMaker => compose({ name: 'fifo', walk: 'head-of-line' });

describe('simulate: determinism', () => {
  it('gives the same rows and summary for the same configuration, seed and policy', () => {
    assert.equal(record(world(), fifo()), record(world(), fifo()));
    const random = (): DecisionMaker => new RandomPolicy(3, 'mps', 300);
    assert.equal(record(small(), random()), record(small(), random()));
  });

  it('gives the same after other runs, in whatever order', () => {
    const first = record(world(), fifo());
    record(small(), new RandomPolicy(5, 'time-slice', 100));
    assert.equal(record(world(), fifo()), first);
  });

  it('depends on the seed where something is drawn', () => {
    assert.notEqual(record(world({ seed: 1 }), fifo()), record(world({ seed: 2 }), fifo()));
  });

  it('depends on the seed nowhere else', () => {
    const [one, two] = [1, 2].map((seed) => record(world({ seed }, false), fifo()));
    assert.equal(one, two);
  });

  it('does not depend on the order in which profiles are listed', () => {
    const config = world();
    const { gpuTypes, workloads, pairs } = config.profiles;
    const other = {
      gpuTypes: [...gpuTypes, { ...gpuTypes[0], name: 'unused' } as (typeof gpuTypes)[0]].reverse(),
      workloads: [...workloads].reverse(),
      pairs,
    };
    assert.equal(record({ ...config, profiles: other }, fifo()), record(config, fifo()));
  });

  it('does not change its configuration', () => {
    const config = small();
    const before = JSON.stringify(config);
    record(config, new RandomPolicy(1, 'mps', 200));
    assert.equal(JSON.stringify(config), before);
  });
});
