import assert from 'node:assert/strict';
import type { Decision } from '../../sim/decisions.ts';
import { DecisionError } from '../../sim/errors.ts';
import type { JobView } from '../../sim/job-view.ts';
import { simulate } from '../../sim/simulate.ts';
import type { View } from '../../sim/view.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { policyOf, type Step, scripted, start } from '../support/scripted.ts';

// By hand: GPUs 0 and 1 on node 0 and 2 on node 1 are of type flat (16 GiB, 2 MPS clients, MIG slices of
// 1/4 and 1/2), GPU 3 on node 2 is of type other, without a profile of job b. Jobs: a asks for one GPU,
// b for 10 GiB, c for two GPUs, d for half a GPU. All are queued at time 0.

const PROFILES = profileSet(
  [
    flatGpu({ mpsClientLimit: 2, migSlices: [0.25, 0.5] }),
    flatGpu({ name: 'other', migSlices: [] }),
  ],
  [flatProfile(), flatProfile({ gpuType: 'other' }), flatProfile({ workload: 'narrow' })],
);
const WORLD = worldOf({
  profiles: PROFILES,
  cluster: clusterOf({ gpusPerNode: 2 }, {}, { gpuType: 'other' }),
  jobs: [
    flatJob(),
    flatJob({ id: 'b', workload: 'narrow', memoryGib: 10 }),
    flatJob({ id: 'c', gpuCount: 2 }),
    flatJob({ id: 'd', share: 0.5 }),
  ],
  options: { costs: { start: 5, restart: 5, checkpoint: 5 } },
});

type Mode = Parameters<typeof scripted>[1];

/** Asserts that the last decision is refused, that it is a DecisionError, and what it says. */
function refuses(message: string, steps: Parameters<typeof scripted>[0], options: Mode = {}): void {
  assert.throws(
    () => simulate(WORLD, scripted(steps, options)),
    (error) => {
      assert.ok(error instanceof DecisionError, String(error));
      assert.equal(error.message, message);
      return true;
    },
  );
}

/** At time 0, with the policy's name and the time filled in. */
function refusesAtOnce(what: string, rule: string, step: Step, options: Mode = {}): void {
  refuses(`policy 'test' at 0 s: ${what} refused: ${rule}`, [[0, step]], options);
}

/** What a policy written in JavaScript may hand over. */
function malformed(decision: unknown): Decision {
  return decision as Decision;
}

