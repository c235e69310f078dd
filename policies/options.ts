import { nearest } from '../sim/errors.ts';
import type { OptionValues, PolicyDefinition, PolicyOption } from './policy.ts';

/**
 * The options of a policy, or of something else that has such: defaults filled in, types, ranges and
 * choices checked. Numbers and booleans may come as text, as from a command line.
 *
 * @param kind what messages call the thing that has the options
 * @throws {RangeError} naming the policy, the option, the value and what was expected
 */
export function resolveOptions(
  definition: Pick<PolicyDefinition, 'name' | 'options'>,
  given: Readonly<Record<string, unknown>> = {},
  kind = 'policy',
): OptionValues {
  const { options } = definition;
  const owner = `${kind} '${definition.name}'`;
  const known = options.map((option) => option.name);
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const close = nearest(key, known);
    const hint =
      close !== null
        ? `did you mean '${close}'?`
        : known.length > 0
          ? `expected one of: ${known.join(', ')}`
          : 'it has none';
    throw new RangeError(`${owner} has no option '${key}', ${hint}`);
  }
  const values: Record<string, number | string | boolean> = {};
  for (const option of options) {
    const value = Object.hasOwn(given, option.name) ? given[option.name] : undefined;
    values[option.name] = value === undefined ? option.default : checked(owner, option, value);
  }
  return values;
}

function checked(owner: string, option: PolicyOption, given: unknown): number | string | boolean {
  const fail = (expected: string): never => {
    const found = typeof given === 'string' ? `'${given}'` : String(given);
    throw new RangeError(`${owner}: option '${option.name}' is ${found}, expected ${expected}`);
  };
  switch (typeof option.default) {
    case 'number':
      return numberOf(option, given, fail);
    case 'boolean':
      if (typeof given === 'boolean') return given;
      if (given === 'true' || given === 'false') return given === 'true';
      return fail('true or false');
    default:
      return textOf(option, given, fail);
  }
}

function numberOf(
  { min = -Infinity, max = Infinity }: PolicyOption,
  given: unknown,
  fail: (expected: string) => never,
): number {
  const text = typeof given === 'string' && given.trim() !== '';
  const value = text ? Number(given) : given;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  if (min === -Infinity && max === Infinity) return fail('a number');
  if (max === Infinity) return fail(`a number >= ${min}`);
  if (min === -Infinity) return fail(`a number <= ${max}`);
  return fail(`a number from ${min} to ${max}`);
}

function textOf(
  { choices }: PolicyOption,
  given: unknown,
  fail: (expected: string) => never,
): string {
  const value = typeof given === 'number' ? String(given) : given;
  if (typeof value !== 'string') return fail('text');
  if (choices === undefined || choices.includes(value)) return value;
  const close = nearest(value, choices);
  const list = `one of: ${choices.join(', ')}`;
  return fail(close === null ? list : `${list}; did you mean '${close}'?`);
}
