import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What must be the same for a part to be gone on with. */
export interface PartOrigin {
  readonly url: string;
  /** What the server calls this version of the file: a strong ETag, or a date of change. */
  readonly validator: string;
}

/** Where a part comes from is in a file beside it. */
const originFile = (part: string) => `${part}.json`;

/**
 * A file while it is fetched: `NAME.part`, with `NAME.part.json` saying of what it is a part. Bytes are
 * written at their places, so two processes that fetch the same file write the same.
 */
export class PartFile {
  readonly #target: string;
  readonly #file: FileHandle;
  #hash: Hash;
  #bytes: number;
  #origin: PartOrigin | null;

  private constructor(
    target: string,
    file: FileHandle,
    hash: Hash,
    bytes: number,
    origin: PartOrigin | null,
  ) {
    this.#target = target;
    this.#file = file;
    this.#hash = hash;
    this.#bytes = bytes;
    this.#origin = origin;
  }

  /** Opens the part of a file, with what there is of it. */
  static async open(target: string, url: string): Promise<PartFile> {
    const part = `${target}.part`;
    await mkdir(path.dirname(target), { recursive: true });
    const origin = await PartFile.#originOf(part, url);
    // Without an origin, whatever is there is thrown away.
    await (await open(part, origin === null ? 'w' : 'a')).close();
    const file = await open(part, 'r+');
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of createReadStream(part)) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
    return new PartFile(target, file, hash, bytes, origin);
  }

  static async #originOf(part: string, url: string): Promise<PartOrigin | null> {
    try {
      const origin = JSON.parse(await readFile(originFile(part), 'utf8')) as Partial<PartOrigin>;
      const { validator } = origin;
      return origin.url === url && typeof validator === 'string' ? { url, validator } : null;
    } catch {
      return null;
    }
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What this is a part of; null when it cannot be gone on with. */
  get origin(): PartOrigin | null {
    return this.#bytes > 0 ? this.#origin : null;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Throws away what there is, and notes what comes; null for what cannot be gone on with later. */
  async restart(origin: PartOrigin | null): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash('sha256');
    this.#bytes = 0;
    this.#origin = origin;
    const beside = originFile(`${this.#target}.part`);
    if (origin === null) await rm(beside, { force: true });
    else await writeFile(beside, JSON.stringify(origin));
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(
        chunk,
        at,
        chunk.length - at,
        this.#bytes + at,
      );
      at += bytesWritten;
    }
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  /** Closes the part and keeps it for the next time, if there is anything to go on with. */
  async keep(): Promise<void> {
    await this.#file.close();
    if (this.origin === null) await this.#remove();
  }

  /** Closes the part and throws it away. */
  async discard(): Promise<void> {
    await this.#file.close();
    await this.#remove();
  }

  /** Gives the whole file its name. */
  async finish(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    await rename(`${this.#target}.part`, this.#target);
    await rm(originFile(`${this.#target}.part`), { force: true });
  }

  async #remove(): Promise<void> {
    await rm(`${this.#target}.part`, { force: true });
    await rm(originFile(`${this.#target}.part`), { force: true });
  }
}
