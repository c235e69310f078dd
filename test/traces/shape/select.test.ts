import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import { randomStream } from '../../../sim/random.ts';
import {
  applySteps,
  firstJobs,
  inWindow,
  ofVirtualClusters,
  type ShapeStep,
  sampled,
  withinCapacity,
  withoutLargeGangs,
  withoutLongJobs,
  withoutShortJobs,
} from '../../../traces/shape/index.ts';
import { job, reportOf } from '../support.ts';

const jobs = [
  job({ id: 'a', submitS: 100, durationS: 10, gpuCount: 4, virtualCluster: 'blue' }),
  job({ id: 'b', submitS: 150, durationS: 100, share: 0.5, virtualCluster: 'green' }),
  job({ id: 'c', submitS: 200, durationS: 30, gpuCount: 2 }),
];
const list = { jobs, report: reportOf(jobs) };
const idsAfter = (...steps: ShapeStep[]) => applySteps(list, steps).jobs.map(({ id }) => id);
const reportAfter = (...steps: ShapeStep[]) => applySteps(list, steps).report;
const fails = (message: RegExp) => (error: unknown) =>
  error instanceof InputError && message.test(error.message);

describe('taking some jobs of a trace', () => {
  it('takes the first jobs and counts the rest', () => {
    assert.deepEqual(idsAfter(firstJobs(2)), ['a', 'b']);
    const report = reportAfter(firstJobs(2));
    assert.deepEqual(report.dropped, { beyond_limit: 1 });
    assert.deepEqual(report.assumed, ['only the first 2 jobs']);
    assert.equal(report.gpuHours, 90 / 3600);
    assert.equal(list.report.jobs, 3);
  });

  it('takes a window that includes its start and not its end', () => {
    assert.deepEqual(idsAfter(inWindow(150, 200)), ['b']);
    assert.deepEqual(reportAfter(inWindow(150, 200)).dropped, { outside_window: 2 });
  });

  it('takes virtual clusters; jobs of none are of another', () => {
    assert.deepEqual(idsAfter(ofVirtualClusters(['green'])), ['b']);
    assert.deepEqual(idsAfter(ofVirtualClusters(['green', 'blue'])), ['a', 'b']);
    assert.deepEqual(reportAfter(ofVirtualClusters(['green'])).dropped, {
      other_virtual_cluster: 2,
    });
  });

  it('names the virtual clusters there are, and the one that was perhaps meant', () => {
    const step = ofVirtualClusters(['greem']);
    assert.throws(
      () => step(jobs),
      fails(/virtual cluster 'greem': the trace has 'blue', 'green'; did you mean 'green'\?/),
    );
    const none = ofVirtualClusters(['x']);
    assert.throws(() => none([job()]), fails(/virtual cluster 'x': the trace names none/));
  });

  it('leaves out jobs larger than the cluster, or than the largest gang asked for', () => {
    assert.deepEqual(idsAfter(withinCapacity(2)), ['b', 'c']);
    assert.deepEqual(reportAfter(withinCapacity(2)).dropped, { over_capacity: 1 });
    assert.deepEqual(idsAfter(withoutLargeGangs(1)), ['b']);
    assert.deepEqual(reportAfter(withoutLargeGangs(1)).dropped, { large_gang: 2 });
  });

  it('leaves out jobs that are too short or too long, the bounds included', () => {
    assert.deepEqual(idsAfter(withoutShortJobs(30)), ['b', 'c']);
    assert.deepEqual(idsAfter(withoutLongJobs(30)), ['a', 'c']);
    assert.deepEqual(reportAfter(withoutShortJobs(30), withoutLongJobs(30)).dropped, {
      too_short: 1,
      too_long: 1,
    });
  });

  it('adds up what is left out over several steps', () => {
    const report = reportAfter(withinCapacity(2), firstJobs(2), firstJobs(1));
    assert.deepEqual(report.dropped, { over_capacity: 1, beyond_limit: 1 });
    assert.equal(report.rowsRead, 3);
    assert.equal(report.assumed.length, 3);
  });

  it('refuses what cannot be done', () => {
    const refused = (make: () => unknown) => {
      assert.throws(make, InputError);
    };
    refused(() => firstJobs(0));
    refused(() => firstJobs(1.5));
    refused(() => inWindow(5, 5));
    refused(() => ofVirtualClusters([]));
    refused(() => withinCapacity(0));
    refused(() => withoutLargeGangs(0.5));
    refused(() => withoutShortJobs(-1));
    refused(() => withoutLongJobs(Number.POSITIVE_INFINITY));
    refused(() => sampled(0, 1));
    refused(() => sampled(1.5, 1));
    refused(() => sampled(Number.NaN, 1));
  });
});

describe('a sample', () => {
  const many = Array.from({ length: 50 }, (_, index) => job({ id: `${index}`, submitS: index }));

  it('draws once a job: the next is taken with the chance that is left to it', () => {
    // Two of three: with the chances 2/3, then 1/2 or 1, then what is left.
    const random = randomStream(9, 'shape/sample');
    let open = 2;
    const expected = jobs.filter((_job, index) => {
      const taken = random() * (3 - index) < open;
      if (taken) open -= 1;
      return taken;
    });
    assert.deepEqual(sampled(2, 9)(jobs).jobs, expected);
    assert.equal(expected.length, 2);
  });

  it('has the size asked for, in order, the same for the same seed', () => {
    const anySize = fc.oneof(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
    );
    fc.assert(
      fc.property(anySize, fc.nat(), (size, seed) => {
        const { jobs: drawn, dropped } = sampled(size, seed)(many);
        const wanted = size < 1 ? Math.max(1, Math.round(50 * size)) : Math.min(50, size);
        assert.equal(drawn.length, wanted);
        assert.equal(dropped?.not_sampled, 50 - wanted);
        assert.ok(
          drawn.every((each, at) => at === 0 || each.submitS > (drawn[at - 1]?.submitS ?? 0)),
        );
        assert.deepEqual(sampled(size, seed)(many).jobs, drawn);
      }),
    );
  });

  it('takes every job as often', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 2000; seed += 1) {
      for (const { id } of sampled(10, seed)(many).jobs) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    // 2000 x 1/5 = 400 each, with a deviation of 18: five of them.
    for (const [id, count] of counts) assert.ok(Math.abs(count - 400) < 90, `${id}: ${count}`);
    assert.equal(counts.size, 50);
  });

  it('says what it is in the report', () => {
    const { lines } = sampled(0.1, 7)(many);
    assert.deepEqual(lines, ['a sample of 5 of 50 jobs (seed 7, stream shape/sample)']);
  });
});
