/** What may follow the seconds of a stamp. */
const DECIMALS_AND_ZONE = /^(?:\.(\d{1,9}))?(Z|([+-])(\d{2})(?::?(\d{2}))?)?$/;
const STAMP_LENGTH = 19;
/** No clock is further from UTC than this. */
const LARGEST_OFFSET_S = 14 * 3600;
const DAY_S = 86_400;
/** Zones change their offset only at multiples of this. */
const OFFSET_STEP_S = 900;
const ZERO = 0x30;
const DASH = 0x2d;
const COLON = 0x3a;
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
const DAYS_BEFORE_1970 = 719_162;

/** The number that the digits of a part spell; NaN when there is anything else. */
function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Days since 1970-01-01; NaN when there is no such day. */
function dayNumber(year: number, month: number, day: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  const before = DAYS_BEFORE_MONTH[month - 1];
  const after = DAYS_BEFORE_MONTH[month];
  if (before === undefined || after === undefined || year < 1) return Number.NaN;
  const length = after - before + (month === 2 ? leap : 0);
  if (day < 1 || day > length) return Number.NaN;
  const years = year - 1;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const passed = years * 365 + leaps + before + (month > 2 ? leap : 0);
  return passed + day - 1 - DAYS_BEFORE_1970;
}

/** `wallClockS` of the first 19 characters. Reads them itself, for traces have millions of stamps. */
function leadingWallClockS(text: string): number | null {
  const between = text.charCodeAt(10);
  const separated =
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(7) === DASH &&
    (between === 0x20 || between === 0x54) &&
    text.charCodeAt(13) === COLON &&
    text.charCodeAt(16) === COLON;
  if (!separated) return null;
  const days = dayNumber(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  if (!(hour <= 23 && minute <= 59 && second <= 59) || Number.isNaN(days)) return null;
  return days * DAY_S + hour * 3600 + minute * 60 + second;
}

/**
 * Seconds since 1970-01-01 00:00:00 on the wall clock itself, with no zone applied, of a
 * `YYYY-MM-DD HH:MM:SS` stamp; null when it is no such time.
 */
export function wallClockS(stamp: string): number | null {
  return stamp.length === STAMP_LENGTH ? leadingWallClockS(stamp) : null;
}

/** A stamp that may state parts of a second and its distance from UTC. */
export interface Instant {
  /** Whole seconds since 1970-01-01 00:00:00 on the clock that the stamp was read from. */
  readonly wallS: number;
  /** Nanoseconds past `wallS`, 0 to 999,999,999. */
  readonly nanoS: number;
  /** How far that clock is ahead of UTC; null when the stamp does not say. */
  readonly offsetS: number | null;
}

/**
 * The instant of a `YYYY-MM-DD HH:MM:SS` stamp with up to nine decimals and a `Z` or `+HH:MM` after it,
 * both optional; null when it is no such time.
 */
export function instantOf(stamp: string): Instant | null {
  const wallS = leadingWallClockS(stamp);
  if (wallS === null) return null;
  if (stamp.length === STAMP_LENGTH) return { wallS, nanoS: 0, offsetS: null };
  const parts = DECIMALS_AND_ZONE.exec(stamp.slice(STAMP_LENGTH));
  if (parts === null) return null;
  const [, decimals = '', zone, sign, hours, minutes = '0'] = parts;
  const nanoS = Number(decimals.padEnd(9, '0'));
  if (zone === undefined) return { wallS, nanoS, offsetS: null };
  if (zone === 'Z') return { wallS, nanoS, offsetS: 0 };
  const offset = Number(hours) * 3600 + Number(minutes) * 60;
  if (offset > LARGEST_OFFSET_S || Number(minutes) > 59) return null;
  return { wallS, nanoS, offsetS: sign === '-' ? -offset : offset };
}

/** Whole seconds since 1970 UTC; a stamp without an offset is read as `defaultOffsetS` ahead of UTC. */
export function epochS({ wallS, offsetS }: Instant, defaultOffsetS = 0): number {
  return wallS - (offsetS ?? defaultOffsetS);
}

/**
 * Seconds from one instant to another, to the nanosecond: seconds since 1970 as one floating point number
 * are only good to 2e-7 s, too coarse for stamps of 100 ns. Both state an offset, or neither is read as
 * having one.
 */
export function elapsedS(from: Instant, to: Instant): number {
  const wholeS = epochS(to) - epochS(from);
  const nanoS = wholeS * 1e9 + (to.nanoS - from.nanoS);
  // As one whole number, where it fits, it is divided to the nearest number there is.
  return Number.isSafeInteger(nanoS) ? nanoS / 1e9 : wholeS + (to.nanoS - from.nanoS) / 1e9;
}

/** How a wall clock time maps to an instant where clocks are put back or forward. */
export type ClockFold = 'repeated' | 'skipped' | null;

export interface ZonedTime {
  /** Seconds since 1970 UTC. */
  readonly epochS: number;
  readonly fold: ClockFold;
}

/**
 * From wall clock seconds (see `wallClockS`) to an instant. A time that occurs twice is the first of the
 * two, or the second when only that is not before `notBeforeS` (seconds since 1970 UTC).
 */
export type ZoneClock = (wallS: number, notBeforeS?: number) => ZonedTime;

/**
 * The clock of an IANA time zone. A time that does not occur is read with the offset from before the
 * change. Throws `RangeError` for an unknown zone.
 */
export function zoneClock(timeZone: string): ZoneClock {
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

  return (wallS, notBeforeS = Number.NEGATIVE_INFINITY) => {
    const before = offsetS(wallS - DAY_S);
    const after = offsetS(wallS + DAY_S);
    if (before === after) return { epochS: wallS - before, fold: null };
    const first = wallS - before;
    const second = wallS - after;
    const firstValid = offsetS(first) === before;
    const secondValid = offsetS(second) === after;
    if (firstValid && secondValid) {
      const later = first < notBeforeS && second >= notBeforeS;
      return { epochS: later ? second : first, fold: 'repeated' };
    }
    if (firstValid) return { epochS: first, fold: null };
    if (secondValid) return { epochS: second, fold: null };
    return { epochS: first, fold: 'skipped' };
  };
}
