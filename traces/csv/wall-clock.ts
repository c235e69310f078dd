const STAMP = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}$/;
const DAY_S = 86_400;
/** Zones change their offset only at multiples of this. */
const OFFSET_STEP_S = 900;

/**
 * Seconds since 1970-01-01 00:00:00 on the wall clock itself, with no zone applied, of a
 * `YYYY-MM-DD HH:MM:SS` stamp; null when it is no such time.
 */
export function wallClockS(stamp: string): number | null {
  if (!STAMP.test(stamp)) return null;
  const part = (from: number, to: number) => Number(stamp.slice(from, to));
  const month = part(5, 7) - 1;
  const day = part(8, 10);
  const hour = part(11, 13);
  const minute = part(14, 16);
  const second = part(17, 19);
  if (hour > 23 || minute > 59 || second > 59) return null;
  const ms = Date.UTC(part(0, 4), month, day, hour, minute, second);
  // A day or month that does not exist rolls over into another.
  const date = new Date(ms);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? ms / 1000 : null;
}

/** How a wall clock time maps to an instant where clocks are put back or forward. */
export type ClockFold = 'repeated' | 'skipped' | null;

export interface ZonedTime {
  /** Seconds since 1970 UTC. */
  readonly epochS: number;
  readonly fold: ClockFold;
}

/**
 * A function from wall clock seconds (see `wallClockS`) to the instant in an IANA time zone. A time that
 * occurs twice is taken as the first of the two; one that does not occur is read with the offset from
 * before the change. Throws `RangeError` for an unknown zone.
 */
export function zoneClock(timeZone: string): (wallS: number) => ZonedTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const offsets = new Map<number, number>();

  function offsetS(epochS: number): number {
    const step = Math.floor(epochS / OFFSET_STEP_S);
    const known = offsets.get(step);
    if (known !== undefined) return known;
    const startS = step * OFFSET_STEP_S;
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(startS * 1000)) part[type] = Number(value);
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = part;
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - startS;
    offsets.set(step, offset);
    return offset;
  }

  return (wallS) => {
    const before = offsetS(wallS - DAY_S);
    const after = offsetS(wallS + DAY_S);
    if (before === after) return { epochS: wallS - before, fold: null };
    const first = wallS - before;
    const second = wallS - after;
    const firstValid = offsetS(first) === before;
    const secondValid = offsetS(second) === after;
    if (firstValid) return { epochS: first, fold: secondValid ? 'repeated' : null };
    if (secondValid) return { epochS: second, fold: null };
    return { epochS: first, fold: 'skipped' };
  };
}