describe('decisions: start', () => {
  it('refuses a job that is not queued', () => {
    refusesAtOnce("start of job 'a'", 'the job is starting, expected queued', (view) => [
      start(view, 0, [0]),
      start(view, 0, [1]),
    ]);
  });

  it('refuses a job that has finished, is of another run, or is none', () => {
    const rule = 'the job is not one of this run, or has finished';
    let gone: JobView | null = null;
    refuses(`policy 'test' at 105 s: start refused: ${rule}`, [
      [
        0,
        (view) => {
          gone = view.job(0);
          return [start(view, 0, [0])];
        },
      ],
      [105, () => [malformed({ kind: 'start', job: gone, gpus: [0] })]],
    ]);
    refusesAtOnce('start', rule, () => [malformed({ kind: 'start', job: gone, gpus: [0] })]);
    for (const job of [undefined, null, {}, { index: -1 }, { index: 99 }, { index: 0.5 }, 'a']) {
      refusesAtOnce('start', rule, () => [malformed({ kind: 'start', job, gpus: [0] })]);
    }
  });

  it('refuses a wrong number of GPUs, GPUs that do not exist, and one GPU twice', () => {
    const what = "start of job 'c'";
    refusesAtOnce(what, '1 gpus given, the job needs 2', (view) => [start(view, 2, [0])]);
    refusesAtOnce(what, '0 gpus given, the job needs 2', (view) => [start(view, 2, [])]);
    refusesAtOnce(what, 'gpu 4 does not exist (0 .. 3)', (view) => [start(view, 2, [0, 4])]);
    refusesAtOnce(what, 'gpu -1 does not exist (0 .. 3)', (view) => [start(view, 2, [-1, 0])]);
    refusesAtOnce(what, 'gpu 0.5 does not exist (0 .. 3)', (view) => [start(view, 2, [0.5, 0])]);
    refusesAtOnce(what, 'gpu NaN does not exist (0 .. 3)', (view) => [start(view, 2, [NaN, 0])]);
    refusesAtOnce(what, 'gpu 1 is given twice', (view) => [start(view, 2, [1, 1])]);
    refusesAtOnce(what, 'gpus is undefined, expected an array', (view) => [
      malformed({ kind: 'start', job: view.job(2) }),
    ]);
    refusesAtOnce(what, 'gpus is 0, expected an array', (view) => [
      malformed({ kind: 'start', job: view.job(2), gpus: 0 }),
    ]);
  });

  it('refuses GPUs on a node that is asleep or waking', () => {
    refusesAtOnce("start of job 'a'", 'gpu 2 is on a node that is asleep', (view) => [
      { kind: 'sleep', node: 1 },
      start(view, 0, [2]),
    ]);
    refusesAtOnce("start of job 'a'", 'gpu 2 is on a node that is waking', (view) => [
      { kind: 'sleep', node: 1 },
      { kind: 'wake', node: 1 },
      start(view, 0, [2]),
    ]);
  });

  it('refuses a GPU or node that has failed', () => {
    const withFailures = (failures: Parameters<typeof worldOf>[0]['options']): void => {
      const world = worldOf({ ...(failures && { options: failures }) });
      const policy = policyOf(function* (view) {
        if (!view.cluster.isAvailable(0)) yield start(view, 0, [0]);
      });
      assert.throws(() => simulate(world, policy), /gpu 0 is (failed|on a node that is failed)$/);
    };
    withFailures({ failures: { gpuMtbfS: 10 } });
    withFailures({ failures: { nodeMtbfS: 10 } });
  });

  it('refuses a type on which the job cannot run', () => {
    refusesAtOnce(
      "start of job 'b'",
      'gpu 3 is of type other, on which the job cannot run',
      (view) => [start(view, 1, [3])],
    );
  });

  it('refuses to over-commit memory', () => {
    refusesAtOnce(
      "start of job 'd'",
      'gpu 0 has 6 GiB free, the job needs 8 GiB; memory is never over-committed',
      (view) => [start(view, 1, [0]), start(view, 3, [0])],
    );
  });

  it('refuses shares outside (0, 1], and a wrong number of them', () => {
    const what = "start of job 'c'";
    for (const share of [0, -0.5, 1.5, NaN, Infinity]) {
      refusesAtOnce(what, `share ${share} is outside (0, 1]`, (view) => [
        start(view, 2, [0, 1], share),
      ]);
    }
    refusesAtOnce(what, 'share 0 is outside (0, 1]', (view) => [start(view, 2, [0, 1], [1, 0])]);
    refusesAtOnce(what, '1 shares for 2 gpus', (view) => [start(view, 2, [0, 1], [0.5])]);
    refusesAtOnce(what, '3 shares for 2 gpus', (view) => [start(view, 2, [0, 1], [1, 1, 1])]);
    refusesAtOnce(what, 'share is half, expected a number or an array', (view) => [
      malformed({ kind: 'start', job: view.job(2), gpus: [0, 1], share: 'half' }),
    ]);
  });

  it('refuses company on an exclusive GPU', () => {
    refusesAtOnce(
      "start of job 'd'",
      'gpu 0 is exclusive and has a resident',
      (view) => [start(view, 0, [0]), start(view, 3, [0])],
      { mode: 'exclusive' },
    );
  });

  it('refuses more MPS clients than the type allows, and no number of time slices', () => {
    const three = (view: View): Decision[] => [
      start(view, 0, [0]),
      start(view, 3, [0]),
      start(view, 2, [0, 1]),
    ];
    refusesAtOnce("start of job 'c'", 'gpu 0 has 2 mps clients, the limit of flat is 2', three);
    assert.throws(() => simulate(WORLD, scripted([[0, three]], { mode: 'time-slice' })), {
      name: 'InvariantError',
      message: /'b' \(queued\)/,
    });
  });

  it('refuses a MIG slice that is not free, and one that is too small for the memory', () => {
    const slices = { kind: 'set-mode', gpu: 0, mode: 'mig', slices: [0.5, 0.25] } as const;
    refusesAtOnce(
      "start of job 'a'",
      'gpu 0 has no free MIG slice of 1 (free: 0.5, 0.25)',
      (view) => [slices, start(view, 0, [0])],
    );
    refusesAtOnce("start of job 'a'", 'gpu 0 has no free MIG slice of 0.5 (free: 0.25)', (view) => [
      slices,
      start(view, 3, [0]),
      start(view, 0, [0], 0.5),
    ]);
    refusesAtOnce(
      "start of job 'b'",
      'a MIG slice of 0.5 of gpu 0 has 8 GiB, the job needs 10 GiB',
      (view) => [slices, start(view, 1, [0], 0.5)],
    );
    refusesAtOnce(
      "start of job 'a'",
      'gpu 0 has no free MIG slice of 0.25 (free: none)',
      (view) => [start(view, 0, [0], 0.25)],
      { mode: 'mig' },
    );
  });
});

