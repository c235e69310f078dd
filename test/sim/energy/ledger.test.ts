import assert from 'node:assert/strict';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import { CATEGORY, Ledger } from '../../../sim/energy/ledger.ts';
import { clusterOf, flatGpu, flatProfile, profileSet } from '../../support/flat.ts';

// By hand, two GPUs from 10 s on. GPU 0: 20 W idle until 15, 300 W of which 25 W are uncharged transition
// until 25, then 50 W of context. GPU 1: 0 W until 20, then 5 W idle. At 30 s:
//   GPU 0 5*20 + 10*300 + 5*50 = 3350 J; GPU 1 50 J
//   idle 100 + 50, transition 250, context 250; busy 10 s

function ledgerFrom(startS: number, hostPowerW = 0): Ledger {
  const profiles = profileSet([flatGpu()], [flatProfile()]);
  return new Ledger(new Cluster(clusterOf({ nodes: 2 }), profiles), hostPowerW, startS);
}

describe('sim/energy/ledger', () => {
  it('integrates power that is constant between changes, by category', () => {
    const ledger = ledgerFrom(10);
    ledger.set(0, 10, 20, 20, CATEGORY.idle, false);
    ledger.set(0, 15, 300, 25, CATEGORY.transition, true);
    ledger.set(1, 20, 5, 5, CATEGORY.idle, false);
    ledger.set(0, 25, 50, 50, CATEGORY.contextIdle, false);
    assert.deepEqual(ledger.totals(30), {
      gpuJ: 3400,
      idleJ: 150,
      contextIdleJ: 250,
      transitionJ: 250,
      hostJ: 0,
      busyGpuS: 10,
    });
    assert.deepEqual([...ledger.energyJ], [3350, 50]);
    assert.equal(ledger.powerW(0), 50);
    assert.equal(ledger.sinceS(0), 30);
  });

  it('prices each interval at the power that held in it, not at the one set at its end', () => {
    const ledger = ledgerFrom(0);
    ledger.set(0, 0, 100, 0, CATEGORY.idle, true);
    ledger.set(0, 10, 0, 0, CATEGORY.idle, false);
    assert.equal(ledger.totals(1000).gpuJ, 1000);
  });

  it('can be read at any time and any number of times', () => {
    const ledger = ledgerFrom(0, 40);
    ledger.set(0, 0, 8, 8, CATEGORY.idle, false);
    for (const nowS of [0, 1, 1, 2, 64]) {
      assert.equal(ledger.totals(nowS).gpuJ, 8 * nowS);
      assert.equal(ledger.totals(nowS).hostJ, 2 * 40 * nowS);
    }
  });

  it('counts hosts while their nodes are on', () => {
    const ledger = ledgerFrom(0, 40);
    ledger.hostsChanged(10, -1);
    ledger.hostsChanged(30, 1);
    assert.equal(ledger.totals(50).hostJ, 40 * (20 + 20 + 40));
  });

  it('tells the totals of a mark after more was booked, until the mark is taken off', () => {
    // At 22 s: GPU 0 5*20 + 7*300 = 2200 J, GPU 1 2*5 J; idle 110, transition 7*25; two hosts at 40 W.
    const ledger = ledgerFrom(10, 40);
    ledger.set(0, 10, 20, 20, CATEGORY.idle, false);
    ledger.set(0, 15, 300, 25, CATEGORY.transition, true);
    ledger.set(1, 20, 5, 5, CATEGORY.idle, false);
    ledger.mark(22);
    ledger.hostsChanged(24, -1);
    ledger.set(0, 25, 50, 50, CATEGORY.contextIdle, false);
    const expected = {
      gpuJ: 2210,
      idleJ: 110,
      contextIdleJ: 0,
      transitionJ: 175,
      hostJ: 2 * 40 * 12,
      busyGpuS: 7,
    };
    assert.deepEqual(ledger.marked(), expected);
    assert.equal(ledger.totals(30).gpuJ, 3400);
    assert.deepEqual(ledger.marked(), expected);
    assert.ok(ledger.isMarked);
    ledger.unmark();
    assert.ok(!ledger.isMarked);
    assert.throws(() => ledger.marked(), /the ledger has no mark/);
    ledger.mark(30);
    assert.equal(ledger.marked().gpuJ, 3400);
  });

  it('lets the last of several settings at one instant win', () => {
    const ledger = ledgerFrom(0);
    ledger.set(0, 0, 999, 999, CATEGORY.idle, true);
    ledger.set(0, 0, 10, 10, CATEGORY.contextIdle, false);
    const { gpuJ, contextIdleJ, busyGpuS } = ledger.totals(3);
    assert.deepEqual([gpuJ, contextIdleJ, busyGpuS], [30, 30, 0]);
  });
});
