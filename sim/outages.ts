import { exponential, type RandomSource, randomStream } from './random.ts';

/** Failures passed over at once, in a sleep or repair, up to which they are drawn one by one. */
const MOST_PASSED = 1_000_000;

/**
 * When each GPU (or node) fails and how long its repair takes, as drawn from a stream of its own. The
 * times are those of a process that runs on whatever happens to the simulation: a failure that finds
 * its GPU asleep, or still in repair, has no effect, and the next one comes when it would have come
 * anyhow. So two policies meet the same failures.
 */
export class Outages {
  readonly #meanGapS: number;
  readonly #meanRepairS: number;
  readonly #streams: readonly RandomSource[];
  readonly #failureS: Float64Array;
  readonly #repairS: Float64Array;

  /**
   * @param meanGapS mean time between failures of one member; Infinity for none
   * @param purpose names the streams, with the number of the member behind it
   */
  constructor(
    count: number,
    meanGapS: number,
    meanRepairS: number,
    startS: number,
    seed: number,
    purpose: string,
  ) {
    const members = meanGapS === Infinity ? 0 : count;
    this.#meanGapS = meanGapS;
    this.#meanRepairS = meanRepairS;
    this.#streams = Array.from({ length: members }, (_, i) =>
      randomStream(seed, `${purpose}/${i}`),
    );
    this.#failureS = new Float64Array(members).fill(startS);
    this.#repairS = new Float64Array(members);
  }

  /** The first failure of a member after `nowS`, with which time only goes on; Infinity for none. */
  nextS(member: number, nowS: number): number {
    const random = this.#streams[member];
    if (random === undefined) return Infinity;
    let failureS = this.#failureS[member] as number;
    for (let passed = 0; failureS <= nowS && passed <= MOST_PASSED; passed += 1) {
      // Exponential gaps have no memory: the rest of a very long row may be left out.
      if (passed === MOST_PASSED) failureS = nowS;
      failureS += exponential(random, this.#meanGapS);
      this.#repairS[member] = exponential(random, this.#meanRepairS);
    }
    this.#failureS[member] = failureS;
    return failureS;
  }

  /** Time from the last failure that {@link nextS} gave to its repair. */
  repairS(member: number): number {
    return this.#repairS[member] as number;
  }
}
