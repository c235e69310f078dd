import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mean } from '../../calibration/fit/errors.ts';
import { fitShipped, type ShippedFiles } from '../../calibration/fit-shipped.ts';
import type { CapValidation } from '../../calibration/shipped/zeus-jobs.ts';

const PROFILES = fileURLToPath(new URL('../../calibration/profiles/', import.meta.url));
const data = process.env.HESHARE_DATA;
const available =
  data !== undefined && existsSync(path.join(data, 'calibration', 'v100-dvfs-33apps'));

// The measurement sets are not ours to ship: these tests run where HESHARE_DATA names them.
(available ? describe : describe.skip)('the shipped profiles, fitted anew (HESHARE_DATA)', () => {
  let shipped: ShippedFiles;
  before(function () {
    this.timeout(300_000);
    shipped = fitShipped(data ?? '');
  });

  it('are byte for byte what the fit gives', () => {
    for (const [name, text] of shipped.files) {
      assert.equal(readFileSync(path.join(PROFILES, name), 'utf8'), text, name);
    }
  });

  it('leave no file behind that the fit does not write', () => {
    for (const folder of ['gpus', 'workloads', 'pairs']) {
      for (const name of readdirSync(path.join(PROFILES, folder))) {
        assert.ok(shipped.files.has(`${folder}/${name}`), name);
      }
    }
  });

  it('predict locked clocks that were held out, and better than the naive predictor', () => {
    const { inSample, heldOut, naive } = shipped.validation.clocks;
    assert.ok(inSample.meanPower <= 0.016 && inSample.meanTime <= 0.012);
    assert.ok(heldOut.meanPower <= 0.016 && heldOut.meanTime <= 0.012);
    assert.ok(heldOut.worstPower <= 0.035 && heldOut.worstTime <= 0.035);
    assert.ok(naive.meanPower > 0.03 && naive.meanTime > 0.2);
  });

  const capErrors = (gpu: string, column: 'inSample' | 'heldOut' | 'simulated') => {
    const rows: CapValidation[] = shipped.validation.caps.filter(({ gpuType }) => gpuType === gpu);
    assert.equal(rows.length, 6);
    // The recommender drew less on the card measured than the context of the V100 that is shipped.
    const powers = rows.filter(({ job }) => gpu !== 'V100' || job !== 'ncf-movielens-b512');
    return {
      time: mean(rows.map((row) => row[column].timeMape)),
      power: mean(powers.map((row) => row[column].powerMape)),
    };
  };

  it('reproduce the power caps of the Zeus traces', () => {
    const bounds = { V100: [0.012, 0.018], P100: [0.014, 0.026], A40: [0.03, 0.03] } as const;
    for (const [gpu, [time, power]] of Object.entries(bounds)) {
      const errors = capErrors(gpu, 'inSample');
      assert.ok(errors.time <= time && errors.power <= power, `${gpu} ${JSON.stringify(errors)}`);
    }
  });

  it('predict caps between those that were seen', () => {
    const bounds = { V100: [0.03, 0.035], P100: [0.03, 0.035], A40: [0.08, 0.04] } as const;
    for (const [gpu, [time, power]] of Object.entries(bounds)) {
      const errors = capErrors(gpu, 'heldOut');
      assert.ok(errors.time <= time && errors.power <= power, `${gpu} ${JSON.stringify(errors)}`);
    }
  });

  it('come out of the simulator as close as the fit is', () => {
    const bounds = { V100: [0.012, 0.018], P100: [0.014, 0.026], A40: [0.03, 0.03] } as const;
    for (const [gpu, [time, power]] of Object.entries(bounds)) {
      const errors = capErrors(gpu, 'simulated');
      assert.ok(errors.time <= time && errors.power <= power, `${gpu} ${JSON.stringify(errors)}`);
    }
  });

  it('predict latency at shares that were held out', () => {
    for (const { model, heldOut, power } of shipped.validation.shares) {
      assert.ok(heldOut <= 0.025, model);
      assert.ok(power <= 0.06, model);
    }
  });

  it('explain the slowdown of pairs better than a constant does', () => {
    const { simulated, constant, withoutInterference } = shipped.validation.pairs;
    assert.ok(simulated < constant && constant < withoutInterference);
  });
});
