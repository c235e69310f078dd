import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkCase } from '../../harness/peers/check-case.ts';
import { peerNamed } from '../../harness/peers/registry.ts';

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));
const DATA = process.env.HESHARE_DATA ?? null;

/** Peers whose recorded outputs are kept here, and how many there are. */
const KEPT: readonly (readonly [peer: string, cases: number])[] = [
  ['tiresias', 8],
  ['lucid', 6],
  ['alibaba2020', 13],
];

/** Which of them need data that is not kept here. */
const NEEDS_DATA: Readonly<Record<string, string>> = {
  'tiresias dlas-gpu-gittins': 'peer-cases/tiresias/yarn-gput1000.csv',
  'lucid lucid': 'calibration/lucid/colocate_info.csv',
};

describe('the recorded cases of other simulators', () => {
  for (const [name, count] of KEPT) {
    it(`of ${name} come out the same: every row, every figure`, async () => {
      const peer = peerNamed(name);
      const cases = await peer.recorded(path.join(FIXTURES, name));
      assert.equal(cases.length, count);
      let checked = 0;
      for (const recorded of cases) {
        const file = NEEDS_DATA[`${name} ${recorded.policy}`];
        if (file !== undefined && !existsSync(path.join(DATA ?? '', file))) continue;
        const outcome = await checkCase(peer, recorded, DATA);
        assert.equal(outcome.error, null, recorded.name);
        assert.ok(outcome.rows > 0 && outcome.figures.length > 0, recorded.name);
        assert.deepEqual([outcome.rowsDiffering, outcome.worst], [0, 0], recorded.name);
        checked += 1;
      }
      assert.ok(checked >= count - 1);
    });
  }

  it('are none where there is no such folder', async () => {
    for (const [name] of KEPT) assert.deepEqual(await peerNamed(name).recorded('nowhere'), []);
  });
});
