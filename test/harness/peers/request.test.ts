import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Peer } from '../../../harness/peers/peer.ts';
import { replayRequest, settingsOf } from '../../../harness/peers/request.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const peer: Peer = {
  name: 'other',
  title: 'a simulator of a test',
  source: 'nowhere',
  policies: [{ name: 'only', title: 'the only one', engine: null }],
  inputs: [
    { name: 'trace', format: 'jobs' },
    { name: 'pairs', format: 'pairs', data: 'tables/pairs.csv', default: 'none' },
  ],
  settings: [{ name: 'size', default: 3, min: 1, max: 9, description: 'a size', source: 'a test' }],
  columns: [],
  replay: () => Promise.resolve({ jobs: [], summary: {} }),
  recorded: () => Promise.resolve([]),
};

describe('harness/peers/request', () => {
  const folder = temporaryFolder();
  const given = { policy: 'only', inputs: { trace: 't.csv' }, settings: {} };

  it('fills defaults in and reads settings and further inputs from their texts', () => {
    assert.deepEqual(replayRequest(peer, given), {
      policy: 'only',
      inputs: { trace: 't.csv', pairs: 'none' },
      settings: { size: 3 },
    });
    const set = settingsOf(['size=5', 'pairs=a=b.csv']);
    assert.deepEqual(replayRequest(peer, { ...given, settings: set }), {
      policy: 'only',
      inputs: { trace: 't.csv', pairs: 'a=b.csv' },
      settings: { size: 5 },
    });
  });

  it('finds further inputs in the folder of downloaded data, if they are there', () => {
    assert.equal(replayRequest(peer, given, folder.path).inputs.pairs, 'none');
    mkdirSync(folder.file('tables'));
    writeFileSync(folder.file('tables/pairs.csv'), '');
    const { inputs } = replayRequest(peer, given, folder.path);
    assert.equal(inputs.pairs, folder.file('tables/pairs.csv'));
    const chosen = { ...given, settings: { pairs: 'mine.csv' } };
    assert.equal(replayRequest(peer, chosen, folder.path).inputs.pairs, 'mine.csv');
  });

  it('refuses what is unknown, missing or out of range, naming the option', () => {
    const refused = (over: Partial<typeof given>, pattern: RegExp) => {
      assert.throws(() => replayRequest(peer, { ...given, ...over }), pattern);
    };
    refused({ policy: 'onl' }, /^InputError: --policy .* has no policy 'onl', did you mean 'only'/);
    refused({ policy: 'x' }, /has no policy 'x', expected one of: only/);
    refused(
      { inputs: {} as typeof given.inputs },
      /^InputError: --trace .* needs it: --trace FILE/,
    );
    const more = { trace: 't', cluster: 'c' };
    refused({ inputs: more }, /^InputError: --cluster peer 'other' reads no 'cluster'/);
    refused(
      { settings: { sise: 1 } },
      /^InputError: --set .* no setting 'sise', did you mean 'size'/,
    );
    refused(
      { settings: { size: '10' } },
      /--set peer 'other': option 'size' is '10', expected a number/,
    );
    assert.throws(() => settingsOf(['size']), /--set expected key=value, found 'size'/);
    assert.throws(() => settingsOf(['=3']), /expected key=value, found '=3'/);
  });
});
