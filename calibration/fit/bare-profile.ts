import type { WorkloadProfile } from '../../sim/gpu/profile.ts';

/** What a fit of shares says of a workload on a GPU type. */
type FittedTerms = Pick<
  WorkloadProfile,
  'workload' | 'gpuType' | 'time' | 'power' | 'bandwidthDemand' | 'interference'
>;

/** A profile of fitted terms alone: nothing costs time, memory is free, the cap acts on the mean. */
export function bareProfile(fitted: FittedTerms): WorkloadProfile {
  return {
    ...fitted,
    capFraction: 1,
    memoryGib: 0,
    smDemand: 1,
    startS: 0,
    restartS: 0,
    checkpointS: 0,
    scaling: { withinNode: 1, acrossNodes: 1 },
    provenance: {},
    fitError: null,
  };
}
