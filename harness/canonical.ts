import { createHash } from 'node:crypto';

/** What JSON cannot say is written as these words, which experiment files may use as well. */
export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

function portable(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  return Number.isNaN(value) ? null : String(value);
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return portable(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
}

/**
 * JSON that is the same text for the same content: keys sorted, no spaces, infinities as words, NaN
 * as null, absent and undefined alike.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortedKeys(value));
}

/** JSON for people: two spaces, keys in the order given, infinities as words, NaN as null. */
export function readableJson(value: unknown): string {
  return `${JSON.stringify(value, (_key, inner: unknown) => portable(inner), 2)}\n`;
}

/** SHA-256 in hex of text or bytes. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Identifier of content: the first 12 hex digits of the SHA-256 of its canonical JSON. */
export function contentId(value: unknown): string {
  return sha256Hex(canonicalJson(value)).slice(0, 12);
}
