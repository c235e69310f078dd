/** A policy as asked for: the name of a registered one or a file, and the options that are given. */
export interface PolicyRequest {
  readonly name: string;
  readonly options: Readonly<Record<string, number | string | boolean>>;
  /** Error on the speeds and powers that the policy is told; not an option of its own. */
  readonly profileNoise?: number | undefined;
}

/** Whether a policy's name is a path to a user's own file. */
export function isPolicyFile(name: string): boolean {
  return /\.(m|c)?(ts|js)$/.test(name) || name.includes('/') || name.includes('\\');
}

/** An option's value from its text: a number, true, false, or the text itself. */
export function optionValue(text: string): number | string | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() !== '' && !Number.isNaN(number) ? number : text;
}

/** Where the options begin: behind the first colon that does not belong to a drive letter. */
function optionsStart(text: string): number {
  const from = /^[A-Za-z]:[\\/]/.test(text) ? 2 : 0;
  return text.indexOf(':', from);
}

/**
 * Options `option=value,option=value` as they stand behind `name:`.
 * @throws {RangeError} on an option without a value
 */
export function optionList(name: string, text: string): Record<string, number | string | boolean> {
  const options: Record<string, number | string | boolean> = {};
  for (const part of text.split(',')) {
    const equals = part.indexOf('=');
    if (equals < 1)
      throw new RangeError(`expected option=value behind '${name}:', found '${part}'`);
    options[part.slice(0, equals).trim()] = optionValue(part.slice(equals + 1).trim());
  }
  return options;
}

/**
 * Reads `name`, `name:option=value,option=value` or `path/to/file.ts:option=value`.
 * @throws {RangeError} on an option without a value
 */
export function parsePolicyText(text: string): PolicyRequest {
  const colon = optionsStart(text);
  if (colon < 0) return { name: text.trim(), options: {} };
  const name = text.slice(0, colon).trim();
  const options = optionList(name, text.slice(colon + 1));
  const { profileNoise, ...own } = options;
  return typeof profileNoise === 'number'
    ? { name, options: own, profileNoise }
    : { name, options };
}

/**
 * Splits a comma list of policies. A part with `=` and without `:` goes on with the options of the
 * policy before it, so `fifo,heshare:a=1,b=2,srtf` are three policies.
 */
export function splitPolicyList(text: string): string[] {
  const parts: string[] = [];
  for (const part of text.split(',')) {
    const last = parts.at(-1);
    const continues = part.includes('=') && !/^[^=]*:/.test(part) && last?.includes(':') === true;
    if (continues) parts[parts.length - 1] = `${last},${part}`;
    else if (part.trim() !== '') parts.push(part.trim());
  }
  return parts;
}

/** Label of a policy that is given none: its name and its options. */
export function defaultLabel({ name, options, profileNoise }: PolicyRequest): string {
  const base = isPolicyFile(name) ? name.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '') : name;
  const all = profileNoise === undefined ? options : { ...options, profileNoise };
  const given = Object.entries(all).map(([option, value]) => `${option}=${value}`);
  return given.length === 0 ? base : `${base}:${given.join(',')}`;
}
