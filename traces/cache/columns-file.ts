import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { JobColumns } from '../columns/job-columns.ts';
import { StringTable } from '../columns/string-table.ts';
import type { DictionaryColumn, NumberColumn } from '../columns/value-columns.ts';

const MAGIC = 'HESHTRC1';
const MAGIC_BYTES = 8;
/** Offset and length of the description, byte order, checksum of all other bytes of the file, magic. */
const FOOTER_BYTES = 32;
const ORDER_AT = 16;
const CHECKSUM_AT = 20;
const ALIGNMENT = 8;
const PIECE_BYTES = 1 << 20;

/** Where something is in the file, in bytes. */
interface Section {
  readonly offset: number;
  readonly bytes: number;
}

interface DictionarySection {
  readonly values: readonly unknown[];
  /** Bytes of a code; null for no codes, when all rows have the first value. */
  readonly width: 1 | 2 | 4 | null;
  readonly codes: Section;
}

/** What the file says of its own parts. */
interface Description {
  readonly jobs: number;
  /** What the writer wants kept with the jobs. */
  readonly about: unknown;
  readonly ids: Section;
  readonly idEnds: Section;
  readonly numbers: Readonly<Record<string, Section | null>>;
  readonly dictionaries: Readonly<Record<string, DictionarySection>>;
}

/** Arrays of codes, by their bytes a code. */
const WIDTHS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

/** Writes pieces one after the other, each at a multiple of eight bytes, and keeps their checksum. */
class SectionWriter {
  readonly #file: number;
  #offset = 0;
  #sum = 0;

  constructor(file: number) {
    this.#file = file;
  }

  get offset(): number {
    return this.#offset;
  }

  get checksum(): number {
    return this.#sum;
  }

  /** Writes all pieces as one section. */
  write(pieces: Iterable<Uint8Array>): Section {
    const offset = this.#offset;
    let bytes = 0;
    for (const piece of pieces) {
      this.#put(piece);
      bytes += piece.length;
    }
    this.#put(new Uint8Array((ALIGNMENT - (this.#offset % ALIGNMENT)) % ALIGNMENT));
    return { offset, bytes };
  }

  #put(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) at += writeSync(this.#file, piece, at);
    this.#sum = crc32(piece, this.#sum);
    this.#offset += piece.length;
  }
}

const bytesOf = (array: ArrayBufferView) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** The ids in order of submission, in pieces, and where each ends. */
function* idPieces(columns: JobColumns, ends: Uint32Array): Generator<Uint8Array> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES);
  let filled = 0;
  let end = 0;
  for (let index = 0; index < columns.length; index += 1) {
    const id = columns.ids.bytesOf(columns.place(index));
    if (filled + id.length > piece.length) {
      yield piece.subarray(0, filled);
      piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, id.length));
      filled = 0;
    }
    filled += id.copy(piece, filled);
    end += id.length;
    ends[index] = end;
  }
  yield piece.subarray(0, filled);
}

function writeNumbers(writer: SectionWriter, columns: JobColumns, column: NumberColumn) {
  if (column.isNull) return null;
  const values = new Float64Array(columns.length);
  for (let index = 0; index < values.length; index += 1) {
    values[index] = column.raw(columns.place(index));
  }
  return writer.write([bytesOf(values)]);
}

function writeDictionary(
  writer: SectionWriter,
  columns: JobColumns,
  column: Pick<DictionaryColumn<unknown>, 'values' | 'code'>,
): DictionarySection {
  const { values } = column;
  if (values.length < 2) return { values, width: null, codes: writer.write([]) };
  const width = values.length <= 2 ** 8 ? 1 : values.length <= 2 ** 16 ? 2 : 4;
  const codes = new WIDTHS[width](columns.length);
  for (let index = 0; index < codes.length; index += 1) {
    codes[index] = column.code(columns.place(index));
  }
  return { values, width, codes: writer.write([bytesOf(codes)]) };
}

/**
 * Writes jobs, in order of submission, and what is to be kept with them. Little memory is taken beyond
 * what the jobs take: one column at a time.
 * @param about anything that JSON keeps as it is
 */