describe('decisions: preempt, migrate, set-share', () => {
  it('refuses to preempt a job that is queued or already on its way out', () => {
    refusesAtOnce(
      "preempt of job 'a'",
      'the job is queued, expected starting or running',
      (view) => [{ kind: 'preempt', job: view.job(0) }],
    );
    refuses(
      "policy 'test' at 10 s: preempt of job 'a' refused: the job is checkpointing, expected starting or running",
      [
        [0, (view) => [start(view, 0, [0])]],
        [
          10,
          (view) => [
            { kind: 'preempt', job: view.job(0) },
            { kind: 'preempt', job: view.job(0) },
          ],
        ],
      ],
    );
  });

  it('refuses to migrate a job that is not running, and to a place where it could not start', () => {
    refusesAtOnce("migrate of job 'a'", 'the job is starting, expected running', (view) => [
      start(view, 0, [0]),
      { kind: 'migrate', job: view.job(0), gpus: [1] },
    ]);
    const at10 = (rule: string, decide: (job: JobView, view: View) => Decision[]): void => {
      refuses(`policy 'test' at 10 s: migrate of job 'a' refused: ${rule}`, [
        [0, (view) => [start(view, 0, [0]), start(view, 1, [1]), start(view, 3, [2])]],
        [10, (view) => decide(view.job(0), view)],
      ]);
    };
    at10('2 gpus given, the job needs 1', (job) => [{ kind: 'migrate', job, gpus: [0, 1] }]);
    at10('gpu 9 does not exist (0 .. 3)', (job) => [{ kind: 'migrate', job, gpus: [9] }]);
    at10('share 2 is outside (0, 1]', (job) => [{ kind: 'migrate', job, gpus: [1], share: 2 }]);
    at10('gpu 3 is on a node that is asleep', (job) => [
      { kind: 'sleep', node: 2 },
      { kind: 'migrate', job, gpus: [3] },
    ]);
    at10('gpus is null, expected an array', (job) => [
      malformed({ kind: 'migrate', job, gpus: null }),
    ]);
  });

  it('keeps the memory of both places while a job migrates', () => {
    // b (10 GiB) is reserved on GPU 1 as well: d (8 GiB) fits on neither until the checkpoint is written.
    const steps = (gpu: number, atS: number): Parameters<typeof scripted>[0] => [
      [0, (view) => [start(view, 1, [0])]],
      [10, (view) => [{ kind: 'migrate', job: view.job(1), gpus: [1] }]],
      [atS, (view) => [start(view, 3, [gpu])]],
    ];
    const rule = (gpu: number, atS: number): string =>
      `policy 'test' at ${atS} s: start of job 'd' refused: gpu ${gpu} has 6 GiB free, the job needs 8 GiB; memory is never over-committed`;
    refuses(rule(0, 12), steps(0, 12));
    refuses(rule(1, 12), steps(1, 12));
    refuses(rule(1, 16), steps(1, 16));
    assert.throws(() => simulate(WORLD, scripted(steps(0, 16))), { name: 'InvariantError' });
  });

  it('keeps both MIG slices while a job moves from one to the other on a GPU', () => {
    refuses(
      "policy 'test' at 10 s: start of job 'd' refused: gpu 0 has no free MIG slice of 0.5 (free: none)",
      [
        [
          0,
          (view) => [
            { kind: 'set-mode', gpu: 0, mode: 'mig', slices: [0.25, 0.5] },
            start(view, 0, [0], 0.25),
          ],
        ],
        [
          10,
          (view) => [
            { kind: 'migrate', job: view.job(0), gpus: [0], share: 0.5 },
            start(view, 3, [0], 0.5),
          ],
        ],
      ],
    );
  });

  it('refuses a share for a job that is not running, and one that its GPU cannot give', () => {
    refusesAtOnce("set-share of job 'a'", 'the job is queued, expected running', (view) => [
      { kind: 'set-share', job: view.job(0), share: 0.5 },
    ]);
    const at10 = (rule: string, share: number | readonly number[]): void => {
      refuses(`policy 'test' at 10 s: set-share of job 'a' refused: ${rule}`, [
        [
          0,
          (view) => [
            { kind: 'set-mode', gpu: 0, mode: 'mig', slices: [0.25, 0.5] },
            start(view, 0, [0], 0.25),
            start(view, 3, [0], 0.5),
          ],
        ],
        [10, (view) => [{ kind: 'set-share', job: view.job(0), share }]],
      ]);
    };
    at10('share 0 is outside (0, 1]', 0);
    at10('2 shares for 1 gpus', [0.5, 0.5]);
    at10('gpu 0 has no free MIG slice of 0.5 (free: 0.25)', 0.5);
  });
});

