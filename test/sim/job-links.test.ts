import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JobLinks } from '../../sim/job-links.ts';
import { MarkedList } from '../../sim/marked-list.ts';

// By hand: 4, 1, 3 are appended; without 1 the list is 4, 3; appended again, 1 is the last: 4, 3, 1.

function walk(links: JobLinks): number[] {
  const jobs: number[] = [];
  for (let job = links.first(); job >= 0; job = links.next(job)) jobs.push(job);
  return jobs;
}

describe('sim/job-links', () => {
  it('keeps jobs in the order of appending, and one that comes again is the last', () => {
    const links = new JobLinks(5);
    for (const job of [4, 1, 3]) links.append(job);
    assert.deepEqual(walk(links), [4, 1, 3]);
    links.remove(1);
    assert.deepEqual(walk(links), [4, 3]);
    links.append(1);
    assert.deepEqual(walk(links), [4, 3, 1]);
    assert.equal(links.size, 3);
  });

  it('agrees with an array under any appending and removing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 100 }), (steps) => {
        const links = new JobLinks(10);
        let expected: number[] = [];
        for (const job of steps) {
          if (expected.includes(job)) {
            links.remove(job);
            expected = expected.filter((other) => other !== job);
          } else {
            links.append(job);
            expected.push(job);
          }
          assert.deepEqual(walk(links), expected);
          assert.equal(links.size, expected.length);
          assert.equal(links.first(), expected[0] ?? -1);
        }
      }),
      { numRuns: 200, seed: 21 },
    );
  });
});

describe('sim/marked-list', () => {
  it('lists each index once in the order of adding, and can be refilled', () => {
    const list = new MarkedList(6);
    const items = (): number[] => Array.from({ length: list.size }, (_, i) => list.at(i));
    for (const index of [5, 0, 5, 3, 0]) list.add(index);
    assert.deepEqual(items(), [5, 0, 3]);
    list.clear();
    assert.equal(list.size, 0);
    for (const index of [3, 5, 3]) list.add(index);
    assert.deepEqual(items(), [3, 5]);
  });
});
