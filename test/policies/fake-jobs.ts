import type { JobState } from '../../sim/job.ts';
import type { JobView } from '../../sim/job-view.ts';

/** A job view of plain fields, for tests of parts that only read it. */
export type FakeJob = { -readonly [K in keyof JobView]: JobView[K] };

export function fakeJob(index: number, over: Partial<FakeJob> = {}): FakeJob {
  const state: JobState = 'queued';
  return {
    index,
    id: String(index),
    submitS: index,
    workload: 'flat',
    referenceGpu: 'flat',
    gpuCount: 1,
    minGpus: over.gpuCount ?? 1,
    maxGpus: over.gpuCount ?? 1,
    share: 1,
    deadlineS: null,
    maxSlowdown: null,
    priority: null,
    user: null,
    virtualCluster: null,
    types: [0],
    memoryGib: () => 1,
    state,
    gpus: [],
    attainedS: 0,
    waitingS: 0,
    preemptions: 0,
    hasStarted: false,
    durationS: 100,
    remainingS: 100,
    ...over,
  };
}
