import type { JobView } from '../sim/job-view.ts';
import { PLACEMENT_OPTIONS, placementParts, typeOrder } from './common-options.ts';
import { compose } from './compose.ts';
import type { OptionValues, PolicyContext, PolicyDefinition, PolicyOption } from './policy.ts';
import { memoryFit } from './sharing/memory-fit.ts';
import { maxPerGpuOf, RESIDENT_OPTIONS } from './sharing/mps-options.ts';

const SALUS_OPTIONS: readonly PolicyOption[] = RESIDENT_OPTIONS.map((option) =>
  option.name === 'maxPerGpu'
    ? {
        ...option,
        default: 48,
        description: 'largest number of jobs on a GPU; memory is the bound that Salus knows',
        source: 'Salus has none; an MPS server takes 48 clients',
      }
    : option,
);

const MODE: PolicyOption = {
  name: 'mode',
  default: 'mps',
  choices: ['mps', 'time-slice'],
  description: 'kernels of all residents at once, or one resident at a time in equal parts',
  source: 'Salus runs the kernels of all sessions from one process',
};

/** Weight of a job that takes this much memory, in GiB, or less, is 1. */
const SMALLEST_GIB = 0.01;

/** Equal products of memory and time: time in inverse proportion to memory. */
function inverseMemory(job: JobView, type: number): number {
  return Math.min(1, SMALLEST_GIB / job.memoryGib(type));
}

const ADMISSION =
  'memory is the whole footprint of a job, persistent and ephemeral, as none is over-committed; Salus counts the largest ephemeral part once';

function create(
  name: string,
  mode: 'mps' | 'time-slice',
  share: (job: JobView, type: number) => number,
  options: OptionValues,
  context: PolicyContext,
) {
  return compose({
    name,
    walk: 'fit-first',
    sharing: memoryFit({
      name,
      mode,
      maxPerGpu: maxPerGpuOf(name, options),
      share,
      packs: options.fill !== 'spread',
      types: typeOrder(options, context),
    }),
    ...placementParts(options, context),
  });
}

/** Salus PACK: all that fits into memory runs. */
export const salusPackDefinition: PolicyDefinition = {
  name: 'salus-pack',
  title: 'in order of submission, skipping; jobs share a GPU as long as memory fits, all at once',
  source: `Salus (Yu and Chowdhury, MLSys 2020), PACK as released, as processor sharing; ${ADMISSION}`,
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [...SALUS_OPTIONS, MODE, ...PLACEMENT_OPTIONS],
  create: (options, context) =>
    create(
      'salus-pack',
      options.mode === 'time-slice' ? 'time-slice' : 'mps',
      () => 1,
      options,
      context,
    ),
};

/**
 * Salus FAIR: of the residents, the one with the least product of memory and time runs an iteration. The
 * counters start anew when a job joins, so between two changes each gets time in inverse proportion to
 * its memory: that limit is what runs here, as weights of time slices. A resident that waits for its host
 * leaves the GPU to nobody (the work-conserving variant is not modelled).
 */
export const salusFairDefinition: PolicyDefinition = {
  name: 'salus-fair',
  title:
    'in order of submission, skipping; jobs share a GPU as long as memory fits, one at a time, for equal products of memory and time',
  source: `Salus (Yu and Chowdhury, MLSys 2020), FAIR as released, in the limit of short iterations; ${ADMISSION}`,
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [...SALUS_OPTIONS, ...PLACEMENT_OPTIONS],
  create: (options, context) => create('salus-fair', 'time-slice', inverseMemory, options, context),
};
