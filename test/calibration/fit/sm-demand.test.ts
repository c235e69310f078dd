import assert from 'node:assert/strict';
import {
  fitSmDemand,
  pairSpeeds,
  smDemandOf,
  utilisationProfile,
} from '../../../calibration/fit/sm-demand.ts';
import { plainGpu } from '../../../calibration/validate/plain-gpu.ts';
import { busyPart, soloStepS } from '../../../sim/gpu/evaluate.ts';
import { randomStream } from '../../../sim/random.ts';
import { close } from '../../support/close.ts';

const GPU = plainGpu('test');
const job = (utilisation: number, bandwidth = 0) => ({ utilisation, bandwidth });

describe('calibration/fit/sm-demand', () => {
  it('is a power of the utilisation, and never more than the GPU', () => {
    close(smDemandOf({ whole: 0.8, exponent: 0.5 }, 0.25), 0.4, 1e-12);
    close(smDemandOf({ whole: 0.8, exponent: 0 }, 0.25), 0.8, 1e-12);
    assert.equal(smDemandOf({ whole: 1.2, exponent: 0 }, 1), 1);
  });

  it('makes a profile that is busy as much as the GPU was, with a step of 1 s', () => {
    const profile = utilisationProfile(GPU, job(0.6, 0.5), { whole: 0.8, exponent: 0 });
    close(soloStepS(profile), 1, 1e-9);
    close(busyPart(profile, 1), 0.6, 1e-9);
    close(profile.bandwidthDemand, 0.5);
    assert.ok(
      Number.isFinite(soloStepS(utilisationProfile(GPU, job(0), { whole: 1, exponent: 1 }))),
    );
  });

  it('lets two jobs that fill the GPU all the time run at half speed, and idle ones at full', () => {
    const law = { whole: 1, exponent: 0.3 };
    const [a, b] = pairSpeeds(GPU, [job(1), job(1)], law);
    close(a, 0.5, 1e-9);
    close(b, 0.5, 1e-9);
    const [c, d] = pairSpeeds(GPU, [job(0.01), job(0.02)], law);
    assert.ok(c > 0.999 && d > 0.999);
  });

  it('is found again from the speeds that it makes', () => {
    const random = randomStream(2, 'pairs');
    const law = { whole: 0.85, exponent: 0.4 };
    const pairs = Array.from({ length: 60 }, () => {
      const jobs = [job(random()), job(random())] as const;
      return { jobs, speeds: pairSpeeds(GPU, jobs, law) };
    });
    const found = fitSmDemand(GPU, pairs);
    close(found.whole, 0.85, 1e-6);
    close(found.exponent, 0.4, 1e-5);
  });
});
