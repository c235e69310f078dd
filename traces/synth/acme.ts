import type { Generator } from './generator.ts';
import { publishedLaw } from './published-law.ts';
import { powersOfTwo } from './size-law.ts';

const DAY_S = 86_400;
/** Part of the jobs that ask for one GPU. Assumed: published is that the median is one. */
const SINGLE_PART = 0.6;

/**
 * Shanghai AI Lab Acme (Hu et al., NSDI 2024): `cluster_summary.csv` of the AcmeTrace repository
 * (InternLM/AcmeTrace; CC BY 4.0), jobs that ask for GPUs, March to August 2023. The run times of Kalos
 * there include the wait: its rows count them from submission to end.
 */
export const ACME = {
  /** March to August. */
  days: 184,
  clusters: {
    Seren: {
      gpuJobs: 663_813,
      meanRunS: 1_414.335,
      medianRunS: 122,
      maxRunS: 1_209_604,
      meanGpus: 5.68,
      maxGpus: 1_024,
      /** Of jobs completed, cancelled and failed. */
      gpuS: 21_510_624_587,
    },
    Kalos: {
      gpuJobs: 19_907,
      meanRunS: 1_259.689,
      medianRunS: 124,
      maxRunS: 625_740,
      meanGpus: 26.77,
      maxGpus: 1_024,
      gpuS: 5_333_180_061,
    },
  },
} as const;

/** A trace like that of a cluster of Acme, from published figures; see `ACME` and `publishedLaw`. */
export const acme: Generator = {
  name: 'acme',
  title: 'Shanghai AI Lab Acme (Hu et al., NSDI 2024)',
  settings: [{ name: 'cluster', meaning: "'Seren' (default) or 'Kalos'" }],
  law(settings, maxGpus) {
    const cluster = settings.word('cluster', ['Seren', 'Kalos']);
    const figures = ACME.clusters[cluster];
    const waits = cluster === 'Kalos' ? '; they include the wait, as published' : '';
    return publishedLaw({
      sizes: powersOfTwo(SINGLE_PART, figures.meanGpus, figures.maxGpus),
      durations: { medianS: figures.medianRunS, meanS: figures.meanRunS, maxS: figures.maxRunS },
      meanGpuS: figures.gpuS / figures.gpuJobs,
      ratePerS: figures.gpuJobs / (ACME.days * DAY_S),
      maxGpus,
      options: { cluster },
      assumed: [
        `median and mean run time, mean gang and GPU-hours are those of Acme ${cluster}${waits}`,
        `gangs are powers of two, ${100 * SINGLE_PART} % of the jobs ask for one GPU: assumed`,
      ],
    });
  },
};
