import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { type OpenOptions, openByteSource } from '../../../traces/csv/byte-source.ts';

/** A fixture made by a compressor that Node does not have. */
export function packed(name: string): Buffer {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url));
}

/** Bytes in chunks of a size. */
export async function* chunked(bytes: Uint8Array, size = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(Buffer.from(bytes.subarray(at, at + size)));
  }
}

/** Everything that comes, together. */
export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** A file of an archive in the making. */
export interface PackedFile {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** A link to this name instead of a file. */
  readonly link?: string;
}

/** A tar archive of files, folders (names that end in `/`) and links. */
export async function tarOf(files: readonly PackedFile[]): Promise<Buffer> {
  const archive = pack();
  for (const { name, content = '', link } of files) {
    const mtime = new Date(0);
    if (link !== undefined) archive.entry({ name, mtime, type: 'symlink', linkname: link });
    else if (name.endsWith('/')) archive.entry({ name, mtime, type: 'directory' });
    else archive.entry({ name, mtime }, Buffer.from(content));
  }
  archive.finalize();
  return await collect(archive as unknown as AsyncIterable<Uint8Array>);
}

const SYMLINK_MODE = 0xa1ff0000;

/** A zip archive (APPNOTE 6.3.3) of deflated files and links, whatever their names. */
export function zipOf(files: readonly PackedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', link } of files) {
    const raw = Buffer.from(link ?? content);
    const data = deflateRawSync(raw);
    const nameBytes = Buffer.from(name);
    // From "version needed" to "extra field length", the same in both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(raw.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, nameBytes, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(link === undefined ? 0 : SYMLINK_MODE, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, nameBytes]),
    );
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** The text that a trace file on disk has for its importer. */
export async function textOf(path: string, options?: OpenOptions): Promise<string> {
  const source = await openByteSource(path, options);
  return (await collect(source.chunks())).toString();
}
