import assert from 'node:assert/strict';
import path from 'node:path';
import { importGavel } from '../../../calibration/datasets/gavel.ts';
import { importHkbuProfile } from '../../../calibration/datasets/hkbu-profile.ts';
import { importIgniterPairs, importIgniterSolo } from '../../../calibration/datasets/igniter.ts';
import { importIgniterProfile } from '../../../calibration/datasets/igniter-profile.ts';
import { importLucidPairs, importLucidSolo } from '../../../calibration/datasets/lucid.ts';
import { importMisoMig, importMisoPower } from '../../../calibration/datasets/miso.ts';
import { readMeasurements } from '../../../calibration/datasets/read-measurements.ts';
import { importV100Clocks } from '../../../calibration/datasets/v100-clocks.ts';
import { importZeus } from '../../../calibration/datasets/zeus.ts';
import type { Measurement } from '../../../calibration/measurement.ts';
import { addsUp, CALIBRATION_DATA } from './support.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Unordered pairs of jobs, batch size included. */
function unorderedPairs(rows: readonly Measurement[]): Set<string> {
  const job = (workload: string, batch: number | null) => `${workload} ${batch}`;
  return new Set(
    rows.flatMap(({ workload, batch, coRunners: [other] }) =>
      other === undefined
        ? []
        : [[job(workload, batch), job(other.workload, other.batch)].sort().join(' | ')],
    ),
  );
}

const title = 'the public measurement sets';
const suite = CALIBRATION_DATA === null ? describe.skip : describe;

