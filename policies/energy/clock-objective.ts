import { cheapest, type SoloPoint } from '../clocks/solo-points.ts';

/** What a clock is chosen for (GPOEO, TPDS 2022, section 3.1). */
export const CLOCK_OBJECTIVES = ['energy', 'edp', 'ed2p', 'performance'] as const;
export type ClockObjective = (typeof CLOCK_OBJECTIVES)[number];

/**
 * The clock of a workload by its predicted points:
 * - *energy*: least `E T^2` with at most `threshold` time lost against the highest clock (as released)
 * - *edp*, *ed2p*: least `E T`, `E T^2`
 * - *performance*: least time with at least `threshold` of the energy saved
 *
 * The highest clock where none qualifies; null without points.
 */
export function clockFor(
  points: readonly SoloPoint[],
  objective: ClockObjective,
  threshold: number,
): SoloPoint | null {
  const highest = points.at(-1);
  if (highest === undefined) return null;
  const energyJ = ({ powerW, stepS }: SoloPoint) => powerW * stepS;
  const limitS = highest.stepS * (1 + threshold) * (1 + 1e-12);
  const limitJ = energyJ(highest) * (1 - threshold) * (1 + 1e-12);
  const cost = (point: SoloPoint): number => {
    switch (objective) {
      case 'energy':
        return point.stepS <= limitS ? energyJ(point) * point.stepS ** 2 : Infinity;
      case 'edp':
        return energyJ(point) * point.stepS;
      case 'ed2p':
        return energyJ(point) * point.stepS ** 2;
      case 'performance':
        return energyJ(point) <= limitJ ? point.stepS : Infinity;
    }
  };
  return cheapest(points, cost) ?? highest;
}

/** Points of which only `samples` are known, evenly spaced; between them time and power are linear. */
export function interpolated(points: readonly SoloPoint[], samples: number): readonly SoloPoint[] {
  const last = points.length - 1;
  if (samples >= points.length || last < 1) return points;
  const known = Array.from({ length: samples }, (_, i) => Math.round((i * last) / (samples - 1)));
  return points.map((point, index) => {
    const above = known.findIndex((at) => at >= index);
    const high = points[known[above] as number] as SoloPoint;
    if (known[above] === index) return point;
    const low = points[known[above - 1] as number] as SoloPoint;
    const part = (point.clockMhz - low.clockMhz) / (high.clockMhz - low.clockMhz);
    return {
      ...point,
      stepS: low.stepS + part * (high.stepS - low.stepS),
      powerW: low.powerW + part * (high.powerW - low.powerW),
    };
  });
}
