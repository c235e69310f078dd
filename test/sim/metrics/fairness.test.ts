import assert from 'node:assert/strict';
import { DemandMeter, finishTimeFairness, jainIndex } from '../../../sim/metrics/fairness.ts';
import { close } from '../../support/close.ts';
import { flatJob } from '../../support/flat.ts';

// By hand: a (2 GPUs) stays 0..10, b (half a GPU) stays 4..20. Demand 2 until 4, 2.5 until 10, 0.5 until
// 20: over the stay of a 8 + 15 = 23 GPU-s, over that of b 15 + 5 = 20.

describe('sim/metrics/fairness', () => {
  it('integrates the demand over the stay of each job', () => {
    const a = flatJob({ gpuCount: 2 });
    const b = flatJob({ share: 0.5 });
    const meter = new DemandMeter(2, 0);
    meter.arrived(0, a, 0);
    meter.arrived(1, b, 4);
    meter.finished(0, a, 10);
    meter.finished(1, b, 20);
    assert.deepEqual([...meter.overStay], [23, 20]);
  });

  it('relates the JCT to an equal part of a cluster that is asked for too much', () => {
    // 23 GPU-s in 10 s on one GPU: contention 2.3; on four GPUs none: the whole cluster is there.
    const job = flatJob({ durationS: 8 });
    close(finishTimeFairness(job, 10, 23, 1), 10 / (8 * 2.3));
    close(finishTimeFairness(job, 10, 23, 4), 10 / 8);
  });

  it('is 1 for a job without time or work', () => {
    assert.equal(finishTimeFairness(flatJob(), 0, 0, 1), 1);
    assert.equal(finishTimeFairness(flatJob({ durationS: 0 }), 5, 5, 1), 1);
  });

  it('has a Jain index of 1 for equals and 1/n for one who has it all', () => {
    assert.equal(jainIndex(Float64Array.of(3, 3, 3)), 1);
    assert.equal(jainIndex(Float64Array.of(5, 0, 0, 0)), 0.25);
    close(jainIndex(Float64Array.of(1, 2)), 9 / 10);
    assert.equal(jainIndex(new Float64Array(0)), 1);
    assert.equal(jainIndex(Float64Array.of(0, 0)), 1);
  });
});
