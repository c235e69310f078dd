import { looksLikeTar } from './tar.ts';

/** What one file may be wrapped in. */
export type Compression = 'gzip' | 'zstd' | 'xz';
/** What several files may be wrapped in. */
export type Archive = 'tar' | 'zip';

/** As many bytes as kinds are recognised by. */
export const KIND_BYTES = 512;

const startsWith = (head: Buffer, ...bytes: readonly number[]) =>
  bytes.every((byte, at) => head[at] === byte);

/** The compression or archive that data which start like this are in; null for neither. */
export function kindOf(head: Buffer): Compression | Archive | null {
  if (startsWith(head, 0x1f, 0x8b)) return 'gzip';
  if (startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) return 'zstd';
  // Frames to skip, which may come first: 0x184D2A50 to 0x184D2A5F.
  if (((head[0] ?? 0) & 0xf0) === 0x50 && startsWith(head.subarray(1), 0x2a, 0x4d, 0x18)) {
    return 'zstd';
  }
  if (startsWith(head, 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)) return 'xz';
  // The second is an archive without entries.
  if (startsWith(head, 0x50, 0x4b, 3, 4) || startsWith(head, 0x50, 0x4b, 5, 6)) return 'zip';
  return looksLikeTar(head) ? 'tar' : null;
}
