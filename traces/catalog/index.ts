export { CATALOG } from './catalog.ts';
export type { CatalogEntry, CatalogFile, Unpacking } from './entry.ts';
