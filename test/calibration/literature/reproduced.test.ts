import assert from 'node:assert/strict';
import { optimalClocks } from '../../../calibration/literature/optimal-clock.ts';
import {
  agrees,
  literatureTable,
  reproduceGenerated,
  reproduceMeasured,
} from '../../../calibration/literature/reproduced.ts';
import { describeWithData, readSet, tableOf } from '../validate/support.ts';

describe('energy-optimal clocks', () => {
  // 100 W for 1 s; 60 W for 1.25 s (75 J); 50 W for 1.6 s (80 J).
  const table = tableOf([
    { coreMhz: 1000, stepS: 1, powerW: 100 },
    { coreMhz: 800, stepS: 1.25, powerW: 60 },
    { coreMhz: 600, stepS: 1.6, powerW: 50 },
  ]);

  it('are those with the least energy, worked out by hand', () => {
    const [best] = optimalClocks(table);
    assert.equal(best?.coreMhz, 800);
    assert.ok(Math.abs(best.saving - 0.25) < 1e-12);
    assert.ok(Math.abs(best.loss - 0.2) < 1e-12);
  });

  it('lose no more performance than they may', () => {
    assert.deepEqual(
      optimalClocks(table, 0.1).map(({ coreMhz, saving }) => [coreMhz, saving]),
      [[1000, 0]],
    );
  });
});

describe('figures of the literature', () => {
  it('come out of our own code within what the goals allow', () => {
    const rows = reproduceGenerated();
    assert.equal(rows.length, 9);
    for (const row of rows) assert.ok(agrees(row), JSON.stringify(row));
  });

  it('do not hang on the seed', () => {
    for (const row of reproduceGenerated({ seed: 'another' })) {
      assert.ok(agrees(row), JSON.stringify(row));
    }
  });

  it('are printed beside what was published', () => {
    const row = { what: 'a', source: 's', published: 30, here: 28.5, within: 1 };
    assert.match(literatureTable([row]), /\| a \| s \| 30 % \| 28.5 % \| 1 points \| no \|/);
    assert.match(literatureTable([{ ...row, here: 30, within: 0 }]), /exactly \| yes/);
  });
});

describeWithData('energy-optimal clocks of the V100 clock set', (folder) => {
  it('save what was published for all of its applications', () => {
    const rows = reproduceMeasured(readSet(folder, 'v100-dvfs-33apps'));
    assert.equal(rows.length, 2);
    for (const row of rows) assert.ok(agrees(row), JSON.stringify(row));
  });
});
