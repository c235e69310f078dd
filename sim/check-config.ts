import type { JobSpec } from './job.ts';
import type { SimulationOptions } from './options.ts';

/** Checks values of jobs, and their order. @throws {RangeError} naming the job and the value */
export function checkJobs(jobs: readonly JobSpec[]): void {
  let beforeS = -Infinity;
  for (const job of jobs) {
    const fail = (rule: string): never => {
      throw new RangeError(`job '${job.id}': ${rule}`);
    };
    if (!(job.submitS >= 0 && job.submitS < Infinity)) fail(`submitS is ${job.submitS}`);
    if (job.submitS < beforeS) fail('jobs are not in order of submission');
    if (!(job.durationS >= 0 && job.durationS < Infinity)) fail(`durationS is ${job.durationS}`);
    if (!Number.isInteger(job.gpuCount) || job.gpuCount < 1) fail(`gpuCount is ${job.gpuCount}`);
    checkGangSizes(job, fail);
    if (!(job.share > 0 && job.share <= 1)) fail(`share is ${job.share}, expected (0, 1]`);
    if (job.memoryGib !== null && !(job.memoryGib >= 0)) fail(`memoryGib is ${job.memoryGib}`);
    beforeS = job.submitS;
  }
}

function checkGangSizes(job: JobSpec, fail: (rule: string) => never): void {
  const { gpuCount, minGpus, maxGpus } = job;
  if (!Number.isInteger(minGpus) || minGpus < 1 || minGpus > gpuCount) {
    fail(`minGpus is ${minGpus}, expected a whole number from 1 to gpuCount ${gpuCount}`);
  }
  if (!Number.isInteger(maxGpus) || maxGpus < gpuCount) {
    fail(`maxGpus is ${maxGpus}, expected a whole number >= gpuCount ${gpuCount}`);
  }
}

/** Checks that time will go forwards and energies will not be negative. @throws {RangeError} */
export function checkOptions(options: SimulationOptions): void {
  const { costs, failures, switchingLoss } = options;
  for (const [name, cost] of Object.entries(costs)) {
    if (cost !== 'profile') mustBe(cost >= 0, `costs.${name}`, cost, 'a number >= 0');
  }
  for (const name of ['gpuMtbfS', 'nodeMtbfS', 'clientMtbfS'] as const) {
    mustBe(failures[name] > 0, `failures.${name}`, failures[name], 'a number > 0');
  }
  for (const name of ['gpuRepairS', 'nodeRepairS', 'maxFailures'] as const) {
    mustBe(failures[name] >= 0, `failures.${name}`, failures[name], 'a number >= 0');
  }
  for (const name of ['contextHoldS', 'hostPowerW'] as const) {
    mustBe(options[name] >= 0, name, options[name], 'a number >= 0');
  }
  const { checkpointIntervalS } = options;
  mustBe(checkpointIntervalS > 0, 'checkpointIntervalS', checkpointIntervalS, 'a number > 0');
  mustBe(switchingLoss >= 0 && switchingLoss < 1, 'switchingLoss', switchingLoss, '[0, 1)');
}

function mustBe(holds: boolean, name: string, value: number, expected: string): void {
  if (!holds) throw new RangeError(`${name} is ${value}, expected ${expected}`);
}