describe('decisions: GPUs and nodes', () => {
  it('refuses a clock that is not one of the type', () => {
    for (const clockMhz of [0, 999, 1500, NaN]) {
      refusesAtOnce(
        'set-clock of gpu 1',
        `${clockMhz} MHz is not a clock of flat (200 .. 1200 MHz, 5 steps)`,
        () => [{ kind: 'set-clock', gpu: 1, clockMhz }],
      );
    }
    refusesAtOnce('set-clock', 'gpu 4 does not exist (0 .. 3)', () => [
      { kind: 'set-clock', gpu: 4, clockMhz: 500 },
    ]);
  });

  it('refuses a cap outside the limits of the type', () => {
    for (const powerCapW of [59, 1001, -1, NaN, Infinity]) {
      refusesAtOnce('set-cap of gpu 0', `${powerCapW} W is outside 60 .. 1000 W of flat`, () => [
        { kind: 'set-cap', gpu: 0, powerCapW },
      ]);
    }
    refusesAtOnce('set-cap', 'gpu -1 does not exist (0 .. 3)', () => [
      { kind: 'set-cap', gpu: -1, powerCapW: 100 },
    ]);
  });

  it('refuses a mode that is unknown, on a GPU with residents, or with the wrong slices', () => {
    const set = (mode: string, slices?: unknown, gpu = 0): Decision =>
      malformed({ kind: 'set-mode', gpu, mode, ...(slices !== undefined && { slices }) });
    const what = 'set-mode of gpu 0';
    refusesAtOnce('set-mode', 'gpu 7 does not exist (0 .. 3)', () => [set('mps', undefined, 7)]);
    refusesAtOnce(what, "unknown mode 'turbo', expected exclusive, time-slice, mps, mig", () => [
      set('turbo'),
    ]);
    refusesAtOnce(
      what,
      'the gpu has residents; a mode or partition can change on an empty one',
      (view) => [start(view, 0, [0]), set('exclusive')],
    );
    const given = 'slices are given for mode mig, and only for it';
    refusesAtOnce(what, given, () => [set('mig')]);
    refusesAtOnce(what, given, () => [set('mig', [])]);
    refusesAtOnce(what, given, () => [set('mig', 'all')]);
    refusesAtOnce(what, given, () => [set('mps', [0.5])]);
    refusesAtOnce(what, '0.3 is not a MIG slice of flat (0.25, 0.5)', () => [
      set('mig', [0.5, 0.3]),
    ]);
    refusesAtOnce(what, 'NaN is not a MIG slice of flat (0.25, 0.5)', () => [set('mig', [NaN])]);
    refusesAtOnce(what, 'the slices 0.5, 0.5, 0.25 are more than the gpu', () => [
      set('mig', [0.5, 0.5, 0.25]),
    ]);
    refusesAtOnce('set-mode of gpu 3', '0.5 is not a MIG slice of other (none)', () => [
      set('mig', [0.5], 3),
    ]);
  });

  it('refuses to put a node to sleep that is used or not on, and to wake one that is not asleep', () => {
    refusesAtOnce('sleep of node 0', 'gpu 1 has residents', (view) => [
      start(view, 0, [1]),
      { kind: 'sleep', node: 0 },
    ]);
    refusesAtOnce('sleep of node 1', 'the node is asleep, expected on', () => [
      { kind: 'sleep', node: 1 },
      { kind: 'sleep', node: 1 },
    ]);
    refusesAtOnce('wake of node 1', 'the node is on, expected asleep', () => [
      { kind: 'wake', node: 1 },
    ]);
    refusesAtOnce('wake of node 1', 'the node is waking, expected asleep', () => [
      { kind: 'sleep', node: 1 },
      { kind: 'wake', node: 1 },
      { kind: 'wake', node: 1 },
    ]);
    for (const node of [3, -1, 0.5, NaN]) {
      refusesAtOnce('sleep', `node ${node} does not exist (0 .. 2)`, () => [
        { kind: 'sleep', node },
      ]);
      refusesAtOnce('wake', `node ${node} does not exist (0 .. 2)`, () => [{ kind: 'wake', node }]);
    }
  });

  it('refuses a call back that is not in the future', () => {
    for (const atS of [0, -5, NaN, Infinity]) {
      refusesAtOnce('call-back', `${atS} s is not a time after now (0 s)`, () => [
        { kind: 'call-back', atS },
      ]);
    }
  });
});

