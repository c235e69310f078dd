import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { InputError } from '../../sim/errors.ts';
import { fileFingerprint } from '../csv/byte-source.ts';
import { givenUp, isDiskError, statusError, TransferError, transferError } from './failure.ts';
import { PartFile, type PartOrigin } from './part-file.ts';
import type { Environment } from './proxy.ts';

/** A file to fetch, and what is known of it. */
export interface Wanted {
  readonly url: string;
  /** Path of the file on disk. */
  readonly target: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

/** How files are fetched. */
export interface TransferOptions {
  readonly dispatcher: Dispatcher;
  /** For messages: which proxy is meant. */
  readonly env: Environment;
  /** Tries without progress before giving up. */
  readonly tries: number;
  /** Waits some seconds; ends early, with an error, when the signal says so. */
  readonly wait: (seconds: number) => Promise<void>;
  /** Ends the transfer; what there is of the file is kept. */
  readonly signal: AbortSignal;
  /** Told how far the file is; `total` is null where nobody knows. */
  readonly progress: (bytes: number, total: number | null) => void;
  /** Told of each try that failed and will be repeated. */
  readonly notice: (line: string) => void;
}

/** How a file came to be there. */
export interface Fetched {
  readonly state: 'fetched' | 'resumed' | 'there already';
  readonly bytes: number;
  readonly sha256: string;
  /** Whether its content was checked against a known checksum. */
  readonly verified: boolean;
}

/** Some bytes of progress, as far as giving up goes. */
const PROGRESS_BYTES = 2 ** 20;
const LONGEST_WAIT_S = 60;
const LFS_POINTER = 'version https://git-lfs.';
const HEAD_BYTES = 64;

/** Waits between tries: the given number of seconds, unless the signal ends it. */
export function realWait(signal: AbortSignal): (seconds: number) => Promise<void> {
  return async (seconds) => {
    await pause(seconds * 1000, undefined, { signal });
  };
}

function refusal(url: string, detail: string): InputError {
  return new InputError(url, null, null, detail);
}

/** What the server calls this version of the file, if it can be relied on. */
function validatorOf(headers: Headers): string | null {
  const { etag } = headers;
  // A weak tag stands for files that are alike, which is not enough.
  if (etag !== undefined && !etag.startsWith('W/')) return etag;
  return headers['last-modified'] ?? null;
}

type Headers = Readonly<Record<string, string | undefined>>;

function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}

/** First byte, and total size, of a partial answer. */
function rangeOf(
  headers: Headers,
): { readonly from: number; readonly total: number | null } | null {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '');
  if (match === null) return null;
  return { from: Number(match[1]), total: match[2] === '*' ? null : Number(match[2]) };
}

/** One file being fetched. */
class Transfer {
  readonly #wanted: Wanted;
  readonly #options: TransferOptions;
  readonly #part: PartFile;
  readonly #url: URL;
  resumed = false;
  /** Whether the tries were used up: then what there is of the file is worth keeping. */
  gaveUp = false;

  constructor(wanted: Wanted, options: TransferOptions, part: PartFile) {
    this.#wanted = wanted;
    this.#options = options;
    this.#part = part;
    this.#url = new URL(wanted.url);
  }

