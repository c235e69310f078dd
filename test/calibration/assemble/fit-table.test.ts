import assert from 'node:assert/strict';
import { fitTable } from '../../../calibration/assemble/fit-table.ts';
import { profileName } from '../../../calibration/assemble/observations.ts';
import { predictAlone } from '../../../calibration/assemble/workload-model.ts';
import { TableBuilder } from '../../../calibration/datasets/table-builder.ts';
import type { Measurement } from '../../../calibration/measurement.ts';
import { contextPowerW } from '../../../sim/gpu/power.ts';
import { flatGpu, profileSet } from '../../support/flat.ts';

type Point = Partial<Measurement>;

function table(points: readonly Point[]) {
  const builder = new TableBuilder();
  points.forEach((point, i) => {
    builder.add({ gpuType: 'g', workload: 'w', source: 'made', row: String(i), ...point });
  });
  return builder.table();
}
const EMPTY = profileSet([], []);
const parameterOf = (fit: ReturnType<typeof fitTable>, name: string, row = 0) =>
  fit.rows[row]?.parameters.find((it) => it.name === name) ?? assert.fail(name);

describe('the fit of a measurement table', () => {
  it('finds step time over MPS shares and power by the speed at the share', () => {
    const points = [0.1, 0.2, 0.5, 1].map((share) => {
      const stepS = 0.2 + 0.8 / share;
      return { share, sharing: 'mps' as const, stepS, powerW: 20 + 200 / stepS };
    });
    const fit = fitTable(table(points), EMPTY);
    assert.ok(Math.abs(parameterOf(fit, 'time.memoryS').value - 0.2) < 0.01);
    assert.ok(Math.abs(parameterOf(fit, 'time.coreS').value - 0.8) < 0.01);
    assert.equal(parameterOf(fit, 'time.q').status, 'fixed');
    assert.ok((fit.rows[0]?.timeMape ?? 1) < 0.01);
  });

  it('finds the average power under caps that bind', () => {
    const type = flatGpu({ name: 'g', clocksMhz: [400, 600, 800, 1000] });
    const terms = {
      time: { hostS: 0, memoryS: 0.2, coreS: 0.8, q: 1 },
      power: { memoryW: 20, coreW: 180 },
      capFraction: 0.9,
    };
    const points = [120, 140, 160, 180, 200, 220, 240, 300].map((powerCapW) => {
      const point = { coreMhz: null, memoryMhz: null, powerCapW, share: 1 };
      const { stepS, powerW } = predictAlone(terms, type, { ...point, stepS: null, powerW: null });
      return { powerCapW, stepS, powerW };
    });
    assert.equal(contextPowerW(type, 1), 50);
    const fit = fitTable(table(points), profileSet([type], []));
    assert.ok(Math.abs(parameterOf(fit, 'capFraction').value - 0.9) < 0.01);
    assert.ok((fit.rows[0]?.powerMape ?? 1) < 0.01 && (fit.rows[0]?.timeMape ?? 1) < 0.01);
  });

  it('keeps pairs with both sides and counts those of unknown workloads', () => {
    const alone = ['a', 'b'].map((workload) => ({ workload, stepS: 1, powerW: 100 }));
    const beside = (workload: string, other: string, relativeSpeed: number) => ({
      workload,
      sharing: 'co-located' as const,
      coRunners: [{ workload: other, batch: null, share: null }],
      relativeSpeed,
    });
    const rows = [...alone, beside('a', 'b', 0.8), beside('b', 'a', 0.6), beside('a', 'c', 0.5)];
    const fit = fitTable(table(rows), EMPTY);
    assert.equal(fit.pairs, 1);
    assert.deepEqual(fit.profile.pairs, [
      { gpuType: 'g', workloads: ['a', 'b'], speeds: [0.8, 0.6], source: 'made' },
    ]);
    assert.deepEqual(fit.unused, {
      'beside another job, of a workload that was not measured alone': 1,
    });
  });

  it('marks what was not measured as assumed and never as fitted', () => {
    const fit = fitTable(table([{ stepS: 2 }]), EMPTY);
    const [workload] = fit.profile.workloads as {
      onGpu: { g: { provenance: Record<string, { kind: string }>; fitError: unknown } };
    }[];
    const provenance = workload?.onGpu.g.provenance;
    assert.equal(provenance?.['power.coreW']?.kind, 'assumed');
    assert.equal(provenance.power, undefined);
    assert.deepEqual(fit.rows[0]?.warnings, ['no power measured: its power is an assumption']);
  });

  it('names profiles in plain characters', () => {
    assert.equal(profileName('ResNet-50 (ImageNet)', 32), 'resnet-50-imagenet-b32');
    assert.equal(profileName('///', null), 'workload');
  });
});
