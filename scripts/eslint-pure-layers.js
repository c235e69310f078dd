// Rules for the layers that do no I/O: same config and seed must give the same bytes, so no clock and
// no random source that was not handed in.

const noClock = 'time comes from the simulation (view.nowS), not from the machine';
const noRandom = 'randomness comes from a named, seeded stream';
const noEdge = 'this layer does no I/O and has no global state';

/** @type {import('eslint').Linter.RulesRecord} */
export const pureRules = {
  'no-restricted-properties': [
    'error',
    { object: 'Math', property: 'random', message: noRandom },
    { object: 'Date', property: 'now', message: noClock },
    { object: 'performance', property: 'now', message: noClock },
  ],
  'no-restricted-syntax': [
    'error',
    { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: noClock },
    { selector: 'CallExpression[callee.name="Date"]', message: noClock },
  ],
  'no-restricted-globals': [
    'error',
    { name: 'globalThis', message: noEdge },
    { name: 'process', message: noEdge },
    { name: 'console', message: noEdge },
    { name: 'fetch', message: noEdge },
    { name: 'crypto', message: noRandom },
  ],
};
