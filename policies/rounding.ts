/** Decimals that hold the exact value of every double that is looked at here. */
const EXACT_DECIMALS = 100;

/**
 * A number to so many decimals as Python 3 rounds: the nearest decimal to the exact value of the
 * double, and of two that are equally near the one with an even last digit. (`toFixed` takes the larger
 * one.) For the simulators whose outputs are compared digit by digit.
 *
 * @param value between 1e-9 and 1e15 in magnitude, or 0
 * @param decimals 0 .. 15
 */
export function roundHalfEven(value: number, decimals = 0): number {
  const exact = Math.abs(value).toFixed(EXACT_DECIMALS);
  const point = exact.indexOf('.') + 1;
  const rest = exact.slice(point + decimals);
  const rounded = Number(Math.abs(value).toFixed(decimals));
  if (!/^50*$/.test(rest)) return Math.sign(value) * rounded;
  const kept = exact.slice(0, point + decimals).replace(/\.$/, '');
  const isEven = Number(kept.at(-1)) % 2 === 0;
  return Math.sign(value) * (isEven ? Number(kept) : rounded);
}