describe('decisions: what is no decision', () => {
  it('is refused, never taken silently', () => {
    refusesAtOnce('decision', "unknown kind 'stop'", () => [malformed({ kind: 'stop' })]);
    refusesAtOnce('decision', "unknown kind 'undefined'", () => [malformed({})]);
    refusesAtOnce('decision', 'it is null, expected an object', () => [malformed(null)]);
    refusesAtOnce('decision', 'it is undefined, expected an object', () => [malformed(undefined)]);
    refusesAtOnce('decision', 'it is s, expected an object', () => malformed('start') as never);
  });

  it('is refused when decide returns nothing that can be walked', () => {
    for (const [returned, word] of [
      [undefined, 'undefined'],
      [null, 'object'],
      [5, 'number'],
      [Promise.resolve([]), 'object'],
    ] as const) {
      assert.throws(
        () =>
          simulate(
            WORLD,
            policyOf(() => returned as never),
          ),
        {
          name: 'DecisionError',
          message: `policy 'test': decide returned ${word}, expected an array or a generator of decisions`,
        },
      );
    }
  });

  it('lets an error of the policy itself through as it is', () => {
    const fault = new TypeError('a fault of the policy');
    const policy = policyOf(() => {
      throw fault;
    });
    assert.throws(
      () => simulate(WORLD, policy),
      (error) => error === fault,
    );
  });
});

describe('decisions: what is accepted', () => {
  it('applies each decision before it asks for the next', () => {
    const seen: number[] = [];
    const policy = policyOf(function* (view) {
      for (const job of view.queue) {
        const gpu = job.gpuCount === 2 ? [0, 1] : [2];
        seen.push(view.cluster.freeGpuTotal);
        if (job.id !== 'd') yield { kind: 'start', job, gpus: gpu };
        else yield { kind: 'start', job, gpus: [3] };
      }
    });
    const { summary } = simulate(WORLD, policy);
    assert.deepEqual(seen, [4, 3, 3, 1]);
    assert.equal(summary.jobs.done, 4);
    assert.equal(summary.decisions.count, 4);
  });

  it('keeps its own copy of the GPUs of a decision', () => {
    const gpus = [0, 1];
    const policy = scripted([
      [
        0,
        function* (view) {
          yield start(view, 2, gpus);
          gpus.reverse();
          gpus[0] = 3;
          yield start(view, 0, [2]);
          yield start(view, 1, [2]);
          yield start(view, 3, [3]);
        },
      ],
    ]);
    assert.deepEqual(simulate(WORLD, policy).jobRow(2).gpus, [0, 1]);
  });

  it('fills exactly all memory and all slices', () => {
    const world = worldOf({
      jobs: [0.1, 0.2, 0.7].map((share) => flatJob({ id: `${share}`, share })),
    });
    const policy = scripted([[0, (view) => [0, 1, 2].map((index) => start(view, index, [0]))]]);
    assert.equal(simulate(world, policy).summary.jobs.done, 3);
  });
});
