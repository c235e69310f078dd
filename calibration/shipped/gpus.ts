import type { GpuType, Provenance } from '../../sim/gpu/profile.ts';
import { type ClockSweep, V100_CLOCKS_SOURCE } from '../datasets/v100-clocks.ts';
import { type CapSweep, ZEUS_SOURCE } from '../datasets/zeus.ts';
import { GPU_FACTS } from '../facts/gpus.ts';
import { assumed, transferred } from '../facts/sources.ts';
import { fitVoltageCurve } from '../fit/clock-power.ts';
import { rounded } from './profile.ts';

/** A GPU type that the program ships, with the rate by which profiles are carried over to it. */
export interface ShippedGpu {
  readonly type: GpuType;
  readonly fp32Tflops: number;
}

/** Part of the lowest power of a running workload that is taken as the context's. */
const CONTEXT_PART = 0.9;

/**
 * The GPU types: facts, the voltage curve fitted on the V100 clock set (carried over to the other
 * types, none of which has clock data), and the context level.
 *
 * No data set measured power with a context open and nothing running, at a known clock. It must lie
 * below the lowest power of any running workload, and is taken as nine tenths of that.
 */
export function shippedGpus(
  clockSet: readonly ClockSweep[],
  zeus: ReadonlyMap<string, readonly CapSweep[]>,
): ShippedGpu[] {
  const contextW = (name: string, idleW: number): [number, Provenance] => {
    const lowest = Math.min(
      ...(zeus.get(name) ?? []).flatMap(({ powerW }) => powerW),
      ...(name === 'V100' ? clockSet.flatMap(({ powerW }) => powerW) : []),
    );
    const source = `nine tenths of the lowest power of a running workload, ${lowest.toPrecision(4)} W; ${ZEUS_SOURCE}, all rows`;
    return [Math.max(idleW, CONTEXT_PART * lowest), assumed(source)];
  };
  const v100 = GPU_FACTS.find(({ name }) => name === 'V100');
  if (v100 === undefined) throw new RangeError('expected facts of a V100, found none');
  const [v100ContextW] = contextW('V100', v100.idlePowerW);
  const sweeps = clockSet.map(({ clocksMhz, powerW }) => ({
    x: clocksMhz.map((clock) => clock / v100.referenceClockMhz),
    powerW,
  }));
  const own = fitVoltageCurve(sweeps, rounded(v100ContextW));
  // The context level of the V100 bends its curve and is no matter of the other types.
  const free = fitVoltageCurve(sweeps, 0);
  const rows = `${V100_CLOCKS_SOURCE}: one curve for all ${clockSet.length} applications, knee bounded to 0.6..0.9`;
  const fitted: Provenance = {
    kind: 'fitted',
    source: `${rows}, above the context level; it serves to predict power and is no measured voltage`,
  };
  const carried = transferred(
    `${rows}, context level left free; no clock data on this type, the curve is taken over relative clock`,
  );
  return GPU_FACTS.map(({ fp32Tflops, ...facts }) => {
    const { contextPowerW, provenance } = facts;
    const context = contextPowerW === null ? contextW(facts.name, facts.idlePowerW) : null;
    const type: GpuType = rounded({
      ...facts,
      contextPowerW: contextPowerW ?? context?.[0] ?? facts.idlePowerW,
      contextClockW: 0,
      voltage: facts.name === 'V100' ? own : free,
      provenance: {
        ...provenance,
        ...(context === null ? {} : { contextPowerW: context[1] }),
        voltage: facts.name === 'V100' ? fitted : carried,
      },
    });
    return { type, fp32Tflops };
  });
}
