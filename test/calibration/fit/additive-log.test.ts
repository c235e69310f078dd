import assert from 'node:assert/strict';
import { fitAdditiveLog } from '../../../calibration/fit/additive-log.ts';
import { close } from '../../support/close.ts';

describe('calibration/fit/additive-log', () => {
  const rows = [
    { workload: 'a', other: 'b', speed: 0.8 },
    { workload: 'b', other: 'a', speed: 0.5 },
  ];

  it('is the geometric mean when the terms may not move', () => {
    const predict = fitAdditiveLog(rows, 1e12);
    close(predict('a', 'b'), Math.sqrt(0.4), 1e-9);
    close(predict('x', 'y'), Math.sqrt(0.4), 1e-9);
  });

  it('shares what a pair deviates between the two terms', () => {
    // Each row has its own u and v; with penalty 1 a deviation d gives u = v = d / 3.
    const deviation = Math.log(0.8) - Math.log(0.4) / 2;
    const predict = fitAdditiveLog(rows, 1);
    close(Math.log(predict('a', 'b')), Math.log(0.4) / 2 + (2 / 3) * deviation, 1e-12);
    // Of a job that was not seen only the other term is known.
    close(Math.log(predict('x', 'b')), Math.log(0.4) / 2 + deviation / 3, 1e-12);
  });

  it('finds the terms of speeds that are products, and so predicts pairs never seen', () => {
    const own = { a: 0.9, b: 0.7, c: 0.8, d: 0.95 };
    const given = { a: 0.95, b: 0.85, c: 0.9, d: 0.7 };
    const names = ['a', 'b', 'c', 'd'] as const;
    const speedOf = (me: keyof typeof own, it: keyof typeof own): number => own[me] * given[it];
    const all = names.flatMap((workload) =>
      names.map((other) => ({ workload, other, speed: speedOf(workload, other) })),
    );
    const seen = all.filter(({ workload, other }) => !(workload === 'a' && other === 'd'));
    close(fitAdditiveLog(seen, 1e-9)('a', 'd'), speedOf('a', 'd'), 1e-6);
  });

  it('never predicts a job to be faster than alone', () => {
    const fast = [
      { workload: 'a', other: 'b', speed: 1.4 },
      { workload: 'b', other: 'a', speed: 1.2 },
    ];
    assert.equal(fitAdditiveLog(fast)('a', 'b'), 1);
  });

  it('refuses a speed of zero, which says that the jobs did not run', () => {
    const zero = [{ workload: 'a', other: 'b', speed: 0 }];
    assert.throws(() => fitAdditiveLog(zero), /expected a speed above 0, found 0/);
  });
});
