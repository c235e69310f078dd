import { PLACEMENT_OPTIONS, placementParts } from '../common-options.ts';
import { compose } from '../compose.ts';
import type { PolicyDefinition } from '../policy.ts';
import { SLO_OPTION, Tenants } from '../sharing/tenants.ts';
import { numberList } from '../tiresias-queues.ts';
import { gpulets, highestRequired } from './gpulets.ts';
import { GpuletSizes } from './sizes.ts';

/** Two gpu-lets a GPU. */
export const gpuletsDefinition: PolicyDefinition = {
  name: 'gpulets',
  title:
    'strictest objective first, skipping; a GPU is split in at most two parts: the knee of the speed over the share, or the least that keeps the objective, and the rest, which goes to the job that it fits best',
  source:
    'gpu-lets (Choi et al., USENIX ATC 2022, arXiv 2109.01611); casys-kaist/glet @3c1c2aa. Interference is what the predictor says; jobs have no request rate, so that there is no batch to choose and none is spread over several gpu-lets; gpu-lets are not shared in time',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules; hand-worked knees',
  duration: 'none',
  profile: 'pairs',
  options: [
    SLO_OPTION,
    {
      name: 'shares',
      default: '20,40,60,80,100',
      description: 'sizes into which a GPU is split, in percent, 100 among them',
      source: 'released configuration (Avail_Parts)',
    },
    {
      name: 'latencyRatio',
      default: 1.1,
      min: 1,
      max: 10,
      description:
        'margin of the predicted step times: they are taken times this; a job on its knee may lose as much to company',
      source: 'released configuration (Latency Ratio); what a job on its knee may lose is assumed',
    },
    ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
  ],
  create(options, context) {
    const percents = [...new Set(numberList(String(options.shares)))].sort((a, b) => a - b);
    const areShares = percents.every((percent) => Number.isInteger(percent) && percent >= 1);
    if (!areShares || percents.at(-1) !== 100) {
      throw new RangeError(
        `policy 'gpulets': option 'shares' is '${options.shares}', expected whole numbers from 1 to 100 with commas between, the largest 100`,
      );
    }
    const tenants = new Tenants(Number(options.slo));
    const sizes = new GpuletSizes({
      predictor: context.predictor,
      percents,
      latencyRatio: Number(options.latencyRatio),
    });
    return compose({
      name: 'gpulets',
      walk: 'fit-first',
      order: highestRequired(tenants),
      sharing: gpulets(tenants, sizes),
      ...placementParts({ ...options, clock: 1 }, context),
    });
  },
};
