import assert from 'node:assert/strict';
import { chooseRound, type RoundRules } from '../../../policies/rounds/index.ts';

interface Named {
  readonly name: string;
  readonly gang: number;
  readonly jobs: readonly string[];
  readonly spans?: readonly number[];
}

const alone = (name: string, gang = 1, spans?: readonly number[]): Named => ({
  name,
  gang,
  jobs: [name],
  ...(spans === undefined ? {} : { spans }),
});

/** By type, what was chosen and how many GPUs of the type it gets. */
function chosen(gpus: number[], order: Named[][], over: Partial<RoundRules<Named>> = {}) {
  const pieces = chooseRound<Named>({
    types: gpus.map((_, type) => type),
    gpus,
    order: (type) => order[type] ?? [],
    mayRun: () => true,
    members: ({ jobs }) => jobs,
    spans: ({ spans = null }) => spans,
    ...over,
  });
  return pieces.map((each) => each.map(({ combination, gang }) => `${combination.name} ${gang}`));
}

describe('the choice of who runs in a round', () => {
  it('goes in order, skips what does not fit, and fills one type after the other', () => {
    const [a, b, c] = [alone('a', 2), alone('b', 3), alone('c')];
    assert.deepEqual(
      chosen(
        [3, 3],
        [
          [a, b, c],
          [c, b, a],
        ],
      ),
      [['a 2', 'c 1'], ['b 3']],
    );
  });

  it('fills types in the order given', () => {
    const a = alone('a');
    assert.deepEqual(chosen([1, 1], [[a], [a]], { types: [1, 0] }), [[], ['a 1']]);
  });

  it('takes no job twice, alone or in a pair', () => {
    const pair: Named = { name: 'ab', gang: 1, jobs: ['a', 'b'] };
    const [a, b, c] = [alone('a'), alone('b'), alone('c')];
    assert.deepEqual(chosen([3], [[a, pair, c, b]]), [['a 1', 'c 1', 'b 1']]);
    assert.deepEqual(chosen([3], [[pair, a, c, b]]), [['ab 1', 'c 1']]);
  });

  it('leaves out what may not run', () => {
    const [a, b] = [alone('a'), alone('b')];
    assert.deepEqual(chosen([2], [[a, b]], { mayRun: ({ name }) => name !== 'a' }), [['b 1']]);
  });

  it('gives what is left when all types are filled to whom else it may', () => {
    // b may run on the second type; the first is left over, for a and not for b again.
    const [a, b] = [alone('a'), alone('b')];
    const order = [
      [a, b],
      [b, a],
    ];
    const mayRun = ({ name }: Named, type: number) => name === 'b' && type === 1;
    assert.deepEqual(chosen([1, 1], order, { mayRun }), [[], ['b 1']]);
    assert.deepEqual(chosen([1, 1], order, { mayRun, fills: () => true }), [['a 1'], ['b 1']]);
  });

  it('gives a gang that spans types what each has', () => {
    const wide = alone('wide', 5, [0, 1]);
    const a = alone('a');
    assert.deepEqual(
      chosen(
        [2, 4],
        [
          [wide, a],
          [wide, a],
        ],
      ),
      [['wide 2'], ['wide 3', 'a 1']],
    );
    // It comes too late when a has one of the six: five are left, but not for six.
    const wider = alone('wider', 6, [0, 1]);
    assert.deepEqual(chosen([2, 4], [[a, wider], [wider]]), [['a 1'], []]);
  });
});
