import type { GpuType, Provenance } from '../../sim/gpu/profile.ts';
import { V100_CLOCKS_SOURCE } from '../datasets/v100-clocks.ts';
import { ZEUS_SOURCE } from '../datasets/zeus.ts';
import type { GpuFacts } from '../facts/gpu-facts.ts';
import { GPU_FACTS } from '../facts/gpus.ts';
import { assumed, transferred } from '../facts/sources.ts';
import { fitCurveAndContext, fitVoltageCurve, type PowerSweep } from '../fit/clock-power.ts';
import { at } from '../fit/least-squares.ts';
import { rounded } from './profile.ts';
import type { CapSweep, ClockSweep } from './sweeps.ts';

/** A GPU type that the program ships, with the rate by which profiles are carried over to it. */
export interface ShippedGpu {
  readonly type: GpuType;
  readonly fp32Tflops: number;
}

/** Part of the lowest power of a running workload that is taken as the context's. */
const CONTEXT_PART = 0.9;

type Parts = Pick<GpuType, 'contextPowerW' | 'contextClockW' | 'voltage' | 'provenance'>;

/**
 * The GPU types: facts, the voltage curve and the context level.
 *
 * On the V100 the level was measured at the highest clock (iGniter), and the clock set tells which
 * part of it must follow the clock. On the others the level is measured, or taken as nine tenths of
 * the lowest power of any running workload, or assumed; how it follows the clock is not known, and
 * the voltage curve is the V100's, fitted with the level left free.
 */
export function shippedGpus(
  clockSet: readonly ClockSweep[],
  zeus: ReadonlyMap<string, readonly CapSweep[]>,
): ShippedGpu[] {
  const v100 = GPU_FACTS.find(({ name }) => name === 'V100');
  if (v100 === undefined) throw new RangeError('expected facts of a V100, found none');
  const sweeps = clockSet.map(({ clocksMhz, powerW }) => ({
    x: clocksMhz.map((clock) => clock / v100.referenceClockMhz),
    powerW,
  }));
  const rows = `${V100_CLOCKS_SOURCE}: one curve for all ${clockSet.length} applications, knee bounded to 0.6..0.9`;
  const own = measuredClocks(v100, sweeps, rows);
  const carried = {
    voltage: fitVoltageCurve(sweeps, 0),
    provenance: transferred(
      `${rows}, context level left free; no clock data on this type, the curve is taken over relative clock`,
    ),
  };
  return GPU_FACTS.map(({ fp32Tflops, ...facts }) => {
    const parts =
      facts.name === 'V100' ? own : withoutClocks(facts, zeus.get(facts.name) ?? [], carried);
    const provenance = { ...facts.provenance, ...parts.provenance };
    return { type: rounded<GpuType>({ ...facts, ...parts, provenance }), fp32Tflops };
  });
}

function measuredClocks(facts: GpuFacts, sweeps: readonly PowerSweep[], rows: string): Parts {
  const { contextPowerW, idlePowerW, clocksMhz, referenceClockMhz } = facts;
  if (contextPowerW === null) throw new RangeError(`expected a measured context of ${facts.name}`);
  const lowestX = at(clocksMhz, 0) / referenceClockMhz;
  const found = fitCurveAndContext(sweeps, contextPowerW, idlePowerW, lowestX);
  const fitted: Provenance = {
    kind: 'fitted',
    source: `${rows}, above the context level; it serves to predict power and is no measured voltage`,
  };
  const context: Provenance = {
    kind: 'fitted',
    source: `${V100_CLOCKS_SOURCE}: together with the voltage curve, so that no running application lies below the context, which at the lowest clock is at least the idle level`,
  };
  return { contextPowerW, ...found, provenance: { contextClockW: context, voltage: fitted } };
}

interface CarriedCurve {
  readonly voltage: GpuType['voltage'];
  readonly provenance: Provenance;
}

type LevelFacts = Pick<GpuFacts, 'name' | 'contextPowerW' | 'idlePowerW'>;

function withoutClocks(facts: LevelFacts, zeus: readonly CapSweep[], curve: CarriedCurve): Parts {
  const provenance = {
    contextClockW: assumed('0: no data on how the context level follows the clock'),
    voltage: curve.provenance,
  };
  const { contextPowerW, idlePowerW } = facts;
  if (contextPowerW !== null) {
    return { contextPowerW, contextClockW: 0, voltage: curve.voltage, provenance };
  }
  const lowestW = Math.min(...zeus.flatMap(({ powerW }) => powerW));
  if (!Number.isFinite(lowestW)) throw new RangeError(`expected powers of ${facts.name}`);
  const level = assumed(
    `nine tenths of the lowest power of a running workload, ${lowestW.toPrecision(4)} W; ${ZEUS_SOURCE}, all rows`,
  );
  return {
    contextPowerW: Math.max(idlePowerW, CONTEXT_PART * lowestW),
    contextClockW: 0,
    voltage: curve.voltage,
    provenance: { ...provenance, contextPowerW: level },
  };
}
