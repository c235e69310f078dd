import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JobColumns } from '../../../traces/columns/job-columns.ts';
import { columnsBehind, forReading, jobsOf } from '../../../traces/columns/jobs-view.ts';
import { statisticsOf } from '../../../traces/report.ts';
import type { TraceJob } from '../../../traces/workload.ts';
import { job } from '../support.ts';

const text = fc.option(fc.constantFrom('a', 'b', 'é'));
const time = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }));
const jobs: fc.Arbitrary<TraceJob[]> = fc
  .array(
    fc.record({
      id: fc.string({ unit: 'grapheme', maxLength: 5 }),
      submitS: fc.nat(20),
      durationS: fc.double({ min: 0, max: 1e9, noNaN: true }),
      referenceGpu: text,
      gpuCount: fc.integer({ min: 1, max: 300 }),
      share: fc.constantFrom(1, 0.5, 0.05),
      memoryGib: time,
      gpuTypes: fc.constantFrom<readonly string[]>([], ['T4'], ['T4', 'V100']),
      model: text,
      deadlineS: time,
      maxSlowdown: time,
      queuedS: time,
      requestedS: time,
      priority: fc.constantFrom(null, 'guaranteed' as const, 'opportunistic' as const),
      user: text,
      virtualCluster: text,
      status: text,
      row: fc.nat(1000),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.map((each, index) => ({ ...each, id: `${each.id}-${index}` })));

function columnsOf(all: readonly TraceJob[]): JobColumns {
  const columns = new JobColumns();
  for (const each of all) columns.push(each);
  return columns;
}

describe('jobs in columns', () => {
  it('are the jobs that were pushed', () => {
    fc.assert(
      fc.property(jobs, (all) => {
        const columns = columnsOf(all);
        assert.deepEqual(
          all.map((_, index) => columns.at(index)),
          all,
        );
      }),
    );
  });

  it('are sorted by submission, then by row', () => {
    fc.assert(
      fc.property(jobs, (all) => {
        const columns = columnsOf(all);
        columns.sortBySubmission();
        const sorted = all.toSorted((a, b) => a.submitS - b.submitS || a.row - b.row);
        assert.deepEqual(
          all.map((_, index) => columns.at(index).submitS),
          sorted.map(({ submitS }) => submitS),
        );
        assert.deepEqual(
          all.map((_, index) => columns.at(index).row),
          sorted.map(({ row }) => row),
        );
      }),
    );
  });

  it('keep the first of one id, or take the next in its place', () => {
    const columns = columnsOf([job({ id: 'a', row: 1 })]);
    const next = job({ id: 'a', row: 2, user: 'u', gpuTypes: ['T4'], queuedS: 3 });
    assert.equal(columns.push(next), false);
    assert.deepEqual(columns.at(0), job({ id: 'a', row: 1 }));
    columns.replace(columns.placeOf('a'), next);
    assert.deepEqual(columns.at(0), next);
    assert.equal(columns.length, 1);
    assert.equal(columns.placeOf('b'), -1);
  });
});

describe('the view of jobs in columns', () => {
  const all = [0, 1, 2, 3, 4].map((row) =>
    job({ id: `j${row}`, submitS: row, row, user: `u${row % 2}` }),
  );
  const view = jobsOf(columnsOf(all), 0);

  it('can be read like any array', () => {
    assert.ok(Array.isArray(view));
    assert.equal(view.length, 5);
    assert.deepEqual(view, all);
    assert.deepEqual([...view], all);
    assert.deepEqual(view[2], all[2]);
    assert.equal(view[5], undefined);
    assert.deepEqual(view.at(-1), all[4]);
    assert.deepEqual(
      view.map(({ id }) => id),
      all.map(({ id }) => id),
    );
    assert.deepEqual(
      view.filter(({ row }) => row > 2),
      all.slice(3),
    );
    assert.deepEqual(view.slice(1, 3), all.slice(1, 3));
    assert.deepEqual(
      view.toSorted((a, b) => b.row - a.row),
      all.toReversed(),
    );
    assert.deepEqual(view.concat(all), [...all, ...all]);
    assert.deepEqual(Object.keys(view), ['0', '1', '2', '3', '4']);
    assert.deepEqual(JSON.parse(JSON.stringify(view)), all);
    assert.deepEqual({ ...view[0], submitS: 9 }, { ...all[0], submitS: 9 });
    assert.equal(
      view.findIndex(({ id }) => id === 'j3'),
      3,
    );
    assert.ok('0' in view && !('5' in view) && !('01' in view));
  });

  it('cannot be changed', () => {
    const changed = view as TraceJob[];
    const one = job();
    assert.throws(() => changed.push(one), TypeError);
    assert.throws(() => {
      changed[0] = one;
    }, TypeError);
    assert.throws(() => changed.sort(), TypeError);
    assert.throws(() => {
      changed.length = 0;
    }, TypeError);
    assert.deepEqual(view, all);
  });

  it('is made for many jobs only, and knows its columns', () => {
    const columns = columnsOf(all);
    assert.equal(columnsBehind(jobsOf(columns, 5)), columns);
    assert.equal(columnsBehind(jobsOf(columns, 6)), null);
    assert.equal(columnsBehind(jobsOf(columns)), null);
  });

  it('has the same statistics as the jobs themselves', () => {
    fc.assert(
      fc.property(jobs, (some) => {
        const columns = columnsOf(some);
        columns.sortBySubmission();
        assert.deepEqual(statisticsOf(jobsOf(columns, 0)), statisticsOf(jobsOf(columns, 1e9)));
      }),
    );
  });

  it('can be read field by field, every field', () => {
    fc.assert(
      fc.property(jobs, (some) => {
        const light = forReading(jobsOf(columnsOf(some), 0));
        assert.equal(light.length, some.length);
        for (const [index, each] of some.entries()) {
          for (const field of Object.keys(each) as (keyof TraceJob)[]) {
            assert.deepEqual(light[index]?.[field], each[field], field);
          }
        }
      }),
    );
    const plain = [job()];
    assert.equal(forReading(plain), plain);
  });
});
