import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Io } from '../../cli/io.ts';
import { main } from '../../cli/main.ts';

/** Folder of files that tests hand to the program. */
export const FIXTURES: string = fileURLToPath(new URL('./fixtures/', import.meta.url));

/** Options of a world of round numbers: GPUs of 50 W idle and 300 W busy, jobs that all run alike. */
export const FLAT: readonly string[] = [
  '--profiles',
  `${FIXTURES}flat.yaml`,
  '--reference-gpu',
  'flat',
  '--assign',
  'fixed:workload=unit',
  '--cluster',
  '2x2:flat,1x2:slow',
];

/** What a call of the program gave. */
export interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Calls the program in this process. */
export async function heshare(...args: readonly string[]): Promise<Called> {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const io: Io = {
    stdout,
    stderr,
    env: {},
    interruptible: (step) => step(new AbortController().signal),
  };
  const code = await main(args, io);
  return { code, stdout: stdout.text, stderr: stderr.text };
}
