import type { Generator } from './generator.ts';
import { publishedLaw } from './published-law.ts';
import { powersOfTwo, type SizeCount } from './size-law.ts';

const DAY_S = 86_400;

/**
 * Alibaba PAI, cluster-trace-gpu-v2020 (Weng et al., NSDI 2022): the row PAI of `cluster_summary.csv` of the
 * AcmeTrace repository (InternLM/AcmeTrace; CC BY 4.0). Its unit is the task that asks for GPUs, its GPUs
 * are those of one instance of it.
 */
export const PAI = {
  tasks: 1_037_085,
  /** July and August 2020. */
  days: 62,
  meanRunS: 4_787.109,
  medianRunS: 480.667,
  maxRunS: 626_371,
  meanGpus: 0.683,
  maxGpus: 8,
  /** Parts of tasks that ask for a quarter and for a half of a GPU: assumed, with the median of 0.5. */
  quarterPart: 0.2,
  halfPart: 0.4,
  /** Part of the other tasks that ask for one GPU: assumed. */
  singlePart: 0.97,
} as const;

/** Shares and gangs with the published median, mean and largest. */
function sizes(): readonly SizeCount[] {
  const { quarterPart, halfPart } = PAI;
  const rest = 1 - quarterPart - halfPart;
  const meanOfRest = (PAI.meanGpus - quarterPart / 4 - halfPart / 2) / rest;
  return [
    { gpuCount: 1, share: 0.25, jobs: quarterPart },
    { gpuCount: 1, share: 0.5, jobs: halfPart },
    ...powersOfTwo(PAI.singlePart, meanOfRest, PAI.maxGpus).map((size) => ({
      ...size,
      jobs: size.jobs * rest,
    })),
  ];
}

/**
 * A trace like that of PAI, from published figures; see `PAI` and `publishedLaw`. The GPU-hours are not
 * published, so sizes and run times are drawn apart.
 */
export const pai: Generator = {
  name: 'pai',
  title: 'Alibaba PAI, cluster-trace-gpu-v2020 (Weng et al., NSDI 2022)',
  settings: [],
  law: (_settings, maxGpus) =>
    publishedLaw({
      sizes: sizes(),
      durations: { medianS: PAI.medianRunS, meanS: PAI.meanRunS, maxS: PAI.maxRunS },
      meanGpuS: null,
      ratePerS: PAI.tasks / (PAI.days * DAY_S),
      maxGpus,
      options: {},
      assumed: [
        'a job is a task of PAI: median and mean run time, median and mean GPUs of an instance are its own',
        `${100 * PAI.quarterPart} % ask for a quarter and ${100 * PAI.halfPart} % for a half of a GPU, the ` +
          'others for 1, 2, 4 or 8; sizes and run times are drawn apart: assumed',
      ],
    }),
};
