import { fitLinearInUtilisation } from '../../../calibration/fit/utilisation-speed.ts';
import { randomStream } from '../../../sim/random.ts';
import { close } from '../../support/close.ts';

describe('calibration/fit/utilisation-speed', () => {
  it('finds the plane that the rows lie on', () => {
    const random = randomStream(1, 'utilisations');
    const draw = () => ({ utilisation: random(), bandwidth: random() });
    const rows = Array.from({ length: 20 }, () => {
      const [me, other] = [draw(), draw()];
      const speed =
        1.1 -
        0.2 * me.utilisation -
        0.3 * other.utilisation +
        0.05 * me.bandwidth -
        0.1 * other.bandwidth;
      return { me, other, speed };
    });
    const predict = fitLinearInUtilisation(rows);
    // 1.1 - 0.2 * 0.5 - 0.3 * 1 + 0.05 * 0.2 - 0.1 * 0.6
    close(
      predict({ utilisation: 0.5, bandwidth: 0.2 }, { utilisation: 1, bandwidth: 0.6 }),
      0.65,
      1e-9,
    );
  });
});
