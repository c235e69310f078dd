import { randomExponential } from 'd3-random';
import type { JobSpec } from '../../sim/job.ts';
import { randomStream } from '../../sim/random.ts';
import { checkCount, checkPositive } from './check.ts';
import { type ServiceLaw, serviceTime } from './service-law.ts';

export interface QueueOptions {
  readonly arrivalRatePerS: number;
  readonly service: ServiceLaw;
  readonly jobs: number;
  readonly seed: number | string;
  readonly workload: string;
  readonly referenceGpu?: string;
  readonly gpuCount?: number;
}

/**
 * Jobs of a textbook queue: Poisson arrivals, independent run times, one workload. For tests against
 * queueing theory (M/M/c, M/D/1, M/G/1). Time 0 is when the source starts, not the first arrival.
 */
export function synthQueue(options: QueueOptions): JobSpec[] {
  const { arrivalRatePerS, service, jobs, seed, workload } = options;
  const { referenceGpu = 'V100', gpuCount = 1 } = options;
  checkCount('jobs', jobs);
  checkCount('gpuCount', gpuCount);
  checkPositive('arrivalRatePerS', arrivalRatePerS);
  const gapS = randomExponential.source(randomStream(seed, 'synth/queue/arrival'))(arrivalRatePerS);
  const durationS = serviceTime(service, randomStream(seed, 'synth/queue/service'));
  const width = String(jobs).length;
  let submitS = 0;
  return Array.from({ length: jobs }, (_, index) => {
    submitS += gapS();
    return {
      id: `queue-${String(index + 1).padStart(width, '0')}`,
      submitS,
      workload,
      durationS: durationS(),
      referenceGpu,
      gpuCount,
      minGpus: gpuCount,
      maxGpus: gpuCount,
      share: 1,
      memoryGib: null,
      gpuTypes: [],
      deadlineS: null,
      maxSlowdown: null,
      priority: null,
      user: null,
      virtualCluster: null,
    };
  });
}
