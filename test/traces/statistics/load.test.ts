import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ClusterSpec } from '../../../sim/cluster/cluster.ts';
import { clusterLoad, offeredLoad, overloads } from '../../../traces/statistics/load.ts';
import { job } from '../support.ts';

/** 2 A10 and 6 V100, the latter in two groups. */
const CLUSTER: ClusterSpec = {
  name: 'c',
  groups: [
    { gpuType: 'A10', gpusPerNode: 2, nodes: 1 },
    { gpuType: 'V100', gpusPerNode: 4, nodes: 1 },
    { gpuType: 'V100', gpusPerNode: 1, nodes: 2 },
  ],
};

describe('offered load', () => {
  it('is GPU-seconds asked for over those there are while jobs are submitted', () => {
    // 4 x 10 + 0.5 x 100 + 2 x 30 = 150 GPU-s; 2 GPUs for 100 s.
    const jobs = [
      job({ submitS: 100, durationS: 10, gpuCount: 4 }),
      job({ submitS: 150, durationS: 100, share: 0.5 }),
      job({ submitS: 200, durationS: 30, gpuCount: 2 }),
    ];
    assert.equal(offeredLoad(jobs, 2), 0.75);
  });

  it('counts jobs to the types that they may use', () => {
    const load = clusterLoad(
      [
        // 266 GPU-s on A10 alone: 133 % of 2 GPUs for 100 s.
        job({ submitS: 0, durationS: 266, gpuTypes: ['A10'] }),
        // 80 GPU-s on either: 20 to the 2 A10, 60 to the 6 V100.
        job({ submitS: 50, durationS: 20, gpuCount: 4, gpuTypes: [] }),
        // 90 GPU-s on V100; T4 are not there.
        job({ submitS: 100, durationS: 45, gpuCount: 2, gpuTypes: ['V100', 'T4'] }),
      ],
      CLUSTER,
    );
    assert.equal(load.gpus, 8);
    assert.equal(load.spanS, 100);
    assert.equal(load.offeredLoad, (266 + 80 + 90) / 800);
    assert.deepEqual(load.types, [
      { gpuType: 'A10', gpus: 2, boundGpuHours: 266 / 3600, boundLoad: 1.33, load: 286 / 200 },
      { gpuType: 'V100', gpus: 6, boundGpuHours: 90 / 3600, boundLoad: 0.15, load: 150 / 600 },
    ]);
    assert.deepEqual(load.withoutType, {});
    assert.equal(load.tooLarge, 0);
  });

  it('sets jobs apart that the cluster has no GPUs for', () => {
    const load = clusterLoad(
      [
        job({ gpuTypes: ['T4'] }),
        job({ gpuTypes: ['T4', 'P100'] }),
        job({ gpuTypes: ['T4'] }),
        job({ gpuCount: 3, gpuTypes: ['A10'] }),
        job({ gpuCount: 9 }),
        job({ submitS: 10, gpuCount: 8 }),
      ],
      CLUSTER,
    );
    assert.deepEqual(load.withoutType, { T4: 2, 'T4|P100': 1 });
    assert.equal(load.tooLarge, 2);
  });

  it('is null, not infinite, where all jobs come at once', () => {
    const load = clusterLoad([job(), job({ gpuTypes: ['A10'] })], CLUSTER);
    assert.equal(load.offeredLoad, null);
    assert.deepEqual(
      load.types.map(({ boundLoad, load: all }) => [boundLoad, all]),
      [
        [null, null],
        [null, null],
      ],
    );
    assert.equal(clusterLoad([], CLUSTER).offeredLoad, null);
  });

  it('of all types sums to that of the cluster where every job can run', () => {
    const jobs = fc.array(
      fc.record({
        submitS: fc.integer({ min: 0, max: 1000 }),
        durationS: fc.integer({ min: 1, max: 500 }),
        gpuCount: fc.integer({ min: 1, max: 2 }),
        gpuTypes: fc.constantFrom([], ['A10'], ['V100'], ['A10', 'V100']),
      }),
      { minLength: 2, maxLength: 20 },
    );
    fc.assert(
      fc.property(jobs, (parts) => {
        const sorted = parts.toSorted((a, b) => a.submitS - b.submitS).map((part) => job(part));
        const { types, offeredLoad: whole, gpus } = clusterLoad(sorted, CLUSTER);
        if (whole === null) return;
        const sum = types.reduce((all, { gpus: count, load }) => all + count * (load ?? 0), 0);
        assert.ok(Math.abs(sum - whole * gpus) < 1e-9 * sum);
      }),
    );
  });
});

describe('an overload', () => {
  /** Jobs of 10 s, one every 10 s for 1000 s, of so many GPUs each. */
  const steady = (gpuCount: number, gpuTypes: readonly string[] = []) =>
    Array.from({ length: 101 }, (_, at) =>
      job({ submitS: 10 * at, durationS: 10, gpuCount, gpuTypes }),
    );

  it('is one of a type, or of the whole cluster', () => {
    assert.deepEqual(overloads(clusterLoad(steady(1), CLUSTER)), []);
    assert.deepEqual(
      overloads(clusterLoad(steady(2, ['A10']), CLUSTER)).map(({ gpuType, sentence }) => [
        gpuType,
        sentence,
      ]),
      // 101 jobs x 2 GPUs x 10 s over 2 GPUs x 1000 s.
      [
        [
          'A10',
          'jobs that may run on A10 only ask for 101 % of its 2 GPUs: the queue grows for as long as jobs are submitted',
        ],
      ],
    );
    assert.deepEqual(
      overloads(clusterLoad(steady(8), CLUSTER)).map(({ gpuType }) => gpuType),
      [null],
    );
  });

  it('is said once of a cluster of one type', () => {
    const cluster = { name: 'c', groups: [{ gpuType: 'A10', gpusPerNode: 2, nodes: 1 }] };
    const found = overloads(clusterLoad(steady(2, ['A10']), cluster));
    assert.deepEqual(
      found.map(({ gpuType }) => gpuType),
      [null],
    );
  });

  it('is none of jobs that are submitted for less than ten of their run times', () => {
    const burst = steady(8).slice(0, 10);
    const load = clusterLoad(burst, CLUSTER);
    assert.ok((load.offeredLoad ?? 0) > 1);
    assert.equal(load.sustained, false);
    assert.deepEqual(overloads(load), []);
  });

  it('is none of a load of 1 with the digits that scaling leaves', () => {
    const load = clusterLoad(steady(1), CLUSTER);
    assert.deepEqual(overloads({ ...load, offeredLoad: 1 + 1e-12 }), []);
  });
});
