import { Decompress } from 'fzstd';
import { InputError } from '../../sim/errors.ts';
import { ByteReader, type Chunks } from './bytes.ts';
import { cutOff, damaged } from './damage.ts';
import { Xxh64 } from './xxh64.ts';

const KIND = 'zstd';
const FRAME_MAGIC = 0xfd2fb528;
/** Low four bits of the magic number of a frame to skip are free. */
const SKIPPABLE_MAGIC = 0x184d2a50;
/** What the zstd program takes without being told to take more. */
const WINDOW_LIMIT_BYTES = 128 * 2 ** 20;
const BLOCK_LIMIT_BYTES = 128 * 1024;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

/** A frame header (RFC 8878, section 3.1.1.1). */
interface FrameHeader {
  readonly bytes: Buffer;
  readonly windowBytes: number;
  /** Null when the frame does not say. */
  readonly contentBytes: number | null;
  readonly hasChecksum: boolean;
}

/** Cuts zstd data into headers and blocks: the decoder keeps to itself where a frame ends. */
class FrameReader {
  readonly #path: string;
  readonly #reader: ByteReader;

  constructor(path: string, reader: ByteReader) {
    this.#path = path;
    this.#reader = reader;
  }

  async #need(length: number): Promise<Buffer> {
    const bytes = await this.#reader.take(length);
    if (bytes.length < length) throw cutOff(this.#path, KIND);
    return bytes;
  }

  /** The header of the next frame with content; null at the end of the data. */
  async header(): Promise<FrameHeader | null> {
    for (;;) {
      const start = await this.#reader.take(4);
      if (start.length === 0) return null;
      if (start.length < 4) throw cutOff(this.#path, KIND);
      const magic = start.readUInt32LE();
      if (magic === FRAME_MAGIC) return await this.#frameHeader(start);
      if ((magic & ~0xf) >>> 0 !== SKIPPABLE_MAGIC) {
        throw damaged(this.#path, KIND, 'something other than a frame');
      }
      let left = (await this.#need(4)).readUInt32LE();
      while (left > 0) left -= (await this.#need(Math.min(left, BLOCK_LIMIT_BYTES))).length;
    }
  }

  async #frameHeader(magic: Buffer): Promise<FrameHeader> {
    const descriptorByte = await this.#need(1);
    const descriptor = descriptorByte[0] ?? 0;
    const single = (descriptor & 32) !== 0;
    if ((descriptor & 8) !== 0) throw damaged(this.#path, KIND, 'a reserved bit');
    const idBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
    const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
    const rest = await this.#need((single ? 0 : 1) + idBytes + sizeBytes);
    if (idBytes > 0 && rest.subarray(single ? 0 : 1).readUIntLE(0, idBytes) !== 0) {
      const detail = 'is zstd data made with a dictionary; unpack it yourself';
      throw new InputError(this.#path, null, null, detail);
    }
    let contentBytes: number | null = null;
    if (sizeBytes > 0) {
      const size = rest.subarray(rest.length - sizeBytes);
      // Sizes above 2^48 are far over any limit: six bytes and more than zero in the rest will do.
      if (sizeBytes === 8) contentBytes = size.readUIntLE(0, 6) + size.readUInt16LE(6) * 2 ** 48;
      else contentBytes = size.readUIntLE(0, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
    }
    const window = rest[0] ?? 0;
    const base = 2 ** (10 + (window >>> 3));
    const windowBytes = single ? (contentBytes ?? 0) : base + (base / 8) * (window & 7);
    const hasChecksum = (descriptor & 4) !== 0;
    const bytes = Buffer.concat([magic, descriptorByte, rest]);
    return { bytes, windowBytes, contentBytes, hasChecksum };
  }

  /** The next block with its header, and whether it is the last of its frame. */
  async block(): Promise<[block: Buffer, last: boolean]> {
    const start = await this.#need(3);
    const header = start.readUIntLE(0, 3);
    const type = (header >>> 1) & 3;
    const size = header >>> 3;
    if (type === RESERVED_BLOCK || size > BLOCK_LIMIT_BYTES) {
      throw damaged(this.#path, KIND, 'an impossible block');
    }
    const content = await this.#need(type === RLE_BLOCK ? 1 : size);
    return [Buffer.concat([start, content]), (header & 1) !== 0];
  }

  async checksum(): Promise<Buffer> {
    return await this.#need(4);
  }
}

/**
 * The content of zstd data (RFC 8878), of all its frames, with sizes and checksums verified: the decoder
 * itself looks at neither.
 * @throws {InputError} on damaged data and on windows over 128 MiB
 */
export async function* unzstd(path: string, input: Chunks): AsyncGenerator<Buffer> {
  const reader = new ByteReader(input);
  const frames = new FrameReader(path, reader);
  try {
    for (let header = await frames.header(); header !== null; header = await frames.header()) {
      yield* frameContent(path, frames, header);
    }
  } finally {
    await reader.close();
  }
}

async function* frameContent(
  path: string,
  frames: FrameReader,
  { bytes, windowBytes, contentBytes, hasChecksum }: FrameHeader,
): AsyncGenerator<Buffer> {
  if (windowBytes > WINDOW_LIMIT_BYTES) {
    const found = `${Math.ceil(windowBytes / 2 ** 20)} MiB`;
    const detail = `needs a zstd window of ${found}, expected at most 128 MiB; unpack it yourself`;
    throw new InputError(path, null, null, detail);
  }
  let out: Buffer[] = [];
  const decoder = new Decompress((data) => {
    out.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  });
  const decode = (data: Buffer, final: boolean) => {
    try {
      decoder.push(data, final);
    } catch (error) {
      throw damaged(path, KIND, (error as Error).message);
    }
  };
  const hash = new Xxh64();
  let length = 0;
  decode(bytes, false);
  for (let last = false; !last; ) {
    const [block, isLast] = await frames.block();
    last = isLast;
    const checksum = last && hasChecksum ? await frames.checksum() : Buffer.alloc(0);
    decode(Buffer.concat([block, checksum]), last);
    for (const chunk of out) {
      if (hasChecksum) hash.update(chunk);
      length += chunk.length;
      if (chunk.length > 0) yield chunk;
    }
    out = [];
    if (last && hasChecksum && checksum.readUInt32LE() !== hash.low32()) {
      throw damaged(path, KIND, 'a wrong checksum');
    }
  }
  if (contentBytes !== null && contentBytes !== length) {
    throw damaged(path, KIND, `${length} bytes instead of ${contentBytes}`);
  }
}
