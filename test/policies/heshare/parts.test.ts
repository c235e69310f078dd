import assert from 'node:assert/strict';
import { heshareDefinition } from '../../../policies/heshare/index.ts';
import { assignSeats } from '../../../policies/heshare/join.ts';
import type { JobKind } from '../../../policies/heshare/kinds.ts';
import { heshareOptions } from '../../../policies/heshare/options.ts';
import { Pending } from '../../../policies/heshare/pending.ts';
import type { JobView } from '../../../sim/job-view.ts';
import { defaults } from './support.ts';

const job = (index: number, deadlineS: number | null = null, durationS = 1) =>
  ({ index, deadlineS, durationS }) as JobView;
const kind = (id: number) => ({ id }) as JobKind;

describe('the waiting jobs of heshare', () => {
  it('come in the order of submission across kinds, and a failed kind is skipped', () => {
    const pending = new Pending(() => 0);
    [0, 1, 0, 1, 0].forEach((id, index) => {
      pending.enter(job(index), kind(id));
    });
    const taken: number[] = [];
    const tried: number[] = [];
    for (const group of pending.walk(10)) {
      tried.push(group.jobs.first?.index as number);
      if (group.kind.id === 0) taken.push(pending.take(group).index);
    }
    assert.deepEqual(tried, [0, 1, 2, 4]);
    assert.deepEqual(taken, [0, 2, 4]);
    assert.equal(pending.size, 2);
  });

  it('come by rank, and a job that enters again takes its old place', () => {
    const pending = new Pending((entering) => entering.durationS);
    pending.enter(job(5, null, 3), kind(0));
    pending.enter(job(6, null, 2), kind(0));
    pending.enter(job(2, null, 3), kind(0));
    const order: number[] = [];
    for (const group of pending.walk(10)) order.push(pending.take(group).index);
    assert.deepEqual(order, [6, 2, 5]);
  });

  it('are alike only without a deadline', () => {
    const pending = new Pending(() => 0);
    for (let index = 0; index < 4; index += 1) pending.enter(job(index, 100), kind(0));
    assert.equal([...pending.walk(10)].length, 4);
    assert.equal(pending.deadlines, 4);
  });

  it('end the walk after as many failed kinds as the window holds', () => {
    const pending = new Pending(() => 0);
    for (let index = 0; index < 9; index += 1) pending.enter(job(index), kind(index));
    assert.equal([...pending.walk(3)].length, 3);
    assert.equal([...pending.walk(30)].length, 9);
  });

  it('tell whether a job may fit where its like has not been tried', () => {
    const pending = new Pending(() => 0);
    assert.ok(pending.enter(job(0), kind(0)));
    for (const group of pending.walk(9)) group.triedUpTo = 7;
    assert.ok(!pending.enter(job(1), kind(0)));
    for (const group of pending.walk(9)) pending.take(group);
    assert.ok(pending.enter(job(2), kind(0)), 'the kind was away meanwhile');
  });
});

describe('assignSeats', () => {
  const member = (task: number, steps: number) => ({ task, steps, pinned: false });

  it('lets members keep their shares where a seat of their task has it', () => {
    const members = [member(1, 3), member(1, 6)];
    assert.deepEqual(assignSeats(members, [1, 1, 2], [6, 3, 1]), [1, 0]);
  });

  it('gives the rest the seats that are left of their task', () => {
    const members = [member(1, 3), member(2, 7)];
    assert.deepEqual(assignSeats(members, [1, 1, 2], [2, 3, 5]), [1, 2]);
    assert.deepEqual(assignSeats(members, [1, 1, 2], [2, 4, 5]), [0, 2]);
  });
});

describe('the options of heshare', () => {
  it('are all named with a default and a source, in range', () => {
    for (const option of heshareDefinition.options) {
      assert.ok(option.source.length > 0 && option.description.length > 0, option.name);
      if (typeof option.default !== 'number') continue;
      assert.ok(option.default >= (option.min ?? -Infinity), option.name);
      assert.ok(option.default <= (option.max ?? Infinity), option.name);
    }
  });

  it('are refused when a share step does not divide the gpu or a count is not whole', () => {
    const given = (more: object) => heshareOptions({ ...defaults(heshareDefinition), ...more });
    assert.throws(() => given({ shareStep: 0.3 }), /shareStep is 0.3/);
    assert.throws(() => given({ maxPerGpu: 2.5 }), /maxPerGpu is 2.5/);
    assert.equal(given({ shareStep: 0.05 }).shareStep, 0.05);
  });
});
