import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Company, TenantSeats } from '../../../policies/sharing/tenant-seats.ts';
import { Tenants } from '../../../policies/sharing/tenants.ts';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import { clusterOf, flatGpu, profileSet } from '../../support/flat.ts';
import { type FakeJob, fakeJob } from '../fake-jobs.ts';

const profiles = profileSet(
  [flatGpu({ mpsClientLimit: 3 }), flatGpu({ name: 'single', mpsClientLimit: 1 })],
  [],
);
const groups = [{ gpusPerNode: 4 }, { gpuType: 'single', gpusPerNode: 2 }];
const WHOLE = 10;
const FREE = 6;

/** Of whole numbers, so that costs are often equal; a loud one is joined by no soft one. */
function cost({ members, used }: Company, workload: string, steps: number): number {
  if (used + steps > WHOLE) return Infinity;
  const isLoud = members.some(({ tenant }) => tenant.workload === 'loud');
  if (workload === 'soft' && isLoud) return Infinity;
  return members.length * 2 + (isLoud ? 1 : 0);
}

const arrival = fc.record({
  workload: fc.constantFrom('soft', 'loud', 'flat'),
  bound: fc.constantFrom(1, 2, 4),
  memoryGib: fc.constantFrom(2, 6, 9),
  types: fc.constantFrom<number[]>([0], [1], [0, 1]),
  leaves: fc.nat(),
  retries: fc.nat(),
  changes: fc.nat(),
});

describe('policies/sharing/tenant-seats', () => {
  it('finds the GPU that a scan of all GPUs finds, whatever comes, goes and changes', () => {
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 80 }), (arrivals) => {
        const cluster = new Cluster(clusterOf(...groups), profiles);
        const tenants = new Tenants(2);
        const stepsOf = ({ maxSlowdown }: FakeJob): number => 5 - (maxSlowdown ?? 1);
        const seats = new TenantSeats(cluster, (company, { workload, objective }) => ({
          cost: cost(company, workload, 5 - objective),
        }));
        /** Who sits where, in steps, by job. */
        const naive = new Map<number, { job: FakeJob; gpu: number; steps: number }>();
        const waiting: FakeJob[] = [];
        const on = (gpu: number) => [...naive.values()].filter((one) => one.gpu === gpu);

        const scanned = (job: FakeJob): number => {
          let best = -1;
          let least = Infinity;
          for (let gpu = 0; gpu < cluster.gpuCount; gpu += 1) {
            const type = cluster.typeOf(gpu);
            const there = on(gpu);
            if (there.length === 0 || there.length >= (type === 0 ? 3 : 1)) continue;
            if (!job.types.includes(type) || cluster.freeMemoryGib(gpu) < job.memoryGib(type)) {
              continue;
            }
            const members = there.map(({ job: one, steps }) => ({
              tenant: tenants.of(one),
              steps,
            }));
            const used = members.reduce((sum, { steps }) => sum + steps, 0);
            const found = cost({ type, members, used }, job.workload, stepsOf(job));
            if (found < least) [best, least] = [gpu, found];
          }
          return best;
        };
        const start = (job: FakeJob, gpu: number): void => {
          cluster.addResident(gpu, job.index, 0.1, job.memoryGib(0));
          naive.set(job.index, { job, gpu, steps: stepsOf(job) });
          seats.enter(job.index, tenants.of(job), gpu, stepsOf(job));
        };
        const serve = (job: FakeJob): boolean => {
          const gpu = seats.find(job, tenants.of(job));
          assert.equal(gpu, scanned(job));
          if (gpu >= 0) start(job, gpu);
          return gpu >= 0;
        };

        arrivals.forEach(({ workload, bound, memoryGib, types, leaves, retries, changes }, i) => {
          const job = fakeJob(i, {
            workload,
            maxSlowdown: bound,
            types,
            memoryGib: () => memoryGib,
          });
          const free = Array.from({ length: FREE }, (_, gpu) => gpu).find(
            (gpu) => on(gpu).length === 0 && types.includes(cluster.typeOf(gpu)),
          );
          if (!serve(job)) {
            if (free === undefined) waiting.push(job);
            else start(job, free);
          }
          const seated = [...naive.values()];
          const gone = leaves % 3 === 0 ? seated[leaves % Math.max(1, seated.length)] : undefined;
          if (gone !== undefined) {
            naive.delete(gone.job.index);
            cluster.removeResident(gone.gpu, gone.job.index, gone.job.memoryGib(0));
            seats.leave(gone.job.index);
          }
          const gpu = changes % FREE;
          if (changes % 2 === 0 && on(gpu).length > 0) {
            const jobs = seats.jobsOn(gpu);
            seats.change(
              gpu,
              jobs.map((_, k) => k + 1),
            );
            jobs.forEach((one, k) => {
              const entry = naive.get(one);
              if (entry !== undefined) entry.steps = k + 1;
            });
          }
          const again = waiting[retries % Math.max(1, waiting.length)];
          if (again !== undefined && serve(again)) waiting.splice(waiting.indexOf(again), 1);
          for (const { job: one, gpu: where, steps } of naive.values()) {
            assert.equal(seats.stepsOf(one.index), steps);
            assert.equal(
              seats.used(where),
              on(where).reduce((sum, entry) => sum + entry.steps, 0),
            );
          }
        });
        seats.leave(999);
      }),
      { numRuns: 300 },
    );
  });

  it('judges GPUs of equal residents once, and those that have not changed no more', () => {
    const cluster = new Cluster(clusterOf({ gpusPerNode: 100 }), profiles);
    const tenants = new Tenants(2);
    let judged = 0;
    const seats = new TenantSeats(cluster, () => {
      judged += 1;
      return { cost: Infinity };
    });
    const start = (index: number, workload: string): void => {
      seats.enter(index, tenants.of(fakeJob(index, { workload })), index, 5);
    };
    for (let gpu = 0; gpu < 90; gpu += 1) start(gpu, gpu % 2 === 0 ? 'soft' : 'loud');
    const job = fakeJob(100);
    for (let ask = 0; ask < 5; ask += 1) assert.equal(seats.find(job, tenants.of(job)), -1);
    assert.equal(judged, 2);
    start(90, 'loud');
    start(91, 'flat');
    assert.equal(seats.find(job, tenants.of(job)), -1);
    assert.equal(judged, 3);
    assert.equal(seats.verdict(99, tenants.of(job)), null);
  });

  it('takes the lowest of equally good GPUs that has the memory', () => {
    const cluster = new Cluster(clusterOf({ gpusPerNode: 4 }), profiles);
    const tenants = new Tenants(2);
    const seats = new TenantSeats(cluster, () => ({ cost: 1 }));
    const job = fakeJob(9, { memoryGib: () => 8 });
    for (const [index, gib] of [12, 8, 4].entries()) {
      cluster.addResident(index, index, 0.5, gib);
      seats.enter(index, tenants.of(fakeJob(index)), index, 5);
    }
    assert.equal(seats.find(job, tenants.of(job)), 1);
    cluster.setGpuWorks(1, false);
    assert.equal(seats.find(job, tenants.of(job)), 2);
  });
});
