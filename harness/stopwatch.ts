import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { quantileSorted } from 'simple-statistics';
import type { TimingRecord } from './run-record.ts';

/** CPU seconds that this thread has used so far; null where the system does not tell. */
function threadCpuS(): number | null {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    const value = Number(nanoseconds) / 1e9;
    return Number.isFinite(value) && value > 0 ? value : null;
  } catch {
    return null;
  }
}

/** Takes the times of a run: wall and CPU from its making to `stop`, and of each decision. */
export class Stopwatch {
  readonly #wallMs = performance.now();
  readonly #cpuS = threadCpuS();
  readonly #decisionsMs: number[] = [];

  decided(elapsedMs: number): void {
    this.#decisionsMs.push(elapsedMs);
  }

  stop(): TimingRecord {
    const wallS = (performance.now() - this.#wallMs) / 1000;
    const endS = threadCpuS();
    const sorted = Float64Array.from(this.#decisionsMs).sort();
    const sum = sorted.reduce((all, value) => all + value, 0);
    const count = sorted.length;
    return {
      wallS,
      cpuS: endS === null || this.#cpuS === null ? null : endS - this.#cpuS,
      decisionMs: {
        count,
        mean: count === 0 ? 0 : sum / count,
        p99: count === 0 ? 0 : quantileSorted(sorted as unknown as number[], 0.99),
      },
    };
  }
}
