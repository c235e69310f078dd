import type { Trend } from './arrivals.ts';
import { COARSE_PARTS, FINE_PARTS } from './quantile-law.ts';
import type { SizeClass } from './size-class.ts';

/** What the generator knows of openb. */
export interface OpenbStatistics {
  readonly jobs: number;
  /** From the first to the last creation. */
  readonly spanS: number;
  readonly gpuHours: number;
  /** Which part of the pods had come by which part of the span. */
  readonly trend: Trend;
  /** Creations by hour, taking time 0 of the trace as midnight; what its clock really says is not known. */
  readonly hours: readonly number[];
  /** Pods that ask for a part of a GPU, for a whole one, for several; and their run times. */
  readonly classes: readonly SizeClass[];
}

/**
 * Statistics of the pod list `openb_pod_list_default.csv` of Alibaba cluster-trace-gpu-v2023 (Weng et al.,
 * FGD, ATC 2023), over the 6,203 pods that ask for GPUs and were scheduled. Counted and ranked in that
 * file; the generator knows nothing else of it.
 */
export const OPENB: OpenbStatistics = {
  jobs: 6_203,
  spanS: 12_901_761,
  gpuHours: 51_470.7,
  // Nearly all came in the last fifth.
  trend: {
    parts: [0, 0.0035, ...COARSE_PARTS.slice(1, 20), 1],
    places: [
      0, 0.757, 0.7879, 0.7979, 0.8092, 0.8233, 0.8305, 0.8441, 0.8593, 0.8724, 0.8817, 0.8919,
      0.9089, 0.9229, 0.9334, 0.9442, 0.961, 0.9726, 0.9845, 0.9914, 0.9949, 1,
    ],
  },
  hours: [
    357, 335, 253, 344, 333, 259, 232, 235, 187, 115, 194, 177, 132, 122, 114, 158, 236, 321, 420,
    364, 277, 330, 308, 400,
  ],
  classes: [
    {
      sizes: [
        { gpuCount: 1, share: 0.05, jobs: 7 },
        { gpuCount: 1, share: 0.11, jobs: 18 },
        { gpuCount: 1, share: 0.14, jobs: 1 },
        { gpuCount: 1, share: 0.16, jobs: 70 },
        { gpuCount: 1, share: 0.22, jobs: 60 },
        { gpuCount: 1, share: 0.23, jobs: 94 },
        { gpuCount: 1, share: 0.27, jobs: 4 },
        { gpuCount: 1, share: 0.29, jobs: 1 },
        { gpuCount: 1, share: 0.32, jobs: 288 },
        { gpuCount: 1, share: 0.33, jobs: 7 },
        { gpuCount: 1, share: 0.35, jobs: 5 },
        { gpuCount: 1, share: 0.37, jobs: 46 },
        { gpuCount: 1, share: 0.44, jobs: 2 },
        { gpuCount: 1, share: 0.46, jobs: 128 },
        { gpuCount: 1, share: 0.47, jobs: 455 },
        { gpuCount: 1, share: 0.48, jobs: 19 },
        { gpuCount: 1, share: 0.55, jobs: 71 },
        { gpuCount: 1, share: 0.59, jobs: 62 },
        { gpuCount: 1, share: 0.65, jobs: 218 },
        { gpuCount: 1, share: 0.81, jobs: 1017 },
      ],
      durations: {
        parts: FINE_PARTS,
        meanS: 21293.6199,
        durationsS: [
          4, 14, 25, 35, 47, 55, 65, 74, 89, 103, 124, 144, 154, 173, 200, 222, 247, 289, 339, 387,
          464, 539, 596, 720, 810, 928, 947, 1048, 1157, 1286, 1496, 1858, 2368, 2879, 3661, 4702,
          6486, 9235, 12549, 20410, 40513, 77910, 235236, 12475899,
        ],
      },
    },
    {
      sizes: [{ gpuCount: 1, share: 1, jobs: 3556 }],
      durations: {
        parts: FINE_PARTS,
        meanS: 37224.6687,
        durationsS: [
          5, 33, 45, 55, 66, 80, 107, 131, 154, 177, 197, 208, 224, 251, 286, 323, 379, 459, 531,
          580, 661, 756, 842, 951, 1082, 1210, 1344, 1499, 1698, 1974, 2160, 2460, 2941, 3536, 3879,
          4148, 4663, 6030, 8324, 13278, 37123, 243803, 2281963, 12537496,
        ],
      },
    },
    {
      sizes: [
        { gpuCount: 2, share: 1, jobs: 15 },
        { gpuCount: 4, share: 1, jobs: 15 },
        { gpuCount: 8, share: 1, jobs: 44 },
      ],
      durations: {
        // The last but one would leave the mean out of reach.
        parts: COARSE_PARTS.toSpliced(-2, 1),
        meanS: 56895.5541,
        durationsS: [
          22, 36, 40, 117, 140, 171, 259, 443, 497, 542, 573, 952, 1707, 2710, 3599, 6710, 17759,
          27368, 68494, 209987, 1332357,
        ],
      },
    },
  ],
};
