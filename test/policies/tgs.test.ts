import assert from 'node:assert/strict';
import { close } from '../support/close.ts';
import { flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, run, schedule } from './schedule.ts';

const profiles = profileSet(
  [flatGpu()],
  [
    flatProfile(),
    flatProfile({ workload: 'half', smDemand: 0.5 }),
    flatProfile({
      workload: 'host',
      time: { hostS: 0.9, memoryS: 0, coreS: 0.1, q: 1 },
      smDemand: 0.5,
    }),
  ],
);
const two = (guaranteed: string, opportunistic: string) =>
  worldOf({
    profiles,
    jobs: [
      job('g', 0, 1, 100, { workload: guaranteed, priority: 'guaranteed' }),
      job('o', 10, 1, 100, { workload: opportunistic, priority: 'opportunistic' }),
    ],
  });

describe('tgs', () => {
  it('lets the guaranteed job lose up to 3 %, where antman and fifo let the other wait', () => {
    // A share s takes g down to 1 / (1 + s): 0.03 is the largest with 0.97 or more. g: 90 s of work take
    // 92.7 s, in which o does 2.7; then o is alone.
    const times = schedule(run(two('flat', 'flat'), 'tgs'));
    close(times.g?.[1] ?? NaN, 102.7);
    assert.equal(times.o?.[0], 10);
    close(times.o[1], 200);
    assert.equal(schedule(run(two('flat', 'flat'), 'antman')).o?.[0], 100);
    assert.equal(schedule(run(two('flat', 'flat'), 'fifo')).o?.[0], 100);
  });

  it('takes all that the guaranteed job does not feel', () => {
    // Half of the SMs and 0.53 are 1.03, so g keeps 1 / 1.03 of its speed; 0.54 would be too much.
    const times = schedule(run(two('half', 'flat'), 'tgs'));
    close(times.g?.[1] ?? NaN, 10 + 90 * 1.03);
    // Without any loss only what is left: half of the GPU.
    const none = schedule(run(two('half', 'flat'), 'tgs', { maxLoss: 0 }));
    assert.deepEqual(none, { g: [0, 100], o: [10, 155] });
  });

  it('goes by the loss of the guaranteed job, where antman goes by what it uses', () => {
    // g is busy for a tenth of its step, on half of the SMs. Beside a share s that is always busy this
    // takes 0.1 (0.5 + s): a step of 1.03 s for 0.8, the largest within 3 %. A tenth of half the GPU is
    // 0.05, so antman gives 0.95, and a step takes 1.045 s.
    const jobs = two('host', 'flat');
    close(schedule(run(jobs, 'tgs')).g?.[1] ?? NaN, 10 + 90 * 1.03);
    close(schedule(run(jobs, 'antman')).g?.[1] ?? NaN, 10 + 90 * 1.045);
  });

  it('leaves a hundredth at least', () => {
    const times = schedule(run(two('flat', 'flat'), 'tgs', { maxLoss: 0 }));
    close(times.g?.[1] ?? NaN, 10 + 90 * 1.01);
  });
});
