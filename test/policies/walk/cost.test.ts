import assert from 'node:assert/strict';
import { compose, type WalkName } from '../../../policies/compose.ts';
import type { Order } from '../../../policies/order/order.ts';
import { simulate } from '../../../sim/simulate.ts';
import { clusterOf, worldOf } from '../../support/flat.ts';
import { job } from '../schedule.ts';

const GPUS = 8;

/** Key evaluations of a walk when `count` jobs wait from the first second on. */
function keysAsked(walk: WalkName, count: number, keyOf: Order['key']): number {
  let asked = 0;
  const order: Order = {
    name: 'counted',
    readsDuration: true,
    key: (view) => {
      asked += 1;
      return keyOf(view);
    },
  };
  const jobs = Array.from({ length: count }, (_, i) =>
    job(String(i), 0, 1 + (i % 3), 10 + (i % 7)),
  );
  const world = worldOf({
    jobs,
    cluster: clusterOf({ nodes: 1, gpusPerNode: GPUS }),
    options: { paranoid: false },
  });
  simulate(world, compose({ name: 'counted', walk, order }));
  return asked;
}

describe('the cost of a walk', () => {
  for (const walk of ['head-of-line', 'fit-first'] as const) {
    it(`${walk} asks for one key a job, however long the queue is`, () => {
      for (const count of [100, 3000]) {
        assert.equal(
          keysAsked(walk, count, ({ durationS }) => durationS),
          count,
        );
      }
    });
  }

  it('preemptive asks for keys of running jobs only, besides one when a job enters', () => {
    for (const count of [100, 3000]) {
      const asked = keysAsked('preemptive', count, ({ remainingS }) => remainingS);
      // An ask at every end, with at most GPUS running jobs; preemptions enter the queue again.
      assert.ok(asked <= count + (count + 1) * 2 * GPUS, `${asked} keys for ${count} jobs`);
    }
  });
});
