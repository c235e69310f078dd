import { createRequire } from 'node:module';
import { ReadableStream } from 'node:stream/web';
import { InputError } from '../../sim/errors.ts';
import type { Chunks } from './bytes.ts';
import { cutOff, damaged } from './damage.ts';

const KIND = 'xz';
/** Turns of the decoder that give nothing, after the end of the data, until it is taken to be cut off. */
const IDLE_LIMIT = 8;

type XzDecoder = new (compressed: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;

/**
 * A decoder of its own for each stream. The module decodes one stream at a time and lets others wait,
 * which is forever when one reader has two open (a table and the one it is joined with).
 */
function freshDecoder(): XzDecoder {
  const require = createRequire(import.meta.url);
  const forget = () => Reflect.deleteProperty(require.cache, require.resolve('xz-decompress'));
  forget();
  const { XzReadableStream } = require('xz-decompress') as { readonly XzReadableStream: XzDecoder };
  forget();
  return XzReadableStream;
}

/** Results of the decoder (xz-embedded, enum xz_ret) that say something of the data. */
const OPTIONS_ERROR = 6;
const BUFFER_ERROR = 8;

function decoderError(path: string, error: unknown): unknown {
  if (error instanceof InputError) return error;
  const { message } = error as Error;
  const code = Number(/error code (\d+)$/.exec(message)?.[1] ?? Number.NaN);
  if (code === BUFFER_ERROR) return cutOff(path, KIND);
  if (code === OPTIONS_ERROR) {
    const detail = 'is xz data with a check or filter that is not supported; unpack it yourself';
    return new InputError(path, null, null, detail);
  }
  return damaged(path, KIND, Number.isNaN(code) ? message : `decoder error ${code}`);
}

/**
 * The content of xz data, of all its streams, with checksums verified (CRC32 and CRC64; SHA-256 is refused).
 * @throws {InputError} on damaged data
 */
export async function* unxz(path: string, input: Chunks): AsyncGenerator<Buffer> {
  const chunks = input[Symbol.asyncIterator]();
  const state = { ended: false };
  const compressed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await chunks.next();
        if (step.done === true) {
          state.ended = true;
          controller.close();
        } else controller.enqueue(step.value);
      },
    },
    { highWaterMark: 0 },
  );
  const Decoder = freshDecoder();
  let idle = 0;
  try {
    for await (const chunk of new Decoder(compressed)) {
      idle = chunk.length === 0 && state.ended ? idle + 1 : 0;
      if (idle > IDLE_LIMIT) throw cutOff(path, KIND);
      if (chunk.length > 0) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
  } catch (error) {
    throw decoderError(path, error);
  } finally {
    await chunks.return?.();
  }
}
