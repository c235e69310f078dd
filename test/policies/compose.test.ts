import assert from 'node:assert/strict';
import { referenceClock } from '../../policies/clocks/reference.ts';
import { type Composition, compose } from '../../policies/compose.ts';
import { AttainedService } from '../../policies/order/attained-service.ts';
import { shortestJob } from '../../policies/order/sjf.ts';
import { mpsEqual } from '../../policies/sharing/mps-equal.ts';
import { simulate } from '../../sim/simulate.ts';
import { worldOf } from '../support/flat.ts';
import { job, schedule } from './schedule.ts';

const halves = () => mpsEqual({ maxPerGpu: 2, shares: 'fixed', packs: true });

describe('policies/compose', () => {
  it('tells exact durations to parts that read them, and nothing to others', () => {
    const told = (parts: Omit<Composition, 'name'>) => compose({ name: 'x', ...parts }).information;
    assert.equal(told({ walk: 'fit-first' }).duration, 'none');
    assert.equal(told({ walk: 'easy' }).duration, 'oracle');
    assert.equal(told({ walk: 'fit-first', order: shortestJob() }).duration, 'oracle');
    const estimate = { duration: 'estimate', durationNoise: 1 } as const;
    assert.deepEqual(told({ walk: 'easy', information: estimate }), estimate);
  });

  it('combines head-of-line blocking with sharing, in either order', () => {
    // Two halves: c must wait for a half, d behind it, though b is the shorter one to wait for.
    const jobs = [job('a', 0, 1, 50), job('b', 0, 1, 20), job('c', 1, 1, 30), job('d', 1, 1, 5)];
    const parts = { name: 'x', walk: 'head-of-line' } as const;
    const bySubmission = simulate(worldOf({ jobs }), compose({ ...parts, sharing: halves() }));
    const expected = { a: [0, 100], b: [0, 40], c: [40, 100], d: [100, 110] };
    assert.deepEqual(schedule(bySubmission), expected);
    const order = shortestJob();
    const shortest = simulate(worldOf({ jobs }), compose({ ...parts, order, sharing: halves() }));
    assert.deepEqual(schedule(shortest), { a: [0, 100], b: [0, 40], c: [50, 110], d: [40, 50] });
  });

  it('leaves clocks alone that are where a rule wants them', () => {
    const parts = { name: 'x', walk: 'fit-first' } as const;
    const withRule = simulate(worldOf({}), compose({ ...parts, clocks: referenceClock() }));
    const without = simulate(worldOf({}), compose(parts));
    assert.deepEqual(withRule.summary, without.summary);
  });

  it('refuses parts that do not go together', () => {
    const none = { duration: 'none', durationNoise: 0 } as const;
    const las = new AttainedService({
      limits: [1],
      service: 'time',
      promoteKnob: 0,
    });
    const cases: readonly [Omit<Composition, 'name'>, RegExp][] = [
      [{ walk: 'easy', information: none }, /'x': order 'fifo' with walk 'easy' needs a duration/],
      [{ walk: 'fit-first', order: shortestJob(), information: none }, /order 'sjf'/],
      [{ walk: 'easy', sharing: halves() }, /cannot be combined with sharing/],
      [{ walk: 'preemptive', sharing: halves() }, /cannot be combined with sharing/],
      [
        { walk: 'easy', order: shortestJob() },
        /goes in the order of submission, not in order 'sjf'/,
      ],
      [{ walk: 'fit-first', order: las }, /order 'attained-service' needs walk 'preemptive'/],
    ];
    for (const [parts, message] of cases) {
      assert.throws(() => compose({ name: 'x', ...parts }), message);
    }
  });
});
