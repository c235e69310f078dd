import { type Dispatcher, EnvHttpProxyAgent, interceptors } from 'undici';
import { InputError } from '../../sim/errors.ts';

/** Variables of the environment, as the program was given them. */
export type Environment = Readonly<Record<string, string | undefined>>;

const MOST_REDIRECTS = 5;
/** Nothing heard for so long, the connection is given up. */
const SILENCE_MS = 60_000;

/** A proxy, and the variable that names it. */
export interface Proxy {
  readonly variable: string;
  /** Its address without name and password. */
  readonly address: string;
}

function firstSet(env: Environment, names: readonly string[]): [string, string] | null {
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== '') return [name, value];
  }
  return null;
}

const HTTP = ['http_proxy', 'HTTP_PROXY'];
const HTTPS = ['https_proxy', 'HTTPS_PROXY', ...HTTP];
const NONE = ['no_proxy', 'NO_PROXY'];

function withoutCredentials(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    return address.replace(/\/\/.*@/, '//');
  }
}

/** The proxy that the environment names for an address; null for none. */
export function proxyFor(url: URL, env: Environment): Proxy | null {
  const found = firstSet(env, url.protocol === 'https:' ? HTTPS : HTTP);
  if (found === null) return null;
  const host = url.hostname.toLowerCase();
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  for (const entry of (firstSet(env, NONE)?.[1] ?? '').split(/[,\s]+/)) {
    const [, name = '', onPort] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    const suffix = name.replace(/^\*?\./, '');
    if (suffix === '' || (onPort !== undefined && onPort !== port)) continue;
    if (suffix === '*' || host === suffix || host.endsWith(`.${suffix}`)) return null;
  }
  return { variable: found[0], address: withoutCredentials(found[1]) };
}

/**
 * What sends requests: through the proxy of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (or their small
 * letters, which go first), following redirects.
 * @throws {InputError} for a proxy that is no address
 */
export function dispatcherFor(env: Environment): Dispatcher {
  const http = firstSet(env, HTTP);
  const https = firstSet(env, HTTPS);
  try {
    const agent = new EnvHttpProxyAgent({
      httpProxy: http?.[1] ?? '',
      httpsProxy: https?.[1] ?? '',
      noProxy: firstSet(env, NONE)?.[1] ?? '',
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      connectTimeout: SILENCE_MS / 2,
    });
    return agent.compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS }));
  } catch (error) {
    const [name, value] = https ?? http ?? ['HTTPS_PROXY', ''];
    const found = `found '${withoutCredentials(value)}' (${(error as Error).message})`;
    throw new InputError(name, null, null, `expected an address like http://host:port, ${found}`);
  }
}
