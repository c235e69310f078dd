import assert from 'node:assert/strict';
import { checkCase } from '../../../harness/peers/check-case.ts';
import type { Peer, PeerCase, ReplayResult } from '../../../harness/peers/peer.ts';
import { casesFolder, checkRecorded } from '../../../harness/peers/recorded-cases.ts';
import { PEERS, peerNamed } from '../../../harness/peers/registry.ts';
import { InputError } from '../../../sim/errors.ts';

function peerOf(result: () => ReplayResult, recorded: readonly PeerCase[] = []): Peer {
  return {
    name: 'other',
    title: 'a simulator of a test',
    source: 'nowhere',
    policies: [{ name: 'only', title: 'the only one', engine: null }],
    inputs: [],
    settings: [],
    columns: ['id', 'end', 'node'],
    replay: () => Promise.resolve().then(result),
    recorded: () => Promise.resolve(recorded),
  };
}

function caseOf(
  over: Partial<PeerCase> = {},
  expected: Partial<PeerCase['expected']> = {},
): PeerCase {
  return {
    peer: 'other',
    name: 'one',
    policy: 'only',
    inputs: {},
    settings: {},
    expected: {
      columns: ['id', 'end'],
      rows: [
        { id: 'a', end: 10 },
        { id: 'b', end: 20 },
      ],
      summary: { mean: 15 },
      ...expected,
    },
    tolerance: 0,
    note: '',
    ...over,
  };
}

const same: ReplayResult = {
  jobs: [
    { id: 'b', end: 20, node: 1 },
    { id: 'a', end: 10, node: 0 },
  ],
  summary: { mean: 15, other: 3 },
};

describe('harness/peers/check-case', () => {
  it('finds rows equal in any order, on the columns that were recorded', async () => {
    const outcome = await checkCase(
      peerOf(() => same),
      caseOf(),
    );
    assert.deepEqual([outcome.equal, outcome.worst, outcome.rowsDiffering], [true, 0, 0]);
    assert.deepEqual(outcome.figures, [{ name: 'mean', ours: 15, theirs: 15 }]);
  });

  it('tells the largest difference, and allows as much as the case does', async () => {
    const late = {
      ...same,
      jobs: [
        { id: 'a', end: 10 },
        { id: 'b', end: 21 },
      ],
    };
    const exact = await checkCase(
      peerOf(() => late),
      caseOf(),
    );
    assert.deepEqual([exact.equal, exact.worst, exact.rowsDiffering], [false, 0.05, 1]);
    const loose = await checkCase(
      peerOf(() => late),
      caseOf({ tolerance: 0.05 }),
    );
    assert.equal(loose.equal, true);
    const shown = await checkCase(
      peerOf(() => late),
      caseOf({ tolerance: null }),
    );
    assert.equal(shown.equal, true);
  });

  it('takes another word, a missing value and another number of rows for no difference of numbers', async () => {
    const outcomes = await Promise.all(
      [
        [
          { id: 'a', end: 10 },
          { id: 'c', end: 20 },
        ],
        [
          { id: 'a', end: 10 },
          { id: 'b', end: null },
        ],
        [{ id: 'a', end: 10 }],
      ].map((jobs) =>
        checkCase(
          peerOf(() => ({ ...same, jobs })),
          caseOf({ tolerance: 0.5 }),
        ),
      ),
    );
    for (const { equal, worst } of outcomes) assert.deepEqual([equal, worst], [false, Infinity]);
    assert.equal(outcomes[2]?.rowsDiffering, 2);
  });

  it('compares figures to the decimals that were recorded, and misses none', async () => {
    const third = { jobs: [], summary: { mean: 1 / 3 } };
    const to = (summary: Record<string, number>, decimals?: number) => {
      const expected = { columns: [], rows: [], summary };
      const full = decimals === undefined ? expected : { ...expected, decimals };
      return checkCase(
        peerOf(() => third),
        caseOf({}, full),
      );
    };
    assert.equal((await to({ mean: 0.3333 }, 4)).equal, true);
    assert.equal((await to({ mean: 0.3333 })).equal, false);
    assert.equal((await to({ median: 1 })).worst, Infinity);
    // The last digits of a sum depend on its order.
    assert.equal((await to({ mean: 1 / 3 + 1e-16 })).equal, true);
  });

  it('makes an outcome of what fails', async () => {
    const fails = peerOf(() => {
      throw new InputError('trace.csv', 3, null, 'is odd');
    });
    const outcome = await checkCase(fails, caseOf());
    assert.deepEqual([outcome.equal, outcome.error], [false, 'trace.csv:3 is odd']);
    const unknown = await checkCase(fails, caseOf({ policy: 'onyl' }));
    assert.match(
      unknown.error ?? '',
      /--policy peer 'other' has no policy 'onyl', did you mean 'only'\?/,
    );
  });

  it('goes through the cases of all peers in a folder', async () => {
    const peers = [peerOf(() => same, [caseOf(), caseOf({ name: 'two' })]), peerOf(() => same)];
    const outcomes = await checkRecorded(peers, 'somewhere', null);
    assert.deepEqual(
      outcomes.map(({ name, equal }) => [name, equal]),
      [
        ['one', true],
        ['two', true],
      ],
    );
  });

  it('knows where recorded cases may be', () => {
    assert.throws(
      () => casesFolder(null, null),
      /give their folder with --cases, or set HESHARE_DATA/,
    );
    assert.throws(() => casesFolder('nowhere-at-all', null), /no such folder of recorded cases/);
    assert.throws(() => casesFolder(null, 'nowhere'), /nowhere\/peer-cases no such folder/);
    assert.equal(casesFolder('.', null), '.');
  });
});

describe('harness/peers/registry', () => {
  it('lists peers under unique names, each with a source, policies and formats', () => {
    const names = PEERS.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const { source, title, policies, inputs, columns, settings } of PEERS) {
      assert.ok(source !== '' && title !== '' && columns.length > 0 && policies.length > 0);
      assert.equal(new Set(policies.map(({ name }) => name)).size, policies.length);
      for (const { format } of inputs) assert.ok(format !== '');
      const words = [...inputs, ...settings].map(({ name }) => name);
      assert.equal(new Set(words).size, words.length);
    }
  });

  it('finds a peer by name and suggests the one that is meant', () => {
    assert.equal(peerNamed('lucid').name, 'lucid');
    assert.throws(() => peerNamed('lucit'), /unknown peer 'lucit', did you mean 'lucid'\?/);
    assert.throws(() => peerNamed('zzzzzz'), /expected one of: tiresias, /);
  });
});