// The sets are not ours to ship: these tests run where HESHARE_DATA names their folder.
suite(CALIBRATION_DATA === null ? `${title} (skipped: HESHARE_DATA is unset)` : title, () => {
  const at = (name: string): string => path.join(CALIBRATION_DATA ?? '', name);

  it('have 476, 453 and 270 Zeus rows on V100, A40 and P100, each point once', () => {
    for (const [gpu, count, over] of [
      ['v100', 476, 8],
      ['a40', 453, 39],
      ['p100', 270, 0],
    ] as const) {
      const table = importZeus(at(`zeus-powerlimit/summary_power_${gpu}.csv`));
      addsUp(table);
      assert.equal(table.rows.length, count);
      assert.equal(table.report.flagged['average power above the cap'] ?? 0, over);
      assert.equal(table.rows[0]?.gpuType, gpu.toUpperCase());
    }
  });

  it('have 13 clocks of each application of the V100 clock set', () => {
    const { rows } = importV100Clocks(at('v100-dvfs-33apps'));
    const apps = new Set(rows.map(({ workload }) => workload));
    assert.ok(apps.size >= 25);
    assert.equal(rows.length, 13 * apps.size);
    assert.ok(rows.every(({ coreMhz, stepS }) => coreMhz !== 1530 || stepS === 1));
  });

  it('have 30 and 20 applications at 20 points of core and memory clock', () => {
    const { rows, report } = readMeasurements([at('hkbu-gpu-dvfs-job-schedule')]);
    assert.deepEqual(report.dropped, {});
    for (const [gpu, apps] of [
      ['GTX1080Ti', 30],
      ['RTX2070S', 20],
    ] as const) {
      const mine = rows.filter(({ gpuType }) => gpuType === gpu);
      assert.equal(new Set(mine.map(({ workload }) => workload)).size, apps);
      assert.equal(mine.length, 20 * apps);
    }
  });

  it('have 20 applications at 7 clean clocks of the V100 profile, 3 left out', () => {
    const table = importHkbuProfile(at('hkbu-nv-dvfs/v100-dvfs-real-profile.csv'));
    assert.equal(table.rows.length, 140);
    assert.deepEqual(table.report.dropped, { 'core clock below 700 MHz': 60 });
  });

  it('have iGniter slowdowns between 1.013 and 1.234, 250 of each pair of models', () => {
    const { rows } = importIgniterPairs(at('igniter-v100-mps/pairs.csv'));
    const models = new Set(
      rows.map(({ workload, coRunners: [other] }) => [workload, other?.workload].sort().join()),
    );
    assert.equal(rows.length, 250 * models.size);
    const slowdowns = rows.map(({ relativeSpeed }) => 1 / (relativeSpeed ?? 0));
    // The set as published has all six pairs of the four models, and a mean of 1.097.
    assert.ok(models.size >= 4 && Math.abs(mean(slowdowns) - 1.097) < 0.01);
    assert.ok(Math.min(...slowdowns) > 1.013 && Math.max(...slowdowns) < 1.235);
  });

  it('have iGniter solo latencies and the power of 1 to 5 equal jobs', () => {
    assert.equal(importIgniterSolo(at('igniter-v100-mps/solo.csv')).rows.length, 648);
    const { rows } = importIgniterProfile(at('igniter-v100-mps/igniter_v100_profile.jsonl'));
    assert.equal(rows.length, 4 * 9 + 4 + 5);
    const equal = rows.filter(({ batch }) => batch === null);
    assert.deepEqual(
      equal.map(({ coRunners, powerW, achievedMhz }) => [
        coRunners.length + 1,
        Math.round(10 * (powerW ?? 0)) / 10,
        Math.round(achievedMhz ?? 0),
      ]),
      [
        [1, 117.6, 1530],
        [2, 184.9, 1530],
        [3, 258.9, 1530],
        [4, 296.1, 1486],
        [5, 295.2, 1431],
      ],
    );
  });

  it('have 330, 340 and 306 Gavel pairs that ran on V100, P100 and K80', () => {
    const { rows, report } = importGavel(at('gavel/simulation_throughputs.json'));
    const sums: Record<string, number> = { V100: 1.31, P100: 1.19, K80: 1.07 };
    for (const [gpu, count] of [
      ['V100', 330],
      ['P100', 340],
      ['K80', 306],
    ] as const) {
      const mine = rows.filter(({ gpuType }) => gpuType === gpu);
      assert.equal(unorderedPairs(mine).size, count, gpu);
      assert.ok(mine.filter(({ sharing }) => sharing === 'alone').length >= 23);
      // Both sides of a pair have the same mean speed, twice of which is the mean sum.
      const speeds = mine.flatMap(({ relativeSpeed }) => relativeSpeed ?? []);
      assert.ok(Math.abs(2 * mean(speeds) - (sums[gpu] ?? 0)) < 0.05, `${gpu} ${2 * mean(speeds)}`);
    }
    assert.equal(report.dropped['throughput zero: did not fit or did not run'], 147);
    const clipped = report.flagged['throughput beside another job clipped at the one alone'] ?? 0;
    const onV100 = rows.filter(
      ({ gpuType, coRunners }) => gpuType === 'V100' && coRunners.length > 0,
    );
    assert.ok(Math.abs(clipped / onV100.length - 0.13) < 0.005);
  });

  it('have the Gavel jobs of the other file too, without a number of GPUs', () => {
    const { rows } = importGavel(at('gavel/oracle_throughputs.json'));
    assert.equal(new Set(rows.map(({ workload, batch }) => `${workload} ${batch}`)).size, 26);
  });

  it('have 1388 Lucid pairs with a mean speed of 0.937, and 66 jobs alone', () => {
    const { rows, report } = importLucidPairs(at('lucid/colocate_info.csv'));
    assert.equal(rows.length, 2 * 1388);
    const speeds = rows.map(({ relativeSpeed }) => relativeSpeed ?? 0);
    assert.ok(Math.abs(mean(speeds) - 0.937) < 5e-4);
    assert.deepEqual([Math.min(...speeds), Math.max(...speeds)], [0.444, 1.498]);
    assert.equal(report.flagged['speed beside another job above 1.05'], 312);
    assert.equal(importLucidSolo(at('lucid/single_data.csv')).rows.length, 66);
  });

  it('have 145 MISO step times on slices and 32 points of power', () => {
    assert.equal(importMisoMig(at('miso/mig_step_time_s.csv')).rows.length, 145);
    assert.equal(importMisoPower(at('miso/a100_solo_power_util.csv')).rows.length, 32);
  });

  it('have six Sia models on four types of GPU', () => {
    const table = readMeasurements([at('sia')]);
    addsUp(table);
    assert.equal(new Set(table.rows.map(({ workload }) => workload)).size, 6);
    assert.deepEqual([...new Set(table.rows.map(({ gpuType }) => gpuType))].sort(), [
      'A100',
      'RTX2080Ti',
      'RTX6000',
      'T4',
    ]);
  });

  it('have 90 gpu-lets points of each card, one of them in seconds', () => {
    const { rows, report } = readMeasurements([at('gpulet')]);
    assert.equal(rows.length, 180);
    const seconds = 'duration headed ms but below 1 in the whole file: taken as seconds';
    assert.deepEqual(report.flagged, { [seconds]: 90 });
    const times = rows.map(({ stepS }) => stepS ?? 0);
    assert.ok(Math.min(...times) > 1e-3 && Math.max(...times) < 1);
  });

  it('can be read all at once', () => {
    const table = readMeasurements([CALIBRATION_DATA ?? '']);
    addsUp(table);
    assert.ok(table.rows.length > 9000);
  });
});
