import seedrandom from 'seedrandom';

/** Draws uniformly from [0, 1). */
export type RandomSource = () => number;

/**
 * The named random stream of a purpose. Streams of one seed are independent, so a draw added for one
 * purpose changes no other.
 */
export function randomStream(seed: number | string, purpose: string): RandomSource {
  return seedrandom.alea(`${seed}/${purpose}`);
}

/** Streams of one purpose, one for each member (a job, say), made when first asked for. */
export class RandomStreams {
  readonly #seed: number | string;
  readonly #purpose: string;
  readonly #streams = new Map<number, RandomSource>();

  constructor(seed: number | string, purpose: string) {
    this.#seed = seed;
    this.#purpose = purpose;
  }

  of(member: number): RandomSource {
    let stream = this.#streams.get(member);
    if (stream === undefined) {
      stream = randomStream(this.#seed, `${this.#purpose}/${member}`);
      this.#streams.set(member, stream);
    }
    return stream;
  }
}

/** An exponentially distributed draw with this mean. */
export function exponential(random: RandomSource, mean: number): number {
  return -mean * Math.log(1 - random());
}

/** A standard normal draw (Box-Muller, one of the pair). */
export function standardNormal(random: RandomSource): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}
