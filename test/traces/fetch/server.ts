import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CatalogEntry, CatalogFile } from '../../../traces/catalog/index.ts';
import { type FetchOptions, type FetchReport, fetchTrace } from '../../../traces/fetch/fetch.ts';

/** Hash of some content. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Some content that has no repetitions. */
export function content(bytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let index = 0; index * 32 < bytes; index += 1) {
    parts.push(createHash('sha256').update(String(index)).digest());
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

/** What a server was asked for. */
export interface Asked {
  readonly path: string;
  readonly range: string | undefined;
  readonly ifRange: string | undefined;
}

/** How one request is answered; `turn` counts them from 0. */
export type Answer = (request: IncomingMessage, response: ServerResponse, turn: number) => void;

/** A server of this machine for one test, and what it was asked. */
export class LocalServer {
  readonly asked: Asked[] = [];
  readonly #server: Server;

  constructor(answer: Answer) {
    const listener: RequestListener = (request, response) => {
      const { range, 'if-range': ifRange } = request.headers;
      this.asked.push({
        path: request.url ?? '',
        range,
        ifRange: Array.isArray(ifRange) ? ifRange[0] : ifRange,
      });
      answer(request, response, this.asked.length - 1);
    };
    this.#server = createServer(listener);
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Calls a step with the address of a server, which is stopped after it. */
export async function served<T>(
  answer: Answer,
  step: (url: string, server: LocalServer) => Promise<T>,
): Promise<T> {
  const server = new LocalServer(answer);
  const url = await server.start();
  try {
    return await step(url, server);
  } finally {
    await server.stop();
  }
}

/** How a well-behaved server answers: with ranges, and an ETag. */
export function file(bytes: Buffer, etag = '"v1"'): Answer {
  return (request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? Number.NaN);
    if (Number.isNaN(from) || (ifRange !== undefined && ifRange !== etag)) {
      response.writeHead(200, { etag, 'content-length': bytes.length });
      response.end(bytes);
    } else if (from >= bytes.length) {
      response.writeHead(416, { etag, 'content-range': `bytes */${bytes.length}` });
      response.end();
    } else {
      response.writeHead(206, {
        etag,
        'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
        'content-length': bytes.length - from,
      });
      response.end(bytes.subarray(from));
    }
  };
}

/** Connections to be cut once the client has written so many bytes of the file. */
const toBeCut = new Set<{ readonly at: number; readonly response: ServerResponse }>();

/** Cuts a connection when what was sent has arrived: the file then has so many bytes. */
export function cutAt(bytes: number, response: ServerResponse): void {
  toBeCut.add({ at: bytes, response });
}

function arrived(bytes: number): void {
  for (const cut of toBeCut) {
    if (bytes < cut.at) continue;
    toBeCut.delete(cut);
    cut.response.destroy();
  }
}

/** Sends the first bytes of a file and cuts the connection when they have arrived. */
export function cutAfter(
  bytes: Buffer,
  sent: number,
  headers: Record<string, string> = {},
): Answer {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': bytes.length, ...headers });
    response.write(bytes.subarray(0, sent));
    cutAt(sent, response);
  };
}

/** An answer by turns: the last one for all further requests. */
export function inTurn(...answers: readonly Answer[]): Answer {
  return (request, response, turn) => {
    answers[Math.min(turn, answers.length - 1)]?.(request, response, turn);
  };
}

/** A catalog entry of one file. */
export function entryOf(url: string, given: Partial<CatalogFile> = {}): CatalogEntry {
  const name = given.name ?? 't.csv';
  return {
    name: 'test',
    title: 'a trace to test with',
    format: 'canonical-csv',
    folder: 'test',
    licence: 'CC BY 4.0',
    nonCommercial: false,
    cite: 'nobody',
    source: 'https://example.org',
    main: name,
    note: null,
    files: [{ name, url: `${url}/${name}`, bytes: null, sha256: null, unpack: null, ...given }],
  };
}

/** What was said while fetching. */
export interface Heard {
  readonly lines: string[];
  /** Seconds waited between tries; nobody really waits. */
  readonly waits: number[];
}

/** Fetches into a folder, without waiting between tries. */
export async function fetched(
  entry: CatalogEntry,
  out: string,
  given: Partial<FetchOptions> = {},
  heard: Heard = { lines: [], waits: [] },
): Promise<FetchReport> {
  return await fetchTrace(entry, {
    out,
    baseUrl: null,
    env: {},
    signal: new AbortController().signal,
    progress: {
      file() {},
      bytes: arrived,
      line: (line) => {
        heard.lines.push(line);
      },
    },
    wait: (seconds) => {
      heard.waits.push(seconds);
      return Promise.resolve();
    },
    ...given,
  });
}
