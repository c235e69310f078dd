import type { GpuType, InterferenceModel, Provenance } from '../../sim/gpu/profile.ts';
import { V100_CLOCKS_SOURCE } from '../datasets/v100-clocks.ts';
import { CLOCK_SET } from '../facts/clock-set.ts';
import { assumed } from '../facts/sources.ts';
import { fitDynamicPower, powerOverClock } from '../fit/clock-power.ts';
import { fitTimeOverClock, timeOverClock } from '../fit/clock-time.ts';
import { meanAbsolutePercentageError } from '../fit/errors.ts';
import { type ShippedWorkload, shippedProfile } from './profile.ts';
import type { ClockSweep } from './sweeps.ts';

const fitted = (what: string): Provenance => ({
  kind: 'fitted',
  source: `${V100_CLOCKS_SOURCE}; ${what}`,
});

/** Profiles of the neural networks of the V100 clock set, fitted on all clocks. */
export function clockSetWorkloads(
  sweeps: readonly ClockSweep[],
  v100: GpuType,
  interference: readonly [InterferenceModel, Provenance],
): ShippedWorkload[] {
  return CLOCK_SET.map((facts) => {
    const sweep = sweeps.find(({ app }) => app === facts.app);
    if (sweep === undefined) throw new RangeError(`expected '${facts.app}' in the V100 clock set`);
    const x = sweep.clocksMhz.map((clock) => clock / v100.referenceClockMhz);
    const time = fitTimeOverClock({ x, timeS: sweep.timeRatio }, 0);
    const power = fitDynamicPower({ x, powerW: sweep.powerW }, v100.voltage, v100);
    const predictedW = powerOverClock(x, power, v100.voltage, v100);
    const profile = shippedProfile('training', facts, {
      time: [time, fitted(`row ${facts.app}, all clocks, in units of the step at 1530 MHz`)],
      power: [power, fitted(`row ${facts.app}, all clocks`)],
      smDemand: [1, assumed('no share data')],
      bandwidthDemand: facts.bandwidthDemand ?? [0, assumed('no data')],
      interference,
      fitError: {
        timeMape: meanAbsolutePercentageError(sweep.timeRatio, timeOverClock(x, time)),
        powerMape: meanAbsolutePercentageError(sweep.powerW, predictedW),
        points: x.length,
      },
      more: { 'time.hostS': assumed('0: clocks cannot tell host time from the memory floor') },
    });
    return {
      name: facts.name,
      kind: 'training',
      batchSize: 1,
      description: `${facts.description}; V100 clock set, batch size and task not stated there; one step takes 1 s at 1530 MHz`,
      onGpu: { V100: profile },
    };
  });
}
