import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Order } from '../../../policies/order/order.ts';
import { shortestRemaining } from '../../../policies/order/srtf.ts';
import { ClassQueue } from '../../../policies/queue/class-queue.ts';
import { type FakeJob, fakeJob } from '../fake-jobs.ts';

/** Takes all jobs for which `fits`, in order; a class is dropped where one does not. */
function walk(queue: ClassQueue, gpus: number, fits: (job: FakeJob) => boolean): number[] {
  const taken: number[] = [];
  queue.open(gpus);
  for (let job = queue.first; job !== null; job = queue.first) {
    if (!fits(job)) {
      queue.dropClass();
      continue;
    }
    queue.take();
    taken.push(job.index);
  }
  return taken;
}

const drawn = fc.array(
  fc.record({
    remainingS: fc.integer({ min: 0, max: 9 }),
    gpuCount: fc.integer({ min: 1, max: 4 }),
    workload: fc.constantFrom('a', 'b'),
    types: fc.constantFrom([0], [1], [0, 1]),
  }),
  { maxLength: 60 },
);

describe('policies/queue/class-queue', () => {
  it('walks all jobs in the order of a stable sort', () => {
    for (const likeness of ['gang', 'speed', 'seat', null] as const) {
      fc.assert(
        fc.property(drawn, (fields) => {
          const jobs = fields.map((over, i) => fakeJob(i, over));
          const queue = new ClassQueue(shortestRemaining(), likeness);
          for (const job of jobs) queue.enter(job);
          const sorted = [...jobs].sort((a, b) => a.remainingS - b.remainingS);
          assert.deepEqual(
            walk(queue, Infinity, () => true),
            sorted.map(({ index }) => index),
          );
          assert.equal(queue.first, null);
        }),
      );
    }
  });

  it('gives GPUs to the same jobs as a walk of the sorted queue that skips what does not fit', () => {
    fc.assert(
      fc.property(drawn, fc.array(fc.integer({ min: 0, max: 12 })), (fields, rounds) => {
        const queue = new ClassQueue(shortestRemaining(), 'gang');
        const jobs = fields.map((over, i) => fakeJob(i, { ...over, types: [0] }));
        for (const job of jobs) queue.enter(job);
        let waiting = [...jobs].sort((a, b) => a.remainingS - b.remainingS);
        for (const gpus of rounds) {
          let free = gpus;
          const ours = walk(queue, free, (job) => {
            if (job.gpuCount > free) return false;
            free -= job.gpuCount;
            return true;
          });
          free = gpus;
          const naive = waiting.filter((job) => {
            if (job.gpuCount > free) return false;
            free -= job.gpuCount;
            return true;
          });
          waiting = waiting.filter((job) => !naive.includes(job));
          assert.deepEqual(
            ours,
            naive.map(({ index }) => index),
          );
        }
      }),
    );
  });

  it('opens only classes whose gangs are not larger than what is free', () => {
    const queue = new ClassQueue(shortestRemaining(), 'gang');
    queue.enter(fakeJob(0, { gpuCount: 8 }));
    queue.enter(fakeJob(1, { gpuCount: 2 }));
    queue.open(4);
    assert.deepEqual([queue.first?.index, queue.firstKey, queue.firstClass?.gpuCount], [1, 100, 2]);
  });

  it('drops jobs that have left the queue by themselves', () => {
    const queue = new ClassQueue(shortestRemaining(), 'gang');
    const jobs = [0, 1, 2].map((i) => fakeJob(i));
    for (const job of jobs) queue.enter(job);
    for (const job of jobs.slice(0, 2)) job.state = 'running';
    assert.deepEqual(
      walk(queue, Infinity, () => true),
      [2],
    );
  });

  it('finds a job whose key has changed under its new key only', () => {
    const keys = [1, 2, 3];
    const order: Order = {
      name: 'changing',
      readsDuration: false,
      key: ({ index }) => keys[index] as number,
      update: () => [],
    };
    const queue = new ClassQueue(order, 'gang');
    const jobs = [0, 1, 2].map((i) => fakeJob(i));
    for (const job of jobs) queue.enter(job);
    keys[2] = 0;
    queue.enter(jobs[2] as FakeJob);
    assert.deepEqual(
      walk(queue, Infinity, () => true),
      [2, 0, 1],
    );
  });
});