  /** Tries until the file is whole. */
  async run(): Promise<void> {
    const { tries, wait, signal, notice } = this.#options;
    let failures = 0;
    for (;;) {
      const before = this.#part.bytes;
      try {
        await this.#attempt();
        return;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof InputError || isDiskError(error)) throw error;
        const failure = transferError(this.#url, this.#options.env, error);
        failures = this.#part.bytes - before >= PROGRESS_BYTES ? 1 : failures + 1;
        const keep = this.#part.origin === null ? 0 : this.#part.bytes;
        if (!failure.mayPass || failures >= tries) {
          this.gaveUp = true;
          throw givenUp(this.#url, failure, keep);
        }
        const seconds = Math.min(LONGEST_WAIT_S, failure.retryAfterS ?? 2 ** (failures - 1));
        notice(`${failure.message}; trying again in ${seconds} s`);
        await wait(seconds);
      }
    }
  }

  async #attempt(): Promise<void> {
    const { dispatcher, signal } = this.#options;
    const { origin, bytes } = this.#part;
    const headers: Record<string, string> = {
      // Compressed on the way, sizes and ranges would be those of something else.
      'accept-encoding': 'identity',
      'user-agent': 'heshare',
    };
    if (origin !== null) {
      headers.range = `bytes=${bytes}-`;
      headers['if-range'] = origin.validator;
    }
    const answer = await request(this.#url, { dispatcher, signal, headers });
    const { statusCode, body } = answer;
    // Given up, a body has an error for whoever listens, and ends the process where nobody does.
    body.on('error', () => undefined);
    const found = headersOf(answer.headers);
    const chunks = body as AsyncIterable<Buffer>;
    try {
      if (statusCode === 206 && origin !== null) await this.#goOn(chunks, found, origin);
      else if (statusCode === 200) await this.#startAnew(chunks, found);
      else if (statusCode === 416 && origin !== null) {
        // The part is whole, or of something else; its checksum or a new start will tell.
        if (!this.#isWhole(this.#part.bytes)) await this.#part.restart(null);
        if (this.#part.bytes === 0) throw new TransferError('the file has changed', true);
      } else {
        throw statusError(this.#url, statusCode, found['retry-after']);
      }
    } finally {
      body.destroy();
    }
  }

  #isWhole(bytes: number): boolean {
    const { bytes: known, sha256 } = this.#wanted;
    if (sha256 !== null) return this.#part.sha256 === sha256;
    return known !== null && known === bytes;
  }

  async #goOn(chunks: AsyncIterable<Buffer>, headers: Headers, origin: PartOrigin): Promise<void> {
    const range = rangeOf(headers);
    const validator = validatorOf(headers);
    const same = validator === null || validator === origin.validator;
    if (range?.from !== this.#part.bytes || !same) {
      await this.#part.restart(null);
      throw new TransferError('the server sent another part than was asked for', true);
    }
    this.resumed = true;
    await this.#take(chunks, range.total);
  }

  async #startAnew(chunks: AsyncIterable<Buffer>, headers: Headers): Promise<void> {
    const length = headers['content-length'];
    const total = length === undefined ? null : Number(length);
    const validator = validatorOf(headers);
    const { url } = this.#wanted;
    this.resumed = false;
    await this.#part.restart(validator === null ? null : { url, validator });
    await this.#take(chunks, total, headers['content-type']);
  }

  async #take(chunks: AsyncIterable<Buffer>, total: number | null, type?: string): Promise<void> {
    const { progress } = this.#options;
    const { bytes: known } = this.#wanted;
    let head = Buffer.alloc(0);
    for await (const chunk of chunks) {
      if (this.#part.bytes < HEAD_BYTES) head = Buffer.concat([head, chunk]);
      await this.#part.append(chunk);
      progress(this.#part.bytes, total ?? known);
      const offered = total ?? (known === null ? 0 : Math.max(known, this.#part.bytes));
      if (head.length >= HEAD_BYTES || head.length === 0) this.#refuseOther(head, offered, type);
    }
    this.#refuseOther(head, total ?? known ?? 0, type);
    if (this.#part.bytes < (total ?? known ?? 0)) {
      throw new TransferError('the connection was cut', true);
    }
  }

  /** Refuses what is not the file, as far as its start, its type and the size offered tell. */
  #refuseOther(head: Buffer, offered: number, type: string | undefined): void {
    const { url, bytes: known } = this.#wanted;
    if (head.toString('latin1', 0, LFS_POINTER.length) === LFS_POINTER) {
      const detail =
        'is a Git LFS pointer, not the data: the quota of the repository may be used up; ' +
        'try again later, or take the data from its publisher';
      throw refusal(url, detail);
    }
    if (type?.startsWith('text/html') === true) {
      const detail =
        'is a web page, not the data: something on the way answers in its place (a login page?), or ' +
        'the publisher has moved it';
      throw refusal(url, detail);
    }
    if (known === null || offered === known) return;
    const detail =
      `is another file than expected: expected ${known} bytes, found ${offered}; the publisher has ` +
      'changed it, or something on the way answers in its place';
    throw refusal(url, detail);
  }
}

/** Whether the file is there; refuses one that is there with other content. */
async function thereAlready({ url, target, bytes, sha256 }: Wanted): Promise<Fetched | null> {
  if ((await stat(target).catch(() => null)) === null) return null;
  const found = await fileFingerprint(target);
  const verified = sha256 !== null;
  if ((bytes === null || found.bytes === bytes) && (sha256 === null || found.sha256 === sha256)) {
    return { state: 'there already', bytes: found.bytes, sha256: found.sha256, verified };
  }
  const expected = sha256 === null ? `${String(bytes)} bytes` : `sha256 ${sha256}`;
  const is = sha256 === null ? `${found.bytes} bytes` : `sha256 ${found.sha256}`;
  const detail =
    `is there, but is not ${url}: expected ${expected}, found ${is}; ` +
    'remove it, or choose another folder with --out';
  throw new InputError(target, null, null, detail);
}

function wrongChecksum({ url, sha256 }: Wanted, part: PartFile): InputError {
  const detail =
    `has the wrong checksum: expected sha256 ${String(sha256)}, found ${part.sha256} ` +
    `(${part.bytes} bytes); nothing is kept. The publisher has changed the file, or something on the ` +
    'way has altered it: fetch it again, or take it from the publisher and check it yourself';
  return refusal(url, detail);
}

/**
 * Fetches a file to its place, where it appears whole and verified or not at all. Cut connections are
 * resumed; what is left of a transfer that was given up or ended by the signal is resumed the next time.
 * A part goes on only if the server says that the file is the same, by ETag or date, and is started anew
 * otherwise.
 * @throws {InputError} when the file cannot be fetched, or is not what it should be
 */
export async function download(wanted: Wanted, options: TransferOptions): Promise<Fetched> {
  const there = await thereAlready(wanted);
  if (there !== null) return there;
  let part = await PartFile.open(wanted.target, wanted.url);
  const { sha256 } = wanted;
  for (;;) {
    const transfer = new Transfer(wanted, options, part);
    try {
      await transfer.run();
    } catch (error) {
      // Other content than the file's is nothing to go on with.
      const useless = error instanceof InputError && !transfer.gaveUp;
      await (useless ? part.discard() : part.keep());
      throw error;
    }
    const { bytes, sha256: found } = part;
    if (sha256 === null || found === sha256) {
      await part.finish();
      const state = transfer.resumed ? 'resumed' : 'fetched';
      return { state, bytes, sha256: found, verified: sha256 !== null };
    }
    const error = wrongChecksum(wanted, part);
    await part.discard();
    if (!transfer.resumed) throw error;
    options.notice('the resumed file has the wrong checksum; fetching it anew');
    part = await PartFile.open(wanted.target, wanted.url);
  }
}
