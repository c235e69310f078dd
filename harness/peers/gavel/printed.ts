/** A number as Python prints it with `%.3f`: ties go to the even digit, where JavaScript rounds up. */
export function printed(value: number): number {
  const thousandths = value * 1000;
  // Only sixteenths can lie half-way, and their product is exact.
  const isTie = Number.isInteger(value * 16) && Math.abs(thousandths % 1) === 0.5;
  if (!isTie) return Number(value.toFixed(3));
  return (2 * Math.round(thousandths / 2)) / 1000;
}
