import assert from 'node:assert/strict';
import { worldOf } from '../support/flat.ts';
import { job, run, schedule } from './schedule.ts';

describe('tiresias-g', () => {
  const options = { queues: 1, samples: '10,10,10,1000' };
  const jobs = [job('a', 0, 1, 500), job('b', 50, 1, 20)];

  it('prefers the job that is likelier to end soon, where tiresias goes on', () => {
    // At 50 a has outlived all but the long sample and has 950 to go: 1/950. b may be one of the three
    // short ones in four, within 10: 3/40.
    const world = worldOf({ jobs });
    assert.deepEqual(schedule(run(world, 'tiresias-g', options)), { a: [0, 520], b: [50, 70] });
    assert.deepEqual(schedule(run(world, 'tiresias', { queues: 1 })).b, [500, 520]);
  });

  it('is first come first served within a queue until it has learned a distribution', () => {
    const { samples: _samples, ...learning } = options;
    const world = worldOf({ jobs });
    assert.deepEqual(schedule(run(world, 'tiresias-g', learning)), { a: [0, 500], b: [500, 520] });
    // Sixteen jobs of 10 s and the next two: c has had 5 and its end is near, d is new. Then c, which
    // outlives all that was seen, gives way to e.
    const seen = Array.from({ length: 16 }, (_, i) => job(`s${i}`, 10 * i, 1, 10));
    const later = [job('c', 160, 1, 60), job('d', 165, 1, 10), job('e', 175, 1, 10)];
    const rows = schedule(run(worldOf({ jobs: [...seen, ...later] }), 'tiresias-g', learning));
    assert.deepEqual(
      [rows.d, rows.c, rows.e],
      [
        [175, 185],
        [160, 240],
        [185, 195],
      ],
    );
  });

  it('falls to the next queue at its limit, whatever the index', () => {
    // a, the nearer to its end, has the higher index, and falls at 30; b is in the first queue.
    const rules = { queues: 2, limits: '30', samples: '100' };
    const world = worldOf({ jobs: [job('a', 0, 1, 95), job('b', 10, 1, 20)] });
    assert.deepEqual(schedule(run(world, 'tiresias-g', rules)), { a: [0, 115], b: [30, 50] });
  });

  it('refuses samples that are none, and compat without any', () => {
    const world = worldOf({ jobs });
    for (const samples of ['1,x', '1,,2', '0', '-1', 'Infinity']) {
      assert.throws(
        () => run(world, 'tiresias-g', { samples }),
        /samples is '.*', expected numbers above 0 with commas between/,
      );
    }
    assert.throws(() => run(world, 'tiresias-g', { compat: true }), /compat needs samples/);
  });
});
