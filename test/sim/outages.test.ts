import assert from 'node:assert/strict';
import { Outages } from '../../sim/outages.ts';
import { close } from '../support/close.ts';

function outages(meanGapS = 100, meanRepairS = 10, count = 3): Outages {
  return new Outages(count, meanGapS, meanRepairS, 0, 7, 'test');
}

/** The failures of a member up to some time, when asked for after each repair. */
function failures(from: Outages, member: number, untilS: number): [atS: number, repairS: number][] {
  const found: [number, number][] = [];
  for (let atS = from.nextS(member, 0); atS < untilS; atS = from.nextS(member, atS)) {
    found.push([atS, from.repairS(member)]);
  }
  return found;
}

describe('Outages', () => {
  it('come at exponential times, with exponential repairs', () => {
    const found = failures(outages(), 0, 200_000);
    close(found.length, 2000, 0.1);
    close(found.reduce((sum, [, repairS]) => sum + repairS, 0) / found.length, 10, 0.1);
  });

  it('of one member do not depend on whether others are asked for', () => {
    const together = outages();
    for (const member of [0, 2]) failures(together, member, 1000);
    assert.deepEqual(failures(together, 1, 1000), failures(outages(), 1, 1000));
    assert.notDeepEqual(failures(outages(), 0, 1000), failures(outages(), 1, 1000));
  });

  it('come when they would have come, whatever was slept or repaired through', () => {
    // Asked only after the third: the failures before it are passed over, the next is the fourth.
    const all = failures(outages(), 0, 2000);
    const [, , third, fourth] = all;
    assert.ok(third && fourth);
    const asked = outages();
    assert.equal(asked.nextS(0, third[0]), fourth[0]);
    assert.equal(asked.repairS(0), fourth[1]);
    assert.equal(asked.nextS(0, third[0]), fourth[0]);
  });

  it('come soon after a repair that is longer than any number of them', () => {
    const next = outages(1e-9, 10).nextS(0, 1000);
    assert.ok(next >= 1000 && next < 1000.001, `${next}`);
  });

  it('never come at an infinite mean time between them', () => {
    assert.equal(outages(Infinity).nextS(2, 0), Infinity);
  });
});
