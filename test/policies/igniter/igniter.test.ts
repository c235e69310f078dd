import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  IGNITER_EXAMPLE,
  IGNITER_MODELS,
  IGNITER_V100,
  type IgniterPlacement,
  type IgniterWorkload,
  predictLatencies,
  provision,
} from '../../../calibration/literature/igniter.ts';
import { type Provision, Provisioner } from '../../../policies/igniter/provision.ts';
import { makePredictor, type Predictor } from '../../../policies/predictor.ts';
import { TenantSeats } from '../../../policies/sharing/tenant-seats.ts';
import type { Tenant } from '../../../policies/sharing/tenants.ts';
import { Cluster } from '../../../sim/cluster/cluster.ts';
import { randomStream } from '../../../sim/random.ts';
import type { SimulationConfig } from '../../../sim/simulate.ts';
import { close } from '../../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { fakeJob } from '../fake-jobs.ts';
import { job, policyOn, rowsById, run, schedule } from '../schedule.ts';

/**
 * `flat` is slowed to 1 / share, `soft` too and by a quarter beside one `loud`; alone a bound of 4 takes a
 * share of 0.25, 10 units of 2.5 %, and beside one loud 1.25 / 4 = 0.3125, 13 units.
 */
const profiles = profileSet(
  [flatGpu()],
  [
    flatProfile(),
    flatProfile({ workload: 'soft', interference: { sensitivity: 1, aggressiveness: 0.25 } }),
    flatProfile({ workload: 'loud', interference: { sensitivity: 0, aggressiveness: 0.25 } }),
  ],
);

const on = (jobs: SimulationConfig['jobs'], gpus: number, restart = 0) =>
  worldOf({
    jobs,
    profiles,
    cluster: clusterOf({ gpusPerNode: gpus }),
    options: { costs: { start: 0, checkpoint: 0, restart } },
  });

