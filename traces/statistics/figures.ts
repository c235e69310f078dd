/** A number for a person to read: two decimals, thousands apart. */
export function figure(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.01) return value.toExponential(2);
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

/** A part as a percentage of three digits: `133 %`. */
export function percentOf(part: number): string {
  return `${Number((100 * part).toPrecision(3)).toLocaleString('en-US')} %`;
}
