import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SHARING_MODES } from '../../sim/gpu/evaluate.ts';
import type { SimulationResult } from '../../sim/result.ts';
import { simulate } from '../../sim/simulate.ts';
import type { SimulationConfig } from '../../sim/state.ts';
import { close } from './close.ts';
import { BREACHES, Offender, RandomPolicy } from './random-policy.ts';
import { randomWorld } from './random-world.ts';
import { Shadow } from './shadow.ts';

/** What holds for every world under every policy; the tests say in how many worlds it is tried. */

interface Effort {
  readonly numRuns: number;
  readonly seed: number;
}

const policySeed = fc.nat();
const mode = fc.constantFrom(...SHARING_MODES, 'mps', 'mps');
const patience = fc.integer({ min: 0, max: 80 });

/** Random valid decisions: the run ends, the books are right, nothing is negative or not a number. */
export function checkValidRuns(effort: Effort, failures: boolean): void {
  fc.assert(
    fc.property(randomWorld({ failures }), policySeed, mode, patience, (config, seed, m, n) => {
      const shadow = new Shadow(config, new RandomPolicy(seed, m, n));
      const result = simulate(config, shadow);
      checkResult(config, result);
      shadow.check(result);
    }),
    effort,
  );
}

/** The same configuration and policy, made anew, give the same result to the last bit. */
export function checkRepeats(effort: Effort): void {
  fc.assert(
    fc.property(
      randomWorld({ failures: true }),
      policySeed,
      mode,
      patience,
      (config, seed, m, n) => {
        const run = (): unknown => {
          const result = simulate(config, new RandomPolicy(seed, m, n));
          const rows = config.jobs.map((_, index) => result.jobRow(index));
          return { summary: result.summary, rows };
        };
        assert.deepStrictEqual(run(), run());
      },
    ),
    effort,
  );
}

/** A breach of a rule is a DecisionError, whatever came before; nothing else ends a run. */
export function checkBreaches(effort: Effort): void {
  fc.assert(
    fc.property(
      randomWorld({ failures: true }),
      policySeed,
      mode,
      fc.constantFrom(...Object.keys(BREACHES)),
      fc.integer({ min: 1, max: 12 }),
      (config, seed, m, breach, answer) => {
        const offender = new Offender(new RandomPolicy(seed, m, 40), breach, answer);
        const fault = faultOf(() => {
          checkResult(config, simulate(config, offender));
        });
        if (offender.hasOffended) {
          assert.ok(fault !== null, `${breach} was taken silently`);
          assert.equal(fault.name, 'DecisionError', String(fault));
          assert.match(fault.message, /^policy 'offender' at /);
        } else if (fault !== null) throw fault;
      },
    ),
    effort,
  );
}

/** A policy that starts nothing is told which jobs it has left, unless all of them were rejected. */
export function checkIdlers(effort: Effort): void {
  fc.assert(
    fc.property(randomWorld({ failures: false }), mode, (config, m) => {
      let queued = '';
      const idler = {
        name: 'idler',
        information: { duration: 'none', durationNoise: 0 },
        mode: m,
        decide: ({
          queue,
        }: {
          readonly queue: { readonly first: { readonly id: string } | null };
        }) => {
          queued = queue.first?.id ?? '';
          return [];
        },
      } as const;
      const fault = faultOf(() => {
        checkResult(config, simulate(config, idler));
      });
      if (queued !== '') {
        assert.equal(fault?.name, 'InvariantError', String(fault));
        assert.ok(fault.message.includes(`'${queued}' (queued)`), fault.message);
      } else if (fault !== null) throw fault;
    }),
    effort,
  );
}

/** The error that it ends with, or null. */
function faultOf(action: () => void): Error | null {
  try {
    action();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function checkResult(config: SimulationConfig, result: SimulationResult): void {
  const { summary } = result;
  mustBeFinite(summary, 'summary');
  const { submitted, done, failed, rejected, rejectedByReason } = summary.jobs;
  assert.equal(submitted, config.jobs.length);
  assert.equal(done + failed + rejected, submitted);
  assert.equal(
    Object.values(rejectedByReason).reduce((sum, count) => sum + count, 0),
    rejected,
  );
  assert.ok(summary.conservationError <= 1e-9);
  assert.ok(summary.gpuUtilisation <= 1 + 1e-9);
  const { total, running, contextIdle, idle, transition, host, active } = summary.energyJ;
  close(total, running + contextIdle + idle + transition + host, 1e-9, 'energy:');
  close(active, running + transition, 1e-9, 'active energy:');
  const counts = { done: 0, failed: 0, rejected: 0 };
  let jobsJ = 0;
  config.jobs.forEach((spec, index) => {
    const row = result.jobRow(index);
    assert.equal(row.id, spec.id);
    assert.ok(row.state === 'done' || row.state === 'failed' || row.state === 'rejected');
    counts[row.state] += 1;
    jobsJ += row.energyJ;
    if (row.state === 'rejected') {
      assert.notEqual(row.reason, '');
      return;
    }
    const { startS, endS, queueS, runS, jctS, energyJ, slowdown } = row;
    mustBeFinite({ startS, endS, queueS, runS, jctS, energyJ, slowdown }, row.id);
    assert.ok(spec.submitS <= startS && startS <= endS);
    assert.ok(Math.abs(queueS + runS - jctS) <= 1e-9 * (1 + endS), 'queueS + runS = jctS');
    assert.ok(row.gpus.length >= spec.minGpus && row.gpus.length <= spec.maxGpus);
  });
  assert.deepEqual(counts, { done, failed, rejected });
  if (config.options.measure === null) close(running, jobsJ, 1e-9, 'running energy:');
}

/** Every number in it is finite and not negative. */
function mustBeFinite(value: unknown, path: string): void {
  if (typeof value === 'number') {
    assert.ok(Number.isFinite(value) && value >= 0, `${path} is ${value}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) mustBeFinite(inner, `${path}.${key}`);
  }
}
