import { COARSE_PARTS, FINE_PARTS } from './quantile-law.ts';
import type { SizeClass } from './size-class.ts';

/** What the generator knows of Philly. */
export interface PhillyStatistics {
  readonly jobs: number;
  readonly spanS: number;
  readonly meanDurationS: number;
  readonly gpuHours: number;
  /** The first submission, in seconds after Monday 00:00 on its clock. */
  readonly clockStartS: number;
  /** Submissions by hour of the day, and by day of the week from Monday, on the same clock. */
  readonly hours: readonly number[];
  readonly days: readonly number[];
  /** Jobs by gang size, and their run times. */
  readonly classes: readonly SizeClass[];
}

/**
 * Statistics of the Microsoft Philly trace (Jeon et al., ATC 2019) as Pollux cut it: 82,247 jobs with a
 * usable run time (petuum/adaptdl, branch osdi21-artifact, simulator/traces/philly.csv; CC BY 4.0).
 * Counted and ranked in that file; the generator knows nothing else of the trace.
 */
export const PHILLY: PhillyStatistics = {
  jobs: 82_247,
  /** 2017-09-04 10:30:41 to 2017-12-22 08:02:11, first and last submission by the clock on the wall. */
  spanS: 9_408_690,
  meanDurationS: 13_135.9314,
  gpuHours: 978_078.5,
  /** A Monday, 10:30:41, US Pacific time. */
  clockStartS: 37_841,
  hours: [
    4367, 3374, 3835, 3780, 2400, 3950, 5732, 7159, 3802, 3447, 3510, 2979, 2567, 2415, 2185, 2224,
    3021, 2289, 2744, 2496, 3483, 3142, 3885, 3461,
  ],
  days: [10136, 12528, 13370, 15114, 16954, 7157, 6988],
  classes: [
    {
      sizes: [{ gpuCount: 1, share: 1, jobs: 76627 }],
      durations: {
        parts: FINE_PARTS,
        meanS: 8301.0432,
        durationsS: [
          1, 30, 44, 52, 58, 62, 66, 69, 72, 76, 87, 122, 171, 215, 302, 385, 527, 600, 714, 855,
          959, 1117, 1278, 1446, 1542, 1728, 1915, 2054, 2278, 2464, 2583, 2716, 3137, 3754, 4349,
          5342, 5911, 8512, 11166, 19137, 55536, 135404, 266986, 3256045,
        ],
      },
    },
    {
      sizes: [{ gpuCount: 2, share: 1, jobs: 1818 }],
      durations: {
        parts: COARSE_PARTS,
        meanS: 30942.0352,
        durationsS: [
          2, 9, 11, 13, 15, 16, 17, 18, 19, 20, 21, 23, 25, 28, 33, 76, 150, 22366, 73625, 197392,
          343945, 2582803,
        ],
      },
    },
    {
      sizes: [{ gpuCount: 4, share: 1, jobs: 1870 }],
      durations: {
        parts: COARSE_PARTS,
        meanS: 78762.0449,
        durationsS: [
          3, 75, 136, 179, 400, 772, 1695, 4456, 7457, 13082, 17388, 26253, 36253, 56900, 78636,
          89422, 106275, 151663, 184426, 274339, 536225, 2750674,
        ],
      },
    },
    {
      sizes: [{ gpuCount: 8, share: 1, jobs: 1643 }],
      durations: {
        parts: COARSE_PARTS,
        meanS: 129774.871,
        durationsS: [
          1, 125, 216, 463, 783, 1871, 3940, 7268, 12390, 16653, 23683, 36588, 64753, 105906,
          140815, 173288, 203140, 242280, 352409, 525631, 807057, 4628226,
        ],
      },
    },
    {
      sizes: [
        { gpuCount: 12, share: 1, jobs: 7 },
        { gpuCount: 16, share: 1, jobs: 199 },
        { gpuCount: 24, share: 1, jobs: 7 },
        { gpuCount: 32, share: 1, jobs: 67 },
        { gpuCount: 64, share: 1, jobs: 6 },
        { gpuCount: 128, share: 1, jobs: 3 },
      ],
      durations: {
        parts: COARSE_PARTS,
        meanS: 95325.7958,
        durationsS: [
          1, 35, 69, 210, 345, 566, 880, 1571, 3165, 8846, 21137, 45047, 53862, 58735, 73728,
          104218, 159985, 181596, 252560, 446126, 622377, 1710643,
        ],
      },
    },
  ],
};
