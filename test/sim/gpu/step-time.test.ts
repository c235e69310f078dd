import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stepTimeS } from '../../../sim/gpu/step-time.ts';
import { close } from '../../support/close.ts';

// By hand, host 0.1, memory 0.2, core 0.7, q 1, SM demand 0.5:
//   full clock, full share        0.1 + 0.2 + 0.7                      = 1.0
//   x 0.5                         0.1 + 0.2 + 0.7/0.5                  = 1.7
//   xm 0.5                        0.1 + 0.2/0.5 + 0.7                  = 1.2
//   share 0.5 and above           as the full share                    = 1.0
//   share 0.25 (s = 0.5)          0.1 + 0.2 + 0.7/0.5                  = 1.7
//   kappa 3                       0.1 + 0.6 + 0.7                      = 1.4
//   interference 2                0.1 + 2 * (0.2 + 0.7)                = 1.9
//   all of them, share 0.25       0.1 + 2 * (3*0.2/0.5 + 0.7/(0.5*0.5)) = 0.1 + 2 * (1.2 + 2.8) = 8.1
// With q = 2, memory 3 and core 4 give 5 (a right triangle).

const ADDITIVE = { hostS: 0.1, memoryS: 0.2, coreS: 0.7, q: 1 };

describe('sim/gpu/step-time', () => {
  it('adds host, memory and core time when q is 1', () => {
    close(stepTimeS(ADDITIVE, 0.5, 1, 1, 1), 1);
    close(stepTimeS(ADDITIVE, 0.5, 0.5, 1, 1), 1.7);
    close(stepTimeS(ADDITIVE, 0.5, 1, 0.5, 1), 1.2);
  });

  it('gains nothing from a share above the SM demand, and scales core time below it', () => {
    assert.equal(stepTimeS(ADDITIVE, 0.5, 1, 1, 0.5), stepTimeS(ADDITIVE, 0.5, 1, 1, 1));
    assert.equal(stepTimeS(ADDITIVE, 0.5, 1, 1, 0.9), stepTimeS(ADDITIVE, 0.5, 1, 1, 1));
    close(stepTimeS(ADDITIVE, 0.5, 1, 1, 0.25), 1.7);
  });

  it('stretches memory time by kappa, and all time on the GPU by interference', () => {
    close(stepTimeS(ADDITIVE, 0.5, 1, 1, 1, 3), 1.4);
    close(stepTimeS(ADDITIVE, 0.5, 1, 1, 1, 1, 2), 1.9);
    close(stepTimeS(ADDITIVE, 0.5, 0.5, 0.5, 0.25, 3, 2), 8.1);
  });

  it('takes the q-norm of memory and core time', () => {
    close(stepTimeS({ hostS: 1, memoryS: 3, coreS: 4, q: 2 }, 1, 1, 1, 1), 6);
    close(stepTimeS({ hostS: 0, memoryS: 1, coreS: 1, q: 3 }, 1, 1, 1, 1), 2 ** (1 / 3));
    close(stepTimeS({ hostS: 0, memoryS: 3, coreS: 4, q: 200 }, 1, 1, 1, 1), 4);
  });

  it('is host time alone where the GPU has nothing to do, whatever q is', () => {
    for (const q of [1, 2, 7.5]) {
      assert.equal(stepTimeS({ hostS: 0.3, memoryS: 0, coreS: 0, q }, 1, 0.5, 1, 0.5), 0.3);
      close(stepTimeS({ hostS: 0, memoryS: 0, coreS: 2, q }, 1, 0.5, 1, 0.5), 8);
      close(stepTimeS({ hostS: 0, memoryS: 2, coreS: 0, q }, 1, 0.5, 1, 0.5, 1.5), 3);
    }
  });

  it('never grows with a clock or a share, never falls with kappa, and is bounded by max and sum', () => {
    const part = fc.double({ min: 0, max: 10, noNaN: true });
    const factor = fc.double({ min: 0.05, max: 2, noNaN: true });
    const fraction = fc.double({ min: 0.01, max: 1, noNaN: true });
    const time = fc.record({
      hostS: part,
      memoryS: part,
      coreS: part,
      q: fc.double({ min: 1, max: 12, noNaN: true }),
    });
    fc.assert(
      fc.property(time, fraction, factor, factor, fraction, (model, u, x, xm, share) => {
        const base = stepTimeS(model, u, x, xm, share, 1.5);
        const slack = 1e-9 * base;
        assert.ok(stepTimeS(model, u, x * 1.1, xm, share, 1.5) <= base + slack);
        assert.ok(stepTimeS(model, u, x, xm * 1.1, share, 1.5) <= base + slack);
        assert.ok(stepTimeS(model, u, x, xm, Math.min(1, share * 1.1), 1.5) <= base + slack);
        assert.ok(stepTimeS(model, u, x, xm, share, 2) >= base - slack);
        const memoryS = (1.5 * model.memoryS) / xm;
        const coreS = model.coreS / (x * Math.min(1, share / u));
        assert.ok(base >= model.hostS + Math.max(memoryS, coreS) - slack);
        assert.ok(base <= model.hostS + memoryS + coreS + slack);
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});
