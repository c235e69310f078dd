import { closeSync, openSync, writeSync } from 'node:fs';
import type { Observer } from '../sim/result.ts';

/**
 * Columns of `gpus.csv`: a line is a stretch of time in which a GPU's state did not change. `jobs`
 * and `shares` are joined by spaces. Lines are in order of `toS`, those of one GPU without gaps.
 */
export const GPU_COLUMNS = ['gpu', 'fromS', 'toS', 'clockMhz', 'powerW', 'jobs', 'shares'] as const;

type GpuState = Parameters<NonNullable<Observer['gpuState']>>[0];

const BUFFERED_CHARACTERS = 1 << 20;

/** A cell; ids come from trace files, so what CSV needs quoted is quoted. */
function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Everything of a line that is not time. */
function stateText({ clockMhz, powerW, residents, shares }: GpuState): string {
  return `${clockMhz},${powerW},${cell(residents.join(' '))},${shares.join(' ')}`;
}

/** Writes `gpus.csv` as the run goes on, with little of it in memory. */
export class TimelineWriter {
  readonly #descriptor: number;
  readonly #open = new Map<number, { readonly fromS: number; readonly text: string }>();
  #buffer = `${GPU_COLUMNS.join(',')}\n`;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'wx');
  }

  /** Takes a GPU's new state; it holds until the GPU's next one. */
  add(state: GpuState): void {
    const text = stateText(state);
    const before = this.#open.get(state.gpu);
    if (before?.text === text) return;
    if (before !== undefined) this.#line(state.gpu, before.fromS, state.fromS, before.text);
    this.#open.set(state.gpu, { fromS: state.fromS, text });
  }

  /** Ends all states at `endS`. */
  finish(endS: number): void {
    for (const [gpu, { fromS, text }] of [...this.#open].sort(([a], [b]) => a - b)) {
      this.#line(gpu, fromS, endS, text);
    }
    this.#open.clear();
  }

  close(): void {
    this.#flush();
    closeSync(this.#descriptor);
  }

  #line(gpu: number, fromS: number, toS: number, text: string): void {
    if (toS <= fromS) return;
    this.#buffer += `${gpu},${fromS},${toS},${text}\n`;
    if (this.#buffer.length >= BUFFERED_CHARACTERS) this.#flush();
  }

  #flush(): void {
    writeSync(this.#descriptor, this.#buffer);
    this.#buffer = '';
  }
}
