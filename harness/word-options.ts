import { parse } from 'yaml';
import { optionList } from './policy-text.ts';

/** A word with what stands behind its first colon. */
export interface WordWithRest {
  readonly word: string;
  /** Null where there is no colon. */
  readonly rest: string | null;
}

/** Options behind a word, by name. */
export type WordOptions = Readonly<Record<string, unknown>>;

/** Splits `word` and `word:rest`. */
export function splitWord(text: string): WordWithRest {
  const colon = text.indexOf(':');
  if (colon < 0) return { word: text.trim(), rest: null };
  return { word: text.slice(0, colon).trim(), rest: text.slice(colon + 1).trim() };
}

/**
 * The options behind a word: `key=value,...`, or `{yaml}`.
 * @throws {RangeError} on anything else
 */
export function readOptions({ word, rest }: WordWithRest): WordOptions {
  if (rest === null) return {};
  if (!rest.startsWith('{')) return optionList(word, rest);
  try {
    return parse(rest) as WordOptions;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new RangeError(`not readable as YAML: ${reason}`);
  }
}
