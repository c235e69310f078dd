/** A quantile: this part of the jobs runs for at most this long. */
export interface Quantile {
  readonly part: number;
  readonly durationS: number;
}

/**
 * Published statistics of the Microsoft Philly trace (Jeon et al., ATC 2019) as Pollux cut it: 82,247 jobs
 * with a usable run time (petuum/adaptdl, branch osdi21-artifact, simulator/traces/philly.csv; CC BY 4.0).
 * The generator knows nothing else of the trace.
 */
export const PHILLY = {
  jobs: 82_247,
  /** 2017-09-04 10:30:41 to 2017-12-22 08:02:11, first and last submission by the clock on the wall. */
  spanS: 9_408_690,
  meanDurationS: 13_135.9314,
  gpuHours: 978_078.5,
  quantiles: [
    { part: 0, durationS: 1 },
    // Pollux keeps jobs of 60 s and more (and below 1000 GPU-hours): 74,428 of the 82,247.
    { part: 1 - 74_428 / 82_247, durationS: 60 },
    { part: 0.5, durationS: 1_144 },
    { part: 0.9, durationS: 11_266 },
    { part: 0.99, durationS: 254_884 },
    { part: 1, durationS: 4_628_226 },
  ],
  /** Jobs by gang size. */
  gangs: [
    { gpuCount: 1, jobs: 76_627 },
    { gpuCount: 2, jobs: 1_818 },
    { gpuCount: 4, jobs: 1_870 },
    { gpuCount: 8, jobs: 1_643 },
    { gpuCount: 12, jobs: 7 },
    { gpuCount: 16, jobs: 199 },
    { gpuCount: 24, jobs: 7 },
    { gpuCount: 32, jobs: 67 },
    { gpuCount: 64, jobs: 6 },
    { gpuCount: 128, jobs: 3 },
  ],
} as const satisfies {
  readonly quantiles: readonly Quantile[];
  readonly gangs: readonly { gpuCount: number; jobs: number }[];
  readonly [name: string]: unknown;
};