describe('igniter', () => {
  it('gives each job the least share that keeps its objective, where fifo runs one after the other', () => {
    // Shares of 1/4, 1/2 and 1/4 fill the GPU: 400, 200 and 400 s.
    const world = on(
      [
        job('a', 0, 1, 100, { maxSlowdown: 4 }),
        job('b', 0, 1, 100, { maxSlowdown: 2 }),
        job('c', 0, 1, 100, { maxSlowdown: 4 }),
      ],
      1,
    );
    assert.deepEqual(schedule(run(world, 'igniter')), { a: [0, 400], b: [0, 200], c: [0, 400] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [100, 200], c: [200, 300] });
  });

  it('serves the largest least share first and skips what does not fit', () => {
    // b needs 0.8, a 0.25 and c 0.2: c fits beside b, a waits for its end at 100 / 0.8.
    const world = on(
      [
        job('a', 0, 1, 100, { maxSlowdown: 4 }),
        job('b', 0, 1, 100, { maxSlowdown: 1.25 }),
        job('c', 0, 1, 100, { maxSlowdown: 5 }),
      ],
      1,
    );
    assert.deepEqual(schedule(run(world, 'igniter')), { a: [125, 525], b: [0, 125], c: [0, 500] });
  });

  it('goes by the option where a job states no bound, and gives gangs whole GPUs', () => {
    const world = on([job('a', 0, 1, 100), job('b', 1, 1, 100), job('c', 2, 2, 10)], 4);
    const rows = rowsById(run(world, 'igniter', { slo: 2 }));
    assert.deepEqual([rows.a?.endS, rows.b?.endS, rows.c?.endS], [200, 201, 12]);
    // 2/3 of a GPU, rounded up to 27 units: nobody fits beside.
    const usual = rowsById(run(world, 'igniter'));
    assert.deepEqual([usual.a?.gpus, usual.b?.gpus], [[0], [1]]);
    close(usual.a?.endS ?? NaN, 100 / 0.675);
  });

  it('takes the whole GPU where nothing keeps the objective', () => {
    const weak = profileSet(
      [flatGpu({ powerLimitW: { min: 60, default: 175, max: 1000 } })],
      [flatProfile()],
    );
    // At 175 W the clock falls to a half: 2 s a step, whatever is asked.
    const world = worldOf({ jobs: [job('a', 0, 1, 100, { maxSlowdown: 1.5 })], profiles: weak });
    close(rowsById(run(world, 'igniter')).a?.endS ?? NaN, 200, 1e-6);
  });

  it('raises the shares of all that would be late and restarts those that run', () => {
    const jobs = [
      job('a', 0, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
      job('b', 10, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
    ];
    const result = run(on(jobs, 1, 5), 'igniter');
    // Both get 0.325. a: 2.5 s of work by 10, restarts until 15, then 0.325 / 1.25 = 0.26 a second.
    const a = 15 + 97.5 / 0.26;
    // b: 5 x 0.325 alone, 0.26 a second beside a, which is done first, 0.325 alone again.
    const b = a + (100 - 5 * 0.325 - (a - 15) * 0.26) / 0.325;
    const rows = rowsById(result);
    close(rows.a?.endS ?? NaN, a);
    close(rows.b?.endS ?? NaN, b);
    assert.equal(result.summary.restarts, 1);
  });

  it('restarts nobody with start-only, and joins nobody who would be late', () => {
    const jobs = [
      job('a', 0, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
      job('b', 10, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
      // Its own share can be raised: 13 units beside a loud one, which nothing slows.
      job('c', 500, 1, 100, { workload: 'loud', maxSlowdown: 4 }),
      job('d', 900, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
    ];
    const result = run(on(jobs, 1), 'igniter', { adjust: 'start-only' });
    assert.equal(result.summary.restarts, 0);
    const rows = rowsById(result);
    // c waits until b is done, at 800; d finds it until 1200, then has its 0.325 alone.
    assert.deepEqual([rows.a?.endS, rows.b?.startS, rows.b?.endS], [400, 400, 800]);
    assert.deepEqual([rows.c?.startS, rows.c?.endS, rows.d?.startS], [800, 1200, 900]);
    close(rows.d?.endS ?? NaN, 1200 + (100 - (300 * 0.325) / 1.25) / 0.325);
  });

  it('joins the GPU on which all shares together grow least', () => {
    // Beside loud on GPU 0 soft takes 13 units, beside flat on GPU 1 only 10.
    const jobs = [
      job('a', 0, 1, 100, { workload: 'loud', maxSlowdown: 2 }),
      job('b', 1, 1, 100, { maxSlowdown: 1.5 }),
      job('c', 2, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
    ];
    const rows = rowsById(run(on(jobs, 2), 'igniter'));
    assert.deepEqual([rows.a?.gpus, rows.b?.gpus, rows.c?.gpus], [[0], [1], [1]]);
  });

  it('gives a restarting client its new share when it runs', () => {
    // Both start until 20 and want 13 units then; a still has 10 and restarts at 20.
    const world = worldOf({
      jobs: [
        job('a', 0, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
        job('b', 10, 1, 100, { workload: 'soft', maxSlowdown: 4 }),
      ],
      profiles,
      options: { costs: { start: 20, checkpoint: 0, restart: 5 } },
    });
    const result = run(world, 'igniter');
    assert.equal(result.summary.restarts, 1);
    // a runs from 25 on, b from 30: 5 x 0.325, then 0.26 a second.
    close(rowsById(result).a?.endS ?? NaN, 30 + (100 - 5 * 0.325) / 0.26);
  });

  it('refuses a unit that does not make the whole GPU', () => {
    assert.throws(
      () => policyOn(worldOf({}), 'igniter', { unit: 0.03 }),
      /policy 'igniter': option 'unit' is 0.03, expected one over a whole number/,
    );
  });
});

/** A predictor with iGniter's own latencies: a workload is an index, a step alone counts as 1 ms. */
function igniterPredictor(workloads: readonly IgniterWorkload[]): Predictor {
  const names = workloads.map((_, i) => String(i));
  const profiles = profileSet(
    [flatGpu()],
    names.map((workload) => flatProfile({ workload })),
  );
  const inner = makePredictor({
    profiles,
    types: profiles.gpuTypes,
    information: 'all',
    noise: 0,
    random: randomStream(1, 'test'),
  });
  const batches = workloads.map(batchOf);
  return {
    types: inner.types,
    profile: (workload, type) => inner.profile(workload, type),
    speed: (view, type) => inner.speed(view, type),
    gangSpeed: (view, type, gpus, nodes) => inner.gangSpeed(view, type, gpus, nodes),
    evaluate: (type, residents) => {
      const placements = residents.map(({ profile, share }) => {
        const i = Number(profile.workload);
        const workload = workloads[i] as IgniterWorkload;
        return { workload, batch: batches[i] as number, share: share * 100 };
      });
      return {
        ...inner.evaluate(type, residents),
        stepS: predictLatencies(placements, IGNITER_V100),
      };
    },
  };
}

/** The batch that covers the rate within half of the objective. */
function batchOf({ model, ratePerS, sloMs }: IgniterWorkload): number {
  const perMs = ratePerS / 1000;
  const { bytesPerMs } = IGNITER_V100;
  return Math.ceil(((sloMs / 2) * perMs * bytesPerMs) / (bytesPerMs + model.inputBytes * perMs));
}

/** Shares in percent by GPU, sorted, of our rule on iGniter's latencies. */
function ours(workloads: readonly IgniterWorkload[]): number[][] {
  const gpuTypes = [flatGpu()];
  const cluster = new Cluster(
    clusterOf({ gpusPerNode: workloads.length }),
    profileSet(gpuTypes, []),
  );
  const predictor = igniterPredictor(workloads);
  const provisioner = new Provisioner({ predictor, wholeUnits: 40, raisesMembers: true });
  const seats = new TenantSeats<Provision>(cluster, (company, newcomer) =>
    provisioner.join(company, newcomer),
  );
  const tenants = workloads.map(
    ({ sloMs }, id): Tenant => ({ id, workload: String(id), objective: sloMs / 2, isStated: true }),
  );
  const queue = [...tenants].sort((a, b) => provisioner.least(0, b) - provisioner.least(0, a));
  let opened = 0;
  for (const tenant of queue) {
    const gpu = seats.find(fakeJob(tenant.id), tenant);
    const joined = gpu < 0 ? null : seats.verdict(gpu, tenant);
    if (joined === null) {
      seats.enter(tenant.id, tenant, opened, provisioner.least(0, tenant));
      opened += 1;
    } else {
      seats.change(gpu, joined.members);
      seats.enter(tenant.id, tenant, gpu, joined.newcomer);
    }
  }
  return Array.from({ length: opened }, (_, gpu) =>
    seats.jobsOn(gpu).map((one) => (seats.stepsOf(one) ?? NaN) * 2.5),
  );
}

const theirs = (plan: readonly (readonly IgniterPlacement[])[]): number[][] =>
  plan.map((gpu) => gpu.map(({ share }) => share));

const sorted = (plan: readonly (readonly number[])[]): number[][] =>
  plan.map((gpu) => [...gpu].sort((a, b) => a - b));

describe('the shares of iGniter on its own latencies', () => {
  it('are those of its documentation: 10, 30 and 37.5 % of one V100', () => {
    assert.deepEqual(ours(IGNITER_EXAMPLE), [[10, 30, 37.5]]);
  });

  it('are those of its provisioning for any workloads', () => {
    const workload = fc.record({
      model: fc.constantFrom(...Object.values(IGNITER_MODELS)),
      // Above, a service alone can exceed the power cap, which its least share does not count with.
      ratePerS: fc.integer({ min: 20, max: 200 }),
      sloMs: fc.integer({ min: 15, max: 80 }),
    });
    let compared = 0;
    fc.assert(
      fc.property(fc.array(workload, { minLength: 1, maxLength: 8 }), (workloads) => {
        let plan: number[][];
        try {
          plan = theirs(provision(workloads, IGNITER_V100));
        } catch {
          return; // One of them is too large for a GPU.
        }
        compared += 1;
        assert.deepEqual(sorted(ours(workloads)), sorted(plan));
      }),
      { numRuns: 200 },
    );
    assert.ok(compared > 20, `${compared} plans were compared`);
  });
});
