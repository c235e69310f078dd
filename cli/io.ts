import { performance } from 'node:perf_hooks';

/** A stream that the program writes to. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** What the program has of the world: in tests, all of it is theirs. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Runs a step that Ctrl-C ends early; the signal says so. */
  interruptible<T>(step: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Presses of Ctrl-C this close together are one: shells and npm may both pass it on. */
const SAME_PRESS_MS = 500;

/** The first Ctrl-C asks for an orderly end; another one ends the process at once. */
async function untilInterrupted<T>(step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let firstMs: number | null = null;
  const onSignal = () => {
    if (firstMs !== null && performance.now() - firstMs > SAME_PRESS_MS) process.exit(130);
    firstMs ??= performance.now();
    controller.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await step(controller.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** The process's own streams, environment and signals. */
export function processIo(): Io {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    interruptible: untilInterrupted,
  };
}

/** Whether text for this stream may be coloured (https://no-color.org). */
export function mayColour(io: Io, stream: Output): boolean {
  const { NO_COLOR: noColour } = io.env;
  return stream.isTTY === true && (noColour === undefined || noColour === '');
}
