import { performance } from 'node:perf_hooks';
import { SingleBar } from 'cli-progress';
import type { FetchProgress } from '../traces/fetch/fetch.ts';
import type { Output } from './io.ts';

const PLAIN_LINE_EVERY_MS = 5000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes in three digits: `36.4 MB`. */
export function byteText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  const digits = step === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[step]}`;
}

function doneText(done: number, total: number | null): string {
  if (total === null) return byteText(done);
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
  return `${percent} % (${byteText(done)} of ${byteText(total)})`;
}

/** A line for each file, and one every five seconds at most: for logs. */
function plainLines(stream: Output): FetchProgress & { stop(): void } {
  let name = '';
  let lastMs = performance.now();
  return {
    file(next) {
      name = next;
      stream.write(`${name}\n`);
    },
    bytes(done, total) {
      const nowMs = performance.now();
      if (nowMs - lastMs < PLAIN_LINE_EVERY_MS) return;
      lastMs = nowMs;
      stream.write(`${name}: ${doneText(done, total)}\n`);
    },
    line(text) {
      stream.write(`${name}: ${text}\n`);
    },
    stop() {},
  };
}

function bars(stream: Output): FetchProgress & { stop(): void } {
  let bar: SingleBar | null = null;
  let name = '';
  const stop = () => {
    bar?.stop();
    bar = null;
  };
  return {
    file(next) {
      stop();
      name = next;
    },
    bytes(done, total) {
      if (bar === null) {
        bar = new SingleBar({
          stream,
          format: `${name} [{bar}] {text}`,
          barsize: 30,
          hideCursor: true,
          clearOnComplete: true,
        });
        bar.start(1, 0, { text: '' });
      }
      bar.update(total === null || total === 0 ? 0 : done / total, { text: doneText(done, total) });
    },
    line(text) {
      stop();
      stream.write(`${name}: ${text}\n`);
    },
    stop,
  };
}

/** Progress of fetching: a bar a file on a terminal, plain lines elsewhere, or nothing. */
export function startByteProgress(
  stream: Output,
  quiet: boolean,
): FetchProgress & { stop(): void } {
  if (quiet) return { file() {}, bytes() {}, line() {}, stop() {} };
  return stream.isTTY === true ? bars(stream) : plainLines(stream);
}
