import type { Generator } from './generator.ts';
import { publishedLaw } from './published-law.ts';
import { powersOfTwo } from './size-law.ts';

const DAY_S = 86_400;
/** Part of the jobs that ask for one GPU. Assumed: published is that the median is one. */
const SINGLE_PART = 0.6;

/** Published figures of the GPU jobs of one cluster. */
interface ClusterFigures {
  readonly gpuJobs: number;
  readonly meanRunS: number;
  readonly medianRunS: number;
  readonly meanGpus: number;
  /** Of jobs completed, cancelled and failed. */
  readonly gpuS: number;
  /** Largest gang: the largest power of two that the cluster can hold. */
  readonly maxGpus: number;
}

/**
 * SenseTime Helios (Hu et al., SC 2021): `helios_cluster_summary.csv` of the AcmeTrace repository
 * (InternLM/AcmeTrace; CC BY 4.0), jobs that ask for GPUs, April to September 2020.
 */
export const HELIOS = {
  days: 181,
  maxRunS: 4_320_009,
  clusters: {
    all: {
      gpuJobs: 1_580_464,
      meanRunS: 6_651.681,
      medianRunS: 206,
      meanGpus: 3.716,
      gpuS: 77_997_740_147,
      maxGpus: 2_048,
    },
    Venus: {
      gpuJobs: 125_303,
      meanRunS: 13_040.598,
      medianRunS: 204,
      meanGpus: 6.736,
      gpuS: 12_345_612_608,
      maxGpus: 1_024,
    },
    Earth: {
      gpuJobs: 427_148,
      meanRunS: 5_130.609,
      medianRunS: 234,
      meanGpus: 2.101,
      gpuS: 11_439_202_755,
      maxGpus: 1_024,
    },
    Saturn: {
      gpuJobs: 698_896,
      meanRunS: 5_252.927,
      medianRunS: 124,
      meanGpus: 4.01,
      gpuS: 27_652_361_263,
      maxGpus: 2_048,
    },
    Uranus: {
      gpuJobs: 329_117,
      meanRunS: 9_163.725,
      medianRunS: 280,
      meanGpus: 4.038,
      gpuS: 26_560_563_521,
      maxGpus: 2_048,
    },
  },
} as const satisfies {
  readonly clusters: Readonly<Record<string, ClusterFigures>>;
  readonly [name: string]: unknown;
};

/**
 * A trace like that of a Helios cluster, from published figures (see `HELIOS`): log-normal run times with
 * the median, the mean and the longest; gangs of powers of two with the mean; both linked so that the
 * GPU-seconds are met; Poisson arrivals with the mean rate and an assumed rhythm. What the forms are worth
 * cannot be measured without the files.
 */
export const helios: Generator = {
  name: 'helios',
  title: 'SenseTime Helios (Hu et al., SC 2021)',
  settings: [
    { name: 'cluster', meaning: "'all' (default), 'Venus', 'Earth', 'Saturn' or 'Uranus'" },
  ],
  law(settings, maxGpus) {
    const cluster = settings.word('cluster', ['all', 'Venus', 'Earth', 'Saturn', 'Uranus']);
    const figures: ClusterFigures = HELIOS.clusters[cluster];
    const { gpuJobs, medianRunS, meanRunS, gpuS } = figures;
    return publishedLaw({
      sizes: powersOfTwo(SINGLE_PART, figures.meanGpus, figures.maxGpus),
      durations: { medianS: medianRunS, meanS: meanRunS, maxS: HELIOS.maxRunS },
      meanGpuS: gpuS / gpuJobs,
      ratePerS: gpuJobs / (HELIOS.days * DAY_S),
      maxGpus,
      options: { cluster },
      assumed: [
        `median and mean run time, mean gang and GPU-hours are those of Helios (${cluster})`,
        'run times are log-normal, gangs powers of two, arrivals Poisson with a daily and weekly swing: ' +
          'the forms are assumed',
      ],
    });
  },
};
