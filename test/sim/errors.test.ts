import assert from 'node:assert/strict';
import { DecisionError, InputError, InvariantError, nearest } from '../../sim/errors.ts';

// By hand: `ffio` is one transposition from `fifo`; `tiresisa` one from `tiresias`; `xyz` is near nothing.

const POLICIES = ['fifo', 'sjf', 'srtf', 'tiresias', 'heshare'];

describe('sim/errors', () => {
  it('puts file, line and column of bad input in front of what is wrong', () => {
    const error = new InputError('jobs.csv', 3, 7, 'gpus: expected a number, found x');
    assert.equal(error.message, 'jobs.csv:3:7 gpus: expected a number, found x');
    assert.equal(error.name, 'InputError');
    assert.deepEqual([error.file, error.line, error.column], ['jobs.csv', 3, 7]);
    assert.equal(new InputError('a.yaml', null, null, 'is empty').message, 'a.yaml is empty');
    assert.equal(new InputError('a.yaml', 2, null, 'x').message, 'a.yaml:2 x');
  });

  it('tells faults of a policy from faults of the simulator', () => {
    assert.equal(new DecisionError('x').name, 'DecisionError');
    assert.equal(new InvariantError('x').name, 'InvariantError');
    assert.ok(!(new DecisionError('x') instanceof InvariantError));
  });

  it('suggests the candidate for a slip of the pen, and nothing for another word', () => {
    assert.equal(nearest('ffio', POLICIES), 'fifo');
    assert.equal(nearest('FIFO', POLICIES), 'fifo');
    assert.equal(nearest('tiresisa', POLICIES), 'tiresias');
    assert.equal(nearest('heshar', POLICIES), 'heshare');
    assert.equal(nearest('srt', POLICIES), 'srtf');
    assert.equal(nearest('xyz', POLICIES), null);
    assert.equal(nearest('fifo', []), null);
  });
});
