import path from 'node:path';
import type { CacheOptions } from '../traces/cache/trace-cache.ts';

/** Value of `HESHARE_CACHE` with which nothing is kept. */
const OFF = 'off';

/**
 * Where imported traces are kept: `HESHARE_CACHE` (`off` for nowhere), else `heshare` below
 * `XDG_CACHE_HOME` or `~/.cache`; null for nowhere.
 * @param env variables of the environment
 */
export function traceCache(env: Readonly<Record<string, string | undefined>>): CacheOptions | null {
  const { HESHARE_CACHE: given, XDG_CACHE_HOME: caches, HOME: home } = env;
  if (given === OFF) return null;
  if (given !== undefined && given !== '') return { dir: given };
  if (caches !== undefined && path.isAbsolute(caches)) return { dir: path.join(caches, 'heshare') };
  return home === undefined || home === '' ? null : { dir: path.join(home, '.cache', 'heshare') };
}
