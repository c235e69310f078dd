import assert from 'node:assert/strict';
import { policyFromModule } from '../../policies/plugin.ts';
import { resolveOptions } from '../../policies/registry.ts';
import type { Decision } from '../../sim/decisions.ts';
import { DecisionError, InputError } from '../../sim/errors.ts';
import { simulate } from '../../sim/simulate.ts';
import type { View } from '../../sim/view.ts';
import { flatJob, worldOf } from '../support/flat.ts';
import { contextOf, schedule } from './schedule.ts';

/** Starts one job after the other on GPU 0. */
function* oneByOne(view: View): Generator<Decision> {
  const job = view.queue.first;
  if (job !== null && view.cluster.isFree(0)) yield { kind: 'start', job, gpus: [0] };
}

const world = worldOf({ jobs: [flatJob(), flatJob({ id: 'b' })] });

/** Runs the policy of a module, as the command line does. */
function runModule(module: unknown, options: Record<string, unknown> = {}) {
  const definition = policyFromModule(module, 'my/own.ts');
  const policy = definition.create(resolveOptions(definition, options), contextOf(world, 'fifo'));
  return { definition, policy, result: simulate(world, policy) };
}

describe('policies/plugin', () => {
  it('takes a function that decides, and names it after its file', () => {
    const { definition, policy, result } = runModule({ default: oneByOne });
    assert.deepEqual(schedule(result), { a: [0, 100], b: [100, 200] });
    assert.deepEqual([definition.name, policy.name, policy.mode], ['own', 'own', 'exclusive']);
    assert.deepEqual([definition.duration, definition.profile], ['none', 'none']);
  });

  it('takes an object that decides, with what it is told and its mode', () => {
    const maker = {
      name: 'mine',
      mode: 'mps',
      information: { duration: 'oracle' },
      started: 0,
      *decide(this: { started: number }, view: View) {
        this.started += view.entered.length;
        yield* oneByOne(view);
      },
    };
    const { definition, policy } = runModule({ default: maker });
    assert.deepEqual(
      [definition.name, definition.duration, policy.mode],
      ['mine', 'oracle', 'mps'],
    );
    assert.deepEqual(policy.information, { duration: 'oracle', durationNoise: 0 });
    assert.equal(maker.started, 2);
  });

  it('takes a definition with options, filling in what it leaves out', () => {
    class Mine {
      readonly name = 'mine';
      decide(view: View) {
        return oneByOne(view);
      }
    }
    let seen: unknown;
    const module = {
      default: {
        name: 'mine',
        options: [{ name: 'depth', default: 3 }],
        create(options: unknown) {
          seen = options;
          return new Mine();
        },
      },
    };
    const { definition, result } = runModule(module, { depth: 4 });
    assert.deepEqual(seen, { depth: 4 });
    assert.deepEqual(schedule(result).b, [100, 200]);
    assert.equal(definition.options[0]?.source, 'my/own.ts');
    assert.equal(definition.faithfulness, 'own');
  });

  it('takes what is declared beside create for a policy that declares nothing itself', () => {
    const told = (beside: object, returned: object = {}) => {
      const create = () => ({ decide: oneByOne, ...returned });
      const { definition, policy } = runModule({ default: { name: 'mine', ...beside, create } });
      return [definition.duration, policy.information, policy.mode];
    };
    const oracle = { duration: 'oracle', durationNoise: 0 };
    assert.deepEqual(told({ duration: 'oracle' }), ['oracle', oracle, 'exclusive']);
    const information = { duration: 'estimate', durationNoise: 0.3 };
    assert.deepEqual(told({ information, mode: 'mps' }), ['estimate', information, 'mps']);
    assert.deepEqual(told({ duration: 'estimate' }, { information: { durationNoise: 0.3 } }), [
      'estimate',
      information,
      'exclusive',
    ]);
    const returned = { information: { duration: 'none' }, mode: 'mps' };
    assert.deepEqual(told({ duration: 'oracle' }, returned), [
      'oracle',
      { duration: 'none', durationNoise: 0 },
      'mps',
    ]);
    assert.deepEqual(told({}, { duration: 'oracle' }), ['none', oracle, 'exclusive']);
  });

  it('takes a duration beside decide, unless it is a field of its own', () => {
    const told = (duration: unknown) =>
      runModule({ default: { name: 'mine', duration, decide: oneByOne } }).policy.information;
    assert.equal(told('oracle').duration, 'oracle');
    assert.equal(told(3).duration, 'none');
  });

  it('lets a policy that declares its duration beside create read it', () => {
    const read: number[] = [];
    const create = () => ({
      *decide(view: View) {
        for (const job of view.entered) read.push(job.durationS);
        yield* oneByOne(view);
      },
    });
    runModule({ default: { name: 'mine', duration: 'oracle', create } });
    assert.deepEqual(read, [100, 100]);
  });

  it('says what is wrong with a module, naming the file', () => {
    const decide = oneByOne;
    const create = () => ({ decide });
    const cases: readonly [unknown, RegExp][] = [
      [undefined, /has no default export, expected a policy/],
      [{ policy: decide }, /has no default export/],
      [{ default: 7 }, /default export is 7, expected an object/],
      [{ default: [] }, /default export is a list, expected an object/],
      [{ default: { name: 'a' } }, /has neither decide nor create/],
      [
        { default: { name: 'a', decied: decide } },
        /unknown field 'decied', did you mean 'decide'\?/,
      ],
      [{ default: { decide } }, /name is undefined, expected letters/],
      [{ default: { name: 'a b', decide } }, /name is 'a b', expected letters/],
      [{ default: { name: 'a', decide: 7 } }, /decide is 7, expected a function/],
      [
        { default: { name: 'a', decide, mode: 'mpss' } },
        /mode is 'mpss', expected one of: exclusive/,
      ],
      [{ default: { name: 'a', decide, information: 1 } }, /information is 1, expected an object/],
      [
        { default: { name: 'a', decide, information: { duration: 'all' } } },
        /duration is 'all', expected one of: none, estimate, oracle/,
      ],
      [
        { default: { name: 'a', decide, information: { durationNoise: -1 } } },
        /durationNoise is -1, expected a number >= 0/,
      ],
      [{ default: { name: 'a', create, options: {} } }, /options is an object, expected a list/],
      [{ default: { name: 'a', create, options: [{ name: 'x' }] } }, /option 'x' has no default/],
      [{ default: { name: 'a', create, duration: 7 } }, /duration is 7, expected one of: none/],
      [{ default: { name: 'a', create, mode: 'all' } }, /mode is 'all', expected one of/],
      [{ default: { name: 'a', create, title: true } }, /title is true, expected text/],
      [{ default: { name: 'a', create, optoins: [] } }, /'optoins', did you mean 'options'\?/],
    ];
    for (const [module, message] of cases) {
      assert.throws(
        () => policyFromModule(module, 'my/own.ts'),
        (error) =>
          error instanceof InputError && error.file === 'my/own.ts' && message.test(error.message),
        String(message),
      );
    }
    assert.throws(
      () => runModule({ default: { name: 'a', create: () => 5 } }),
      /create returned is 5/,
    );
    assert.throws(() => runModule({ default: () => undefined }), DecisionError);
  });
});
