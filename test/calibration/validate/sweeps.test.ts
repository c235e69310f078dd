import assert from 'node:assert/strict';
import { capSweeps, clockSweeps } from '../../../calibration/validate/sweeps.ts';
import { tableOf } from './support.ts';

const clock = (coreMhz: number, more: object = {}) => ({
  coreMhz,
  stepS: 1000 / coreMhz,
  powerW: coreMhz / 10,
  ...more,
});

describe('sweeps of a table', () => {
  it('are the rows of one job alone, clocks ascending', () => {
    const groups = clockSweeps(tableOf([clock(900), clock(700), clock(800)]));
    assert.equal(groups.length, 1);
    const [sweep] = groups[0]?.sweeps ?? [];
    assert.deepEqual(
      sweep?.points.map(({ coreMhz }) => coreMhz),
      [700, 800, 900],
    );
  });

  it('leave out company, shares, gangs, caps and rows without time or power', () => {
    const other = { workload: 'v', batch: null, share: null };
    const rows = [
      clock(700, { coRunners: [other] }),
      clock(700, { share: 0.5 }),
      clock(700, { gpus: 2 }),
      clock(700, { powerCapW: 200 }),
      clock(700, { powerW: null }),
      clock(700, { stepS: null }),
    ];
    assert.deepEqual(clockSweeps(tableOf(rows)), []);
  });

  it('take the inverse of a throughput for a time', () => {
    const [group] = clockSweeps(tableOf([clock(700, { stepS: null, throughput: 4 })]));
    assert.equal(group?.sweeps[0]?.points[0]?.stepS, 0.25);
  });

  it('count a setting that was measured twice once, with its means', () => {
    const [group] = clockSweeps(tableOf([clock(700, { powerW: 60 }), clock(700, { powerW: 80 })]));
    assert.deepEqual(
      group?.sweeps[0]?.points.map(({ powerW }) => powerW),
      [70],
    );
  });

  it('keep batch sizes, sources and GPU types apart', () => {
    const groups = clockSweeps(
      tableOf([
        clock(700, { batch: 1 }),
        clock(700, { batch: 2 }),
        clock(700, { source: 'other' }),
        clock(700, { gpuType: 'H' }),
      ]),
    );
    assert.deepEqual(
      groups.map(({ gpuType, source, sweeps }) => [gpuType, source, sweeps.length]),
      [
        ['G', 'made', 2],
        ['G', 'other', 1],
        ['H', 'made', 1],
      ],
    );
  });

  it('are of caps where no clock was locked', () => {
    const rows = [200, 100].map((powerCapW) => ({ powerCapW, stepS: 1, powerW: 90 }));
    const [group] = capSweeps(tableOf([...rows, { ...rows[0], coreMhz: 900 }]));
    assert.deepEqual(group?.sweeps[0]?.capsW, [100, 200]);
  });
});