export function writeColumns(path: string, columns: JobColumns, about: unknown): void {
  const file = openSync(path, 'wx');
  try {
    const writer = new SectionWriter(file);
    writer.write([Buffer.from(MAGIC)]);
    const ends = new Uint32Array(columns.length);
    const ids = writer.write(idPieces(columns, ends));
    const idEnds = writer.write([bytesOf(ends)]);
    const numbers: Record<string, Section | null> = {};
    for (const [name, column] of Object.entries(columns.numbers)) {
      numbers[name] = writeNumbers(writer, columns, column);
    }
    const dictionaries: Record<string, DictionarySection> = {};
    for (const [name, column] of Object.entries(columns.dictionaries)) {
      dictionaries[name] = writeDictionary(writer, columns, column);
    }
    const description: Description = {
      jobs: columns.length,
      about,
      ids,
      idEnds,
      numbers,
      dictionaries,
    };
    const { offset, bytes } = writer.write([Buffer.from(JSON.stringify(description))]);
    const footer = Buffer.alloc(FOOTER_BYTES);
    footer.writeDoubleLE(offset, 0);
    footer.writeDoubleLE(bytes, 8);
    footer.write(endianness(), ORDER_AT);
    footer.write(MAGIC, FOOTER_BYTES - MAGIC_BYTES);
    footer.writeUInt32LE(crc32(footer, writer.checksum), CHECKSUM_AT);
    writer.write([footer]);
  } finally {
    closeSync(file);
  }
}

/** The whole file in memory at a multiple of eight bytes, as views of its numbers need. */
function wholeFile(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.from(new ArrayBuffer(fstatSync(file).size));
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(file, bytes, at, bytes.length - at, at);
      if (read === 0) break;
      at += read;
    }
    return bytes.subarray(0, at);
  } finally {
    closeSync(file);
  }
}

function descriptionOf(bytes: Buffer): Description {
  if (bytes.length < MAGIC_BYTES + FOOTER_BYTES) throw new RangeError('too short');
  const footer = bytes.subarray(-FOOTER_BYTES);
  const magics = [
    bytes.toString('latin1', 0, MAGIC_BYTES),
    footer.toString('latin1', FOOTER_BYTES - MAGIC_BYTES),
  ];
  if (magics.some((magic) => magic !== MAGIC)) throw new RangeError('not a kept trace');
  if (footer.toString('latin1', ORDER_AT, ORDER_AT + 2) !== endianness()) {
    throw new RangeError('other byte order');
  }
  const others = Buffer.from(footer);
  others.writeUInt32LE(0, CHECKSUM_AT);
  const checksum = crc32(others, crc32(bytes.subarray(0, -FOOTER_BYTES)));
  if (checksum !== footer.readUInt32LE(CHECKSUM_AT)) throw new RangeError('wrong checksum');
  const offset = footer.readDoubleLE(0);
  const text = bytes.toString('utf8', offset, offset + footer.readDoubleLE(8));
  return JSON.parse(text) as Description;
}

/**
 * The jobs in a file that `writeColumns` wrote, and what was kept with them.
 * @throws {Error} of any kind when it is not such a file, or damaged
 */
export function readColumns(path: string): {
  readonly columns: JobColumns;
  readonly about: unknown;
} {
  const bytes = wholeFile(path);
  const { jobs, about, ids, idEnds, numbers, dictionaries } = descriptionOf(bytes);
  const at = ({ offset }: Section) =>
    [bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, jobs] as const;
  const idBytes = bytes.subarray(ids.offset, ids.offset + ids.bytes);
  const columns = new JobColumns(StringTable.over(idBytes, new Uint32Array(...at(idEnds))));
  for (const [name, column] of Object.entries(columns.numbers)) {
    const section = numbers[name];
    if (section === undefined) throw new RangeError(`no column ${name}`);
    column.restore(section === null ? null : new Float64Array(...at(section)), jobs);
  }
  for (const [name, column] of Object.entries(columns.dictionaries)) {
    const section = dictionaries[name];
    if (section === undefined) throw new RangeError(`no column ${name}`);
    const { values, width, codes } = section;
    column.restore(values, width === null ? null : new WIDTHS[width](...at(codes)), jobs);
  }
  return { columns, about };
}
