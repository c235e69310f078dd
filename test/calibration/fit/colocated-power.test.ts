import assert from 'node:assert/strict';
import { additivePower, IGNITER_V100_THROTTLE } from '../../../calibration/fit/colocated-power.ts';
import { close } from '../../support/close.ts';

// By hand, from calibration C8: VGG19 at 20 % draws 117.6 W alone, 64.1 W above the context's 53.5 W.
//   3 together: 53.5 + 3 * 64.1 = 245.8 W
//   5 together: 374 W, 74 W above the limit: 1530 - 1.0254 * 74 = 1454.1 MHz

describe('calibration/fit/colocated-power', () => {
  const together = (count: number) =>
    additivePower(new Array<number>(count).fill(117.6), 53.5, IGNITER_V100_THROTTLE);

  it('adds up what each draws above the context', () => {
    close(together(1).powerW, 117.6, 1e-12);
    close(together(3).powerW, 245.8, 1e-12);
    assert.equal(together(3).clockMhz, 1530);
  });

  it('is capped, and above the cap the clock falls with the demand', () => {
    assert.equal(together(5).powerW, 300);
    close(together(5).clockMhz, 1530 - 1.0254 * 74, 1e-12);
  });
});
