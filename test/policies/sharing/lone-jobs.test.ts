import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LoneJobs } from '../../../policies/sharing/lone-jobs.ts';
import { mayJoin } from '../../../policies/sharing/lucid-rule.ts';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import type { JobView } from '../../../sim/job-view.ts';
import type { View } from '../../../sim/view.ts';
import { clusterOf, flatGpu, profileSet } from '../../support/flat.ts';
import { type FakeJob, fakeJob } from '../fake-jobs.ts';

const profiles = profileSet([flatGpu(), flatGpu({ name: 'single', mpsClientLimit: 1 })], []);
const groups = [
  { gpusPerNode: 2, nodes: 3 },
  { gpuType: 'single', gpusPerNode: 2 },
];

/** Jobs take memory and score from their workload, and priority from their duration. */
const packableOn = ({ gpuCount, workload, durationS }: JobView) => ({
  gpuCount,
  memory: workload === 'large' ? 9 : 4,
  score: workload === 'large' ? 2 : 0,
  priority: durationS * gpuCount,
});

describe('policies/sharing/lone-jobs', () => {
  it('finds the job that a scan of the running jobs finds, whatever comes and goes', () => {
    const arrival = fc.record({
      gpuCount: fc.constantFrom(1, 1, 2),
      workload: fc.constantFrom('small', 'large'),
      durationS: fc.integer({ min: 1, max: 40 }),
      leaves: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
        const cluster = new Cluster(clusterOf(...groups), profiles);
        const jobs: FakeJob[] = [];
        const running: FakeJob[] = [];
        const view = { cluster, job: (index: number) => jobs[index] } as unknown as View;
        const lone = new LoneJobs(packableOn);
        const isAlone = ({ gpus }: FakeJob) => cluster.residents[gpus[0] as number]?.length === 1;

        for (const { gpuCount, workload, durationS, leaves } of arrivals) {
          const job = fakeJob(jobs.length, { gpuCount, workload, durationS, types: [0, 1] });
          jobs.push(job);
          const scanned = running.find((other) => {
            const type = cluster.typeOf(other.gpus[0] as number);
            const joins = mayJoin(packableOn(job), packableOn(other), 16);
            return type === 0 && isAlone(other) && joins;
          });
          const host = lone.hostFor(view, job);
          assert.equal(host, scanned ?? null);
          const node = [0, 1]
            .map((type) => cluster.bestFitNode(type, gpuCount))
            .find((n) => n >= 0);
          const free = (node ?? -1) < 0 ? [] : freeOf(cluster, node as number, gpuCount);
          const gpus = host?.gpus ?? free;
          if (gpus.length === gpuCount) {
            job.gpus = gpus;
            for (const gpu of gpus) cluster.addResident(gpu, job.index, 1, 1);
            running.push(job);
            lone.started(view, job);
          }
          if (leaves % 2 === 0 || running.length === 0) continue;
          const [gone] = running.splice(leaves % running.length, 1) as [FakeJob];
          for (const gpu of gone.gpus) cluster.removeResident(gpu, gone.index, 1);
          lone.left(view, gone);
        }
        lone.left(view, fakeJob(999));
      }),
    );
  });
});

function freeOf(cluster: Cluster, node: number, count: number): number[] {
  const first = cluster.firstGpu(node);
  const all = Array.from({ length: cluster.gpusInNode(node) }, (_, i) => first + i);
  return all.filter((gpu) => cluster.isFree(gpu)).slice(0, count);
}
