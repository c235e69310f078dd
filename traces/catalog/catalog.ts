import * as alibaba from './alibaba.ts';
import * as clusters from './clusters.ts';
import type { CatalogEntry } from './entry.ts';
import * as inference from './inference.ts';
import * as simulators from './simulators.ts';

/** Every public trace that is known, sorted by name. */
export const CATALOG: readonly CatalogEntry[] = [alibaba, clusters, inference, simulators]
  .flatMap((group) => Object.values<CatalogEntry>(group))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));
