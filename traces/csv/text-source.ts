import { createHash, type Hash } from 'node:crypto';
import { InputError } from '../../sim/errors.ts';
import { systemError } from '../container/file.ts';
import type { InputFile } from '../report.ts';
import { Utf8Check } from './utf8-check.ts';

/** How much of a file formats are recognised by; its first line must end within. */
const HEAD_LIMIT_BYTES = 64 * 1024;
const NEWLINES = /\r\n|\n|\r/;

/** How a file starts: what formats are recognised by. */
export interface FileHead {
  /** As the user named it. */
  readonly path: string;
  /** Without byte order mark and line end. */
  readonly firstLine: string;
  /** The first lines, at most 64 KiB, without byte order mark; the last line may be cut off. */
  readonly text: string;
}

/** Another file that was asked for, and what it was; null when there is none. */
export interface CompanionUse {
  /** Name of the table, or path of the file. */
  readonly name: string;
  /** Where it was looked for: beside the file, in the same archive, or at its own path. */
  readonly where: 'beside' | 'archive' | 'path';
  readonly file: InputFile | null;
}

/** A file being read once, front to back; what the importers see of the file system. */
export interface ByteSource extends FileHead {
  /**
   * The whole text, in order, once; unpacked when the file is compressed or an archive. Throws
   * `InputError` on damaged and binary content, on text that is not UTF-8, and on read errors.
   */
  chunks(): AsyncIterable<Buffer>;
  /** Hash and size of the file on disk, as it is there: complete once `chunks` is exhausted. */
  fingerprint(): InputFile;
  /** The same, however much was read. */
  wholeFingerprint(): Promise<InputFile>;
  /** Gives the file back; harmless after `chunks` has ended. */
  close(): void;
  /**
   * Opens another table of the same trace: the file next to this one (in its folder or archive) whose
   * name without folder and suffixes (`.csv`, `.gz`, `.tar.gz` ...) is `name`; null when there is none.
   */
  sibling(name: string): Promise<ByteSource | null>;
  /** Opens another file that is read along with this one. @throws {InputError} when it cannot be read */
  other(path: string): Promise<ByteSource>;
  /** The other files asked for so far, sorted by name. */
  companions(): Promise<readonly CompanionUse[]>;
}

/** What a source is read from. */
export interface SourceInput {
  /** As the user named it. */
  readonly path: string;
  /** The text, from its start. */
  readonly text: AsyncIterable<Buffer>;
  /** Of the file that the text is read from; without it, of the text itself. */
  readonly fingerprint?: () => Promise<InputFile>;
  readonly sibling?: (name: string) => Promise<FoundSibling | null>;
  readonly other?: (path: string) => Promise<ByteSource>;
}

/** A table found next to another one. */
export interface FoundSibling {
  readonly source: ByteSource;
  readonly where: 'beside' | 'archive';
}

/** What a file that is not text most likely is; null for text. */
function binaryHint(head: Buffer): string | null {
  if (head.length === 0) return 'is empty';
  if (head.toString('latin1', 0, 3) === 'BZh') return 'is bzip2-compressed; unpack it first';
  if (head.toString('latin1', 0, 4) === 'PAR1') return 'is a Parquet file; expected text';
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff || looksLikeUtf16(head)) {
    return 'is UTF-16 text; expected UTF-8';
  }
  if (head.toString('latin1', 0, 24) === 'version https://git-lfs.') {
    return 'is a Git LFS pointer, not the data; fetch the data itself';
  }
  return null;
}

/** Text in two bytes a letter: every other byte of the first letters is zero. */
function looksLikeUtf16(head: Buffer): boolean {
  const start = head.subarray(0, 64);
  if (start.length < 4) return false;
  const zeroAt = (odd: number) => start.every((byte, at) => (byte === 0) === (at % 2 === odd));
  return zeroAt(0) || zeroAt(1);
}

