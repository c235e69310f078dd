import type { MeasurementTable } from '../measurement.ts';
import { type ClockPoint, clockSweeps } from '../validate/sweeps.ts';

/** The clock with the least energy for one application, and what it saves and costs there. */
export interface OptimalClock {
  readonly workload: string;
  readonly coreMhz: number;
  /** 1 - energy / energy at the highest clock. */
  readonly saving: number;
  /** 1 - performance / performance at the highest clock. */
  readonly loss: number;
}

/**
 * Energy-optimal clocks of every locked-clock sweep of a table, from the measurements alone.
 *
 * @param largestLoss performance that may be lost, as a fraction; 1 for no bound
 */
export function optimalClocks(table: MeasurementTable, largestLoss = 1): OptimalClock[] {
  return clockSweeps(table).flatMap(({ sweeps }) =>
    sweeps.flatMap(({ workload, points }) => {
      const top = points.at(-1);
      if (top === undefined) return [];
      const energyJ = ({ stepS, powerW }: ClockPoint): number => stepS * powerW;
      const loss = ({ stepS }: ClockPoint): number => 1 - top.stepS / stepS;
      const allowed = points.filter((point) => loss(point) <= largestLoss);
      const best = allowed.reduce((a, b) => (energyJ(b) < energyJ(a) ? b : a), top);
      return [
        {
          workload,
          coreMhz: best.coreMhz,
          saving: 1 - energyJ(best) / energyJ(top),
          loss: loss(best),
        },
      ];
    }),
  );
}
