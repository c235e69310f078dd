import assert from 'node:assert/strict';
import fc from 'fast-check';
import { GangLevels, JobLanes, NO_TYPE, TypeRoom } from '../../../policies/elastic/index.ts';
import { NodePool } from '../../../policies/elastic/node-pool.ts';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import { clusterOf, flatGpu, flatProfile, profileSet } from '../../support/flat.ts';
import { fakeJob } from '../fake-jobs.ts';

describe('lanes of jobs', () => {
  it('are walked by rank and submission, and dropped as a whole', () => {
    const needs = [2, 1, 2, 1, 3];
    const views = needs.map((minGpus, i) => fakeJob(i, { minGpus, maxGpus: 3, gpuCount: 3 }));
    const lanes = new JobLanes((minGpus) => minGpus);
    for (const view of views) lanes.add(view);
    lanes.open();
    const walked: number[] = [];
    while (lanes.first !== null) {
      walked.push(lanes.first.index);
      // Gangs of two have no room.
      if (lanes.first.minGpus === 2) lanes.dropLane();
      else lanes.advance();
    }
    assert.deepEqual(walked, [1, 3, 0, 4]);
  });

  it('give all jobs that are there in order, on random changes', () => {
    const change = fc.record({ adds: fc.boolean(), minGpus: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(change), fc.boolean(), (changes, ranked) => {
        const lanes = new JobLanes(ranked ? (minGpus) => minGpus : undefined);
        const there: ReturnType<typeof fakeJob>[] = [];
        for (const [i, { adds, minGpus }] of changes.entries()) {
          if (adds || there.length === 0) {
            const view = fakeJob(i, { minGpus });
            there.push(view);
            lanes.add(view);
          } else lanes.remove(there.splice((i * 7) % there.length, 1)[0] as (typeof there)[number]);
        }
        const walked: number[] = [];
        lanes.open();
        while (lanes.first !== null) {
          walked.push(lanes.first.index);
          lanes.advance();
        }
        const rank = ({ minGpus }: { minGpus: number }) => (ranked ? minGpus : 0);
        there.sort((a, b) => rank(a) - rank(b) || a.index - b.index);
        assert.deepEqual(
          walked,
          there.map(({ index }) => index),
        );
      }),
    );
  });
});

describe('GPUs by type that a plan has left', () => {
  it('go to the type that a job is on, else where nobody is displaced', () => {
    const room = new TypeRoom([4, 4]);
    room.reserve(0, 3);
    // A new job of two avoids type 0, where one with three runs.
    assert.equal(room.give(2, [0, 1], NO_TYPE), 1);
    assert.equal(room.give(3, [0, 1], 0), 0);
    assert.deepEqual(room.lefts(), [1, 2]);
    assert.equal(room.give(3, [0, 1], NO_TYPE), NO_TYPE);
    assert.equal(room.giveSeveral(3, [0, 1]), true);
    assert.deepEqual(room.lefts(), [0, 0]);
    assert.equal(room.giveSeveral(1, [0, 1]), false);
  });

  it('displace where there is no other way', () => {
    const room = new TypeRoom([4]);
    room.reserve(0, 3);
    assert.equal(room.give(4, [0], NO_TYPE), 0);
    assert.equal(room.give(3, [0], 0), NO_TYPE);
  });
});

describe('the pool of a plan', () => {
  const profiles = profileSet([flatGpu()], [flatProfile()]);
  const pool = (isOpen: (gpu: number) => boolean) =>
    new NodePool(new Cluster(clusterOf({ nodes: 3, gpusPerNode: 4 }), profiles), isOpen);
  /** GPUs 0 and 1 of node 0, three of node 1, all of node 2. */
  const most = (gpu: number) => ![2, 3, 4].includes(gpu);

  it('places compact: where a gang just fits, a larger one on the emptiest nodes', () => {
    assert.deepEqual(pool(most).take(0, 2, 'compact'), [0, 1]);
    assert.deepEqual(pool(most).take(0, 3, 'compact'), [5, 6, 7]);
    assert.deepEqual(pool(most).take(0, 6, 'compact'), [8, 9, 10, 11, 0, 1]);
    assert.equal(pool(most).left(0), 9);
  });

  it('places from the emptiest node on', () => {
    assert.deepEqual(pool(most).take(0, 2, 'emptiest'), [8, 9]);
    assert.deepEqual(pool(most).take(0, 5, 'emptiest'), [8, 9, 10, 11, 5]);
  });
});

describe('the gangs by which a job grows', () => {
  it('are the least that it needs and powers of two, within what a type has', () => {
    const levels = new GangLevels([16, 6]);
    const of = (minGpus: number, maxGpus: number, type: number) =>
      levels.of(fakeJob(0, { minGpus, maxGpus }), type);
    assert.deepEqual(of(1, 20, 0), [1, 2, 4, 8, 16]);
    assert.deepEqual(of(3, 9, 0), [3, 4, 8]);
    assert.deepEqual(of(3, 3, 0), [3]);
    assert.deepEqual(of(1, 20, 1), [1, 2, 4]);
    assert.deepEqual(of(7, 20, 1), []);
  });
});
