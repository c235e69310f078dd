// Every importer, and nothing else: formats.ts registers what is exported here.
export { canonicalCsv } from './canonical-csv.ts';
export { openb } from './openb.ts';
export { phillyCsv } from './philly-csv.ts';
export { tiresiasCsv } from './tiresias-csv.ts';
