import type { JobView } from '../sim/job-view.ts';
import type { RandomSource } from '../sim/random.ts';
import { isolatedShares, Rates } from './gavel/index.ts';
import type { PolicyDefinition } from './policy.ts';
import {
  type Allocator,
  ROUND_OPTIONS,
  RoundPolicy,
  type RoundShares,
  type RoundState,
  roundOptions,
} from './rounds/index.ts';

/**
 * Gandiva's packing as Gavel's authors model it: while more GPUs are wanted than there are, jobs with
 * one gang size are paired at random, as many tries as there are jobs to pair; a pair stays together
 * until one of them ends, or as long as it does at least `threshold` of what the two do alone, on the
 * types where both run. All jobs and pairs get equal shares of every type.
 */
class GandivaPacking implements Allocator {
  readonly name = 'gandiva';
  readonly #rates: Rates;
  readonly #random: RandomSource;
  readonly #threshold: number;
  readonly #partners = new Map<JobView, JobView>();

  constructor(rates: Rates, random: RandomSource, threshold: number) {
    this.#rates = rates;
    this.#random = random;
    this.#threshold = threshold;
  }

  allocate({ jobs, gpus }: RoundState): RoundShares {
    this.#split(new Set(jobs));
    const wanted = jobs.reduce((sum, { gpuCount }) => sum + gpuCount, 0);
    const there = gpus.reduce((sum, count) => sum + count, 0);
    const packs = wanted > there;
    if (packs) this.#pairUp(jobs);

    const pairs: (readonly [JobView, JobView])[] = [];
    const alone: JobView[] = [];
    for (const job of jobs) {
      const partner = packs ? this.#partners.get(job) : undefined;
      if (partner === undefined) alone.push(job);
      else if (job.index < partner.index) pairs.push([job, partner]);
    }
    const combinations = [...alone, ...pairs.map(([first]) => first)];
    const groups = combinations.map(({ gpuCount: gang }) => ({ jobs: 1, gang, throughputs: [] }));
    const shares = isolatedShares({ gpus, groups });
    const none = new Float64Array(gpus.length);
    return {
      alone: new Map([
        ...pairs.flat().map((job) => [job, none] as const),
        ...alone.map((job, i) => [job, shares[i] as Float64Array] as const),
      ]),
      together: pairs.map((both, i) => ({
        jobs: both,
        shares: (shares[alone.length + i] as Float64Array).map((share, type) =>
          this.#rates.fit(...both, type) ? share : 0,
        ),
      })),
    };
  }

  /** Takes pairs apart that have lost a job, or do not pay. */
  #split(active: ReadonlySet<JobView>): void {
    for (const [job, partner] of [...this.#partners]) {
      const stays = active.has(job) && active.has(partner);
      if (stays && this.#gain(job, partner) >= this.#threshold) continue;
      this.#partners.delete(job);
      this.#partners.delete(partner);
    }
  }

  #pairUp(jobs: readonly JobView[]): void {
    const single = jobs.filter((job) => !this.#partners.has(job));
    for (let tries = single.length; single.length > 1 && tries > 0; tries -= 1) {
      const a = this.#draw(single);
      const b = this.#draw(single);
      if (a.gpuCount === b.gpuCount && this.#gain(a, b) > 0) {
        this.#partners.set(a, b);
        this.#partners.set(b, a);
      } else {
        single.push(a, b);
      }
    }
  }

  /** Takes a job out at random; the last takes its place. */
  #draw(jobs: JobView[]): JobView {
    const at = Math.floor(this.#random() * jobs.length);
    const job = jobs[at] as JobView;
    const last = jobs.pop() as JobView;
    if (at < jobs.length) jobs[at] = last;
    return job;
  }

  /** Mean over types of the summed throughput of two jobs, each over that alone; 0 if they never fit. */
  #gain(a: JobView, b: JobView): number {
    let sum = 0;
    let types = 0;
    this.#rates.together(a, b).forEach(([first, second], type) => {
      if (first === 0 || second === 0) return;
      sum += first / (this.#rates.alone(a)[type] as number);
      sum += second / (this.#rates.alone(b)[type] as number);
      types += 1;
    });
    return types === 0 ? 0 : sum / types;
  }
}

/** Gandiva's packing in rounds. */
export const gandivaDefinition: PolicyDefinition = {
  name: 'gandiva',
  title: 'jobs paired at random on the same gpus while that pays, in equal turns',
  source:
    "Xiao et al., Gandiva, OSDI 2018, as modelled by Gavel's gandiva.py (no code of its own is public)",
  faithfulness: 'like',
  checkedBy:
    'the rule of the released code, replayed with its random numbers: a recorded run, exact; a hand-made schedule',
  duration: 'none',
  profile: 'pairs',
  options: [
    {
      name: 'threshold',
      default: 1,
      min: 0,
      max: 2,
      description: 'summed normalised throughput below which a pair is taken apart',
      source: 'gandiva.py: 1, of the sum over all types; here of their mean',
    },
    ...ROUND_OPTIONS,
  ],
  create: (options, { predictor, random }) =>
    new RoundPolicy({
      name: 'gandiva',
      information: { duration: 'none', durationNoise: 0 },
      allocator: new GandivaPacking(new Rates(predictor), random, Number(options.threshold)),
      spaceSharing: true,
      ...roundOptions(options),
    }),
};
