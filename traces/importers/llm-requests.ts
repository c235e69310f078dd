import { InputError } from '../../sim/errors.ts';
import { quoted, RowError, TIME_S } from '../csv/row.ts';
import type { DropReason, OptionValue } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { positiveSetting, type SettingDoc, type Settings } from './importer.ts';
import { traceJob } from './trace-job.ts';

/**
 * Round figures for a model of 13 billion parameters in 16 bit on one A100-80, without batching: about
 * 40 % of the 12,000 prompt tokens/s that 312 TFLOP/s allow at 26 GFLOP a token, and about two thirds of
 * the 77 tokens/s that 2 TB/s allow at 26 GB of weights a token. No trace states them.
 */
const PREFILL_TOKENS_PER_S = 5000;
const DECODE_TOKENS_PER_S = 50;

/** Any finer, and the number of a bin were no whole number any more. */
const SHORTEST_BIN_S = 0.001;

/** The options of every trace of inference requests. */
export const REQUEST_SETTINGS: readonly SettingDoc[] = [
  {
    name: 'prefillTokensPerS',
    meaning: `prompt tokens that a GPU takes in per second (default ${PREFILL_TOKENS_PER_S})`,
  },
  {
    name: 'decodeTokensPerS',
    meaning: `tokens that it generates for one request per second (default ${DECODE_TOKENS_PER_S})`,
  },
  { name: 'share', meaning: 'part of a GPU that a request asks for, above 0 to 1 (default 1)' },
  {
    name: 'binS',
    meaning: 'requests of as many seconds become one job; 0 (default) makes each a job of its own',
  },
];

/** An inference request as a trace states it. */
export interface LlmRequest {
  /** Seconds from any zero. */
  readonly atS: number;
  readonly contextTokens: number;
  readonly generatedTokens: number;
  /** Null when the trace names none. */
  readonly model: string | null;
  readonly row: number;
}

function shareSetting(path: string, settings: Settings): number {
  const share = positiveSetting(path, settings, 'share') ?? 1;
  if (share <= 1) return share;
  const detail = `option share: expected above 0 to 1, found ${quoted(String(settings.share))}`;
  throw new InputError(path, null, null, detail);
}

function binSetting(path: string, settings: Settings): number {
  if (settings.binS === 0 || settings.binS === '0') return 0;
  const binS = positiveSetting(path, settings, 'binS') ?? 0;
  if (binS === 0 || binS >= SHORTEST_BIN_S) return binS;
  const detail = `option binS: expected 0 or from ${SHORTEST_BIN_S}, found ${quoted(String(binS))}`;
  throw new InputError(path, null, null, detail);
}

/**
 * How inference requests become jobs. A request runs for
 * `contextTokens / prefillTokensPerS + generatedTokens / decodeTokensPerS` seconds on `share` of one GPU.
 * With `binS`, the requests for one model in each window of that length are one job, submitted at the
 * start of the window, that runs for the sum: the rows after its first are counted as `merged`.
 */
export class RequestJobs {
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly #prefill: number;
  readonly #decode: number;
  readonly #share: number;
  readonly #binS: number;
  /** Summed run times by job id. */
  readonly #bins = new Map<string, number>();

  /** @throws {InputError} on a setting out of its range */
  constructor(path: string, settings: Settings) {
    this.#prefill = positiveSetting(path, settings, 'prefillTokensPerS') ?? PREFILL_TOKENS_PER_S;
    this.#decode = positiveSetting(path, settings, 'decodeTokensPerS') ?? DECODE_TOKENS_PER_S;
    this.#share = shareSetting(path, settings);
    this.#binS = binSetting(path, settings);
    this.options = {
      prefillTokensPerS: this.#prefill,
      decodeTokensPerS: this.#decode,
      share: this.#share,
      binS: this.#binS,
    };
  }

  /** @throws {RowError} on a request that would run for longer than any job */
  toJob(request: LlmRequest): TraceJob | DropReason {
    const { atS, contextTokens, generatedTokens, model, row } = request;
    const durationS = contextTokens / this.#prefill + generatedTokens / this.#decode;
    if (durationS <= 0) return 'nonpositive_duration';
    if (durationS > TIME_S.max) {
      throw new RowError(null, `would run for ${durationS} s; expected at most ${TIME_S.max}`);
    }
    if (this.#binS === 0) return this.#job(`request-${row}`, atS, durationS, model, row);

    const bin = Math.floor(atS / this.#binS);
    const id = model === null ? `bin-${bin}` : `bin-${bin}-${model}`;
    const sumS = this.#bins.get(id);
    this.#bins.set(id, (sumS ?? 0) + durationS);
    return sumS === undefined ? this.#job(id, bin * this.#binS, durationS, model, row) : 'merged';
  }

  #job(
    id: string,
    submitS: number,
    durationS: number,
    model: string | null,
    row: number,
  ): TraceJob {
    return traceJob({ id, submitS, durationS, gpuCount: 1, share: this.#share, model, row });
  }

  /** The jobs with the work of their whole bin. */
  finish(jobs: readonly TraceJob[]): readonly TraceJob[] {
    if (this.#binS === 0) return jobs;
    return jobs.map((job) => ({ ...job, durationS: this.#bins.get(job.id) ?? job.durationS }));
  }

  assumed(): readonly string[] {
    const rates = `${this.#prefill} prompt tokens/s and ${this.#decode} generated tokens/s`;
    const lines = [
      `a request runs for its tokens at ${rates} on ${this.#share} of a GPU: not in the trace`,
    ];
    if (this.#binS > 0) {
      lines.push(
        `the requests of each ${this.#binS} s are one job, submitted at the start of that time, ` +
          'with the sum of their run times on one GPU',
      );
    }
    return lines;
  }
}
