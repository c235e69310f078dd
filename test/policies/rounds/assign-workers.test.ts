import assert from 'node:assert/strict';
import { assignWorkers } from '../../../policies/rounds/index.ts';

interface Held {
  readonly name: string;
  readonly gang: number;
  readonly gpus?: readonly number[];
}

function assigned(chosen: Held[], servers: number[][], consolidates = false) {
  const found = assignWorkers(chosen, {
    servers,
    held: ({ gpus = null }) => gpus,
    consolidates,
  });
  return Object.fromEntries([...found].map(([{ name }, gpus]) => [name, gpus]));
}

describe('the GPUs of a round', () => {
  it('stay with who has them; others get the next that are free', () => {
    const chosen = [
      { name: 'a', gang: 1 },
      { name: 'b', gang: 1, gpus: [0] },
    ];
    assert.deepEqual(assigned(chosen, [[0, 1]]), { b: [0], a: [1] });
  });

  it('go to larger gangs first, also from a smaller one that had them', () => {
    const chosen = [
      { name: 'a', gang: 1, gpus: [1] },
      { name: 'b', gang: 2 },
    ];
    assert.deepEqual(assigned(chosen, [[0, 1, 2]]), { b: [0, 1], a: [2] });
  });

  it('are taken server by server, or on one server where one has room', () => {
    const chosen = [
      { name: 'a', gang: 1, gpus: [0] },
      { name: 'b', gang: 1 },
      { name: 'c', gang: 2 },
    ];
    const servers = [
      [0, 1],
      [2, 3, 4],
      [5, 6],
    ];
    // c is placed first: 0 and 1; a has lost its GPU.
    assert.deepEqual(assigned(chosen, servers), { c: [0, 1], a: [2], b: [3] });
    // The fullest server with room for two; then a, then the first GPU of what is nearly full.
    assert.deepEqual(assigned(chosen, servers, true), { c: [0, 1], a: [5], b: [6] });
    assert.deepEqual(assigned([{ name: 'd', gang: 4 }], servers, true), { d: [0, 1, 2, 3] });
  });
});
