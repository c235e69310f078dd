import { InputError } from '../../sim/errors.ts';
import { type Environment, proxyFor } from './proxy.ts';

/** A failed try: whether another may do, and what to say if none does. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  /** Whether trying again may help. */
  readonly mayPass: boolean;
  /** Seconds after which the server wants to be asked again; null when it does not say. */
  readonly retryAfterS: number | null;

  constructor(message: string, mayPass: boolean, retryAfterS: number | null = null) {
    super(message);
    this.mayPass = mayPass;
    this.retryAfterS = retryAfterS;
  }
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  ECONNREFUSED: 'the connection is refused',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
};
const CUT: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came for a minute',
  UND_ERR_BODY_TIMEOUT: 'nothing came for a minute',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was cut',
  UND_ERR_PRX_TLS: 'the connection to the proxy was cut',
};

/** Codes of errors of the disk, which trying again does not mend. */
const DISK = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EACCES', 'EPERM']);

/** Whether the disk failed and not the network. */
export function isDiskError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // A firewall may refuse a connection with a code of these.
  return DISK.has(code) && syscall !== 'connect';
}

/** The code of an error, or of one that caused it: addresses are tried in groups. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && (code in UNREACHABLE || code in CUT)) return code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause) ?? code ?? null;
}

/** What an error of the network means for a transfer from this address. */
export function transferError(url: URL, env: Environment, error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  const { message } = error as Error;
  const proxy = proxyFor(url, env);
  const code = codeOf(error) ?? '';
  const refusal = /Proxy response \((\d+)\)/.exec(message)?.[1];
  if (refusal !== undefined && proxy !== null) {
    const why = refusal === '407' ? 'it wants a name and password' : `it answers ${refusal}`;
    const through = `the proxy ${proxy.address} (${proxy.variable}) does not lead to ${url.host}`;
    const mend = refusal === '407' ? ` (${proxy.variable}=http://NAME:PASSWORD@...)` : '';
    return new TransferError(`${through}: ${why}${mend}`, Number(refusal) >= 500);
  }
  const unreachable = UNREACHABLE[code];
  if (unreachable !== undefined) {
    if (proxy !== null) {
      const through = `the proxy ${proxy.address} (${proxy.variable}) cannot be reached`;
      const mend = `correct or unset ${proxy.variable}, or name ${url.hostname} in NO_PROXY`;
      return new TransferError(`${through}: ${unreachable}; ${mend}`, false);
    }
    const mend = 'where a proxy leads to the network, name it in HTTPS_PROXY';
    const message = `${url.host} cannot be reached: ${unreachable}; ${mend}`;
    return new TransferError(message, code !== 'ENOTFOUND');
  }
  const cut = CUT[code];
  if (cut !== undefined) return new TransferError(cut, true);
  return new TransferError(`${url.host}: ${message}`, false);
}

const STATUS: Readonly<Record<number, string>> = {
  401: 'it wants a name and password',
  403: 'it is not allowed: over a quota, or not for this network',
  404: 'it is not there any more',
  407: 'the proxy wants a name and password',
  410: 'it is gone',
  429: 'too many requests',
  503: 'the server is busy',
};

/** What an answer other than the content means. */
export function statusError(
  url: URL,
  status: number,
  retryAfter: string | undefined,
): TransferError {
  const meaning = STATUS[status];
  const message = `${url.host} answers ${status}${meaning === undefined ? '' : `: ${meaning}`}`;
  const mayPass = status >= 500 || status === 408 || status === 429;
  const seconds = Number(retryAfter);
  const retryAfterS = retryAfter !== undefined && Number.isFinite(seconds) ? seconds : null;
  return new TransferError(message, mayPass, retryAfterS);
}

/** The error for a user when no try was left, or none could help. */
export function givenUp(url: URL, error: TransferError, partBytes: number): InputError {
  const kept =
    partBytes > 0 ? `; ${partBytes} bytes are kept, and fetching again goes on from there` : '';
  return new InputError(url.href, null, null, `cannot be fetched: ${error.message}${kept}`);
}
