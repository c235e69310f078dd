/** What is measured: a policy on a workload and a cluster. */
export interface BenchCase {
  readonly name: string;
  readonly policy: string;
  /** `philly`: the first jobs of the trace file; `synthetic`: Philly's statistics at the given load. */
  readonly workload: 'philly' | 'synthetic';
  readonly jobs: number;
  readonly gpus: number;
  readonly load: number;
  readonly gpuTypes: 'flat' | 'mixed';
  /** Runs of which the median is taken. */
  readonly repeats: number;
}

const fifo = (
  name: string,
  workload: BenchCase['workload'],
  jobs: number,
  gpus: number,
): BenchCase => ({
  name,
  policy: 'fifo',
  workload,
  jobs,
  gpus,
  load: 0.8,
  gpuTypes: 'flat',
  repeats: jobs > 500_000 ? 1 : jobs > 20_000 ? 3 : 9,
});

/** The core alone: FIFO on one flat GPU type, energy on. */
export const CORE_CASES: readonly BenchCase[] = [
  fifo('philly, 10k jobs', 'philly', 10_000, 512),
  fifo('philly, 82k jobs', 'philly', 82_247, 512),
  fifo('synthetic, 10k jobs', 'synthetic', 10_000, 512),
  fifo('synthetic, 100k jobs', 'synthetic', 100_000, 512),
  fifo('synthetic, 1M jobs', 'synthetic', 1_000_000, 512),
  fifo('synthetic, 1M jobs, 6500 gpus', 'synthetic', 1_000_000, 6496),
];

/** Every policy on the measured profiles and three GPU types. */
export function policyCases(policies: readonly string[], jobs: number): BenchCase[] {
  return policies.map((policy) => ({
    name: `${policy}, ${jobs} jobs`,
    policy,
    workload: 'synthetic',
    jobs,
    gpus: 512,
    load: 0.8,
    gpuTypes: 'mixed',
    repeats: 3,
  }));
}
