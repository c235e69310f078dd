import { MissingValue } from './csv.ts';
import { describe, type JsonNode, jsonError } from './json.ts';
import { checkQuantity, type Quantity } from './quantity.ts';

/**
 * A number of a JSON file within bounds.
 *
 * @throws {MissingValue} for NaN and null
 * @throws {InputError} for anything else that is no such number
 */
export function jsonNumber(node: JsonNode, file: string, what: string, quantity: Quantity): number {
  const { value } = node;
  if (value === null || Number.isNaN(value)) {
    throw new MissingValue(file, node.line, node.column, what, describe(node));
  }
  if (typeof value !== 'number') {
    throw jsonError(node, file, `${what}: expected a number, found ${describe(node)}`);
  }
  const checked = checkQuantity(value, quantity, String(value));
  if (typeof checked === 'string') throw jsonError(node, file, `${what}: ${checked}`);
  return checked;
}
