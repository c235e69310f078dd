import { performance } from 'node:perf_hooks';
import { SingleBar } from 'cli-progress';

/** Told how far a set of runs is. */
export interface Progress {
  /** `fraction` of all work is done, `finished` of `total` runs are complete. */
  update(fraction: number, finished: number, total: number): void;
  stop(): void;
}

/** Where progress goes; `quiet` says nothing at all. */
export interface ProgressTarget {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly quiet: boolean;
}

const PLAIN_LINE_EVERY_MS = 2000;

function clockText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '--';
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}

/** Time left if the rest goes as fast as what is done. */
function leftS(fraction: number, startMs: number): number {
  const elapsedS = (performance.now() - startMs) / 1000;
  return fraction > 0 ? (elapsedS * (1 - fraction)) / fraction : Number.POSITIVE_INFINITY;
}

/** A line every two seconds at most: for logs, where a bar would leave control codes. */
function plainLines(stream: ProgressTarget['stream'], verb: string): Progress {
  const startMs = performance.now();
  let lastMs = startMs;
  return {
    update(fraction, finished, total) {
      const nowMs = performance.now();
      if (nowMs - lastMs < PLAIN_LINE_EVERY_MS) return;
      lastMs = nowMs;
      const percent = Math.floor(100 * fraction);
      const left = clockText(leftS(fraction, startMs));
      stream.write(`${verb} ${percent} % (${finished} of ${total} runs), ${left} left\n`);
    },
    stop() {},
  };
}

function bar(stream: ProgressTarget['stream'], verb: string): Progress {
  const startMs = performance.now();
  const single = new SingleBar({
    stream,
    format: `${verb} [{bar}] {percentage} % {finished}/{runs} runs, {left} left`,
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
  });
  single.start(1, 0, { finished: 0, runs: 0, left: '--' });
  return {
    update(fraction, finished, runs) {
      single.update(fraction, { finished, runs, left: clockText(leftS(fraction, startMs)) });
    },
    stop() {
      single.stop();
    },
  };
}

/** Progress as the target wants it: a bar on a terminal, plain lines elsewhere, or nothing. */
export function startProgress({ stream, quiet }: ProgressTarget, verb: string): Progress {
  if (quiet) return { update() {}, stop() {} };
  return stream.isTTY === true ? bar(stream, verb) : plainLines(stream, verb);
}
