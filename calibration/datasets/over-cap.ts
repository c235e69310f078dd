import type { MeasurementFields, TableBuilder } from './table-builder.ts';

const OVER_CAP = 'average power above the cap';

/** Takes a point; one with average power above its power cap as `overCap` says. */
export function addUnderCap(builder: TableBuilder, point: MeasurementFields): void {
  const { powerW = null, powerCapW = null } = point;
  if (powerW === null || powerCapW === null || powerW <= powerCapW) builder.add(point);
  else if (builder.option('overCap') === 'drop') builder.drop(OVER_CAP);
  else builder.add(point, [OVER_CAP]);
}
