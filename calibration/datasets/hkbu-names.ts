import type { CsvRow } from './csv.ts';

/**
 * Names of the applications of an HKBU file: the name alone, with argument and kernel only where the
 * file has several of the name.
 */
export function hkbuNames(rows: readonly CsvRow[], column: string): (row: CsvRow) => string {
  const argumentsOf = new Map<string, Set<string>>();
  const kernelsOf = new Map<string, Set<string>>();
  const collect = (map: Map<string, Set<string>>, key: string, value: string): void => {
    map.set(key, (map.get(key) ?? new Set()).add(value));
  };
  for (const row of rows) {
    const name = row.raw(column);
    collect(argumentsOf, name, row.raw('argNo'));
    collect(kernelsOf, name, row.raw('kernel'));
  }
  return (row) => {
    const name = row.text(column);
    const parts = [name];
    if ((argumentsOf.get(name)?.size ?? 0) > 1) parts.push(row.raw('argNo'));
    if ((kernelsOf.get(name)?.size ?? 0) > 1) parts.push(row.raw('kernel'));
    return parts.join('/');
  };
}
