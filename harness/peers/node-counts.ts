import { InputError } from '../../sim/errors.ts';
import type { NodeCounts } from './ideal-world.ts';

/** What `--cluster` may be besides a file of the peer. */
export const NODE_COUNTS_FORMAT = 'NODESxGPUS, like 2x8';

/** Whether a word is `NODESxGPUS` and not the name of a file. */
export function isNodeCounts(word: string): boolean {
  return /^\s*\d+\s*x\s*\d+\s*$/i.test(word);
}

/**
 * Reads `NODESxGPUS`.
 * @param orElse what else the peer takes, for the message
 * @throws {InputError} when it is none, or a count is 0
 */
export function nodeCounts(word: string, orElse: string): NodeCounts {
  const [nodes = 0, gpusPerNode = 0] = isNodeCounts(word) ? word.split(/x/i).map(Number) : [];
  if (nodes > 0 && gpusPerNode > 0 && nodes * gpusPerNode <= 1e6) return { nodes, gpusPerNode };
  const detail = `'${word}' is no cluster: expected ${NODE_COUNTS_FORMAT}, or ${orElse}`;
  throw new InputError('--cluster', null, null, detail);
}