/** Refuses bytes that are no text, as they come. */
class TextCheck {
  readonly #path: string;
  readonly #utf8 = new Utf8Check();
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  add(chunk: Buffer): void {
    const at = chunk.indexOf(0);
    if (at >= 0) {
      const where = `NUL byte at offset ${this.#offset + at}`;
      throw new InputError(this.#path, null, null, `is binary (${where}); expected text`);
    }
    this.#refuse(this.#utf8.add(chunk));
    this.#offset += chunk.length;
  }

  end(): void {
    this.#refuse(this.#utf8.end());
  }

  #refuse(fault: { readonly offset: number; readonly byte: number } | null): void {
    if (fault === null) return;
    const byte = `0x${fault.byte.toString(16).toUpperCase().padStart(2, '0')}`;
    const detail = `is not UTF-8 (byte ${byte} at offset ${fault.offset}); convert it to UTF-8`;
    throw new InputError(this.#path, null, null, detail);
  }
}

async function headOf(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  while (length < HEAD_LIMIT_BYTES) {
    const step = await chunks.next();
    if (step.done === true) break;
    parts.push(step.value);
    length += step.value.length;
  }
  return Buffer.concat(parts);
}

/** The other files that a source was asked for. */
class Companions {
  readonly #input: SourceInput;
  readonly #asked: {
    readonly name: string;
    readonly where: CompanionUse['where'];
    readonly source: ByteSource | null;
  }[] = [];

  constructor(input: SourceInput) {
    this.#input = input;
  }

  async sibling(name: string): Promise<ByteSource | null> {
    const found = (await this.#input.sibling?.(name)) ?? null;
    this.#asked.push({ name, where: found?.where ?? 'beside', source: found?.source ?? null });
    return found?.source ?? null;
  }

  async other(name: string): Promise<ByteSource> {
    if (this.#input.other === undefined) {
      throw new InputError(name, null, null, `cannot be read along with ${this.#input.path}`);
    }
    const source = await this.#input.other(name);
    this.#asked.push({ name, where: 'path', source });
    return source;
  }

  /** These, and the ones that they were asked for in turn. */
  async used(): Promise<readonly CompanionUse[]> {
    const uses = new Map<string, CompanionUse>();
    for (const { name, where, source } of this.#asked) {
      for (const use of (await source?.companions()) ?? []) uses.set(use.name, use);
      uses.set(name, { name, where, file: (await source?.wholeFingerprint()) ?? null });
    }
    return [...uses.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** The source over a text that is being opened. Reads up to the end of the first line. */
export async function openSource(input: SourceInput): Promise<ByteSource> {
  const { path } = input;
  const chunks = input.text[Symbol.asyncIterator]();
  const check = new TextCheck(path);
  const close = () => {
    // Whatever the closing runs into, the reader has what it wanted.
    void chunks.return?.().then(undefined, () => undefined);
  };
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  let ofFile: InputFile | null = null;

  function passed(chunk: Buffer): Buffer {
    check.add(chunk);
    if (input.fingerprint === undefined) hash.update(chunk);
    bytes += chunk.length;
    return chunk;
  }

  let head: Buffer;
  try {
    head = await headOf(chunks);
    const hint = binaryHint(head);
    if (hint !== null) throw new InputError(path, null, null, hint);
    passed(head);
  } catch (error) {
    close();
    throw systemError(path, error);
  }
  const text = head.toString('utf8', 0, HEAD_LIMIT_BYTES).replace(/^\uFEFF/, '');
  const companions = new Companions(input);

  const ofText = () => ofFile ?? { path, sha256: hash.copy().digest('hex'), bytes };
  return {
    path,
    firstLine: text.split(NEWLINES, 1)[0] ?? '',
    text,
    async *chunks() {
      try {
        yield head;
        for (let step = await chunks.next(); step.done !== true; step = await chunks.next()) {
          yield passed(step.value);
        }
        check.end();
        ofFile = (await input.fingerprint?.()) ?? null;
      } catch (error) {
        throw systemError(path, error);
      }
    },
    fingerprint: ofText,
    wholeFingerprint: async () => ofFile ?? (await input.fingerprint?.()) ?? ofText(),
    close,
    sibling: (name) => companions.sibling(name),
    other: (name) => companions.other(name),
    companions: () => companions.used(),
  };
}
