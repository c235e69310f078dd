import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { fgdPeer } from '../../harness/peers/fgd/index.ts';
import { replayRequest } from '../../harness/peers/request.ts';

/** Recorded by hkust-adsl/kubernetes-scheduler-simulator @8f3d641 (Apache-2.0) on small openb files. */
const FOLDER = fileURLToPath(new URL('fixtures/fgd', import.meta.url));
/** Pods placed by the two rules whose placements were not kept; see the note of the recorded runs. */
const PLACED = { DotProd: [173, 95.7], GpuClustering: [170, 94.5] } as const;

const replay = (policy: string, settings: Record<string, unknown> = {}) =>
  fgdPeer.replay(
    replayRequest(fgdPeer, {
      policy,
      inputs: { trace: `${FOLDER}/small_pods.csv`, cluster: `${FOLDER}/small_nodes.csv` },
      settings: { names: `${FOLDER}/small.06-FGD.placement.csv`, ...settings },
    }),
  );

describe('the recorded placements of the FGD simulator', () => {
  for (const policy of ['FGD', 'BestFit', 'GpuPacking']) {
    it(`${policy}: every pod goes to the same node and GPU`, async () => {
      const cases = await fgdPeer.recorded(FOLDER);
      const recorded = cases.find((candidate) => candidate.policy === policy);
      const { jobs } = await replay(policy);
      assert.equal(jobs.length, 260);
      assert.deepEqual(jobs, recorded?.expected.rows);
    });
  }

  for (const [policy, [placed, percent]] of Object.entries(PLACED)) {
    it(`${policy}: as many pods are placed, on as much of the GPUs`, async () => {
      const { summary } = await replay(policy);
      assert.equal(summary.placed, placed);
      assert.equal(summary.gpuMilliPercent?.toFixed(1), String(percent));
    });
  }

  it('tunes the pods to the load asked for, and the same seed gives the same run', async () => {
    const tuned = { tune: 1.3, shuffle: true, names: '', seed: 7 };
    const run = await replay('Random', tuned);
    assert.deepEqual(await replay('Random', tuned), run);
    // 147 GPUs x 1.3; the last pod goes over it by 8 GPUs at most.
    const milli = run.summary.allocatedAt130Percent ?? 0;
    assert.ok(milli > 80 && milli < 100);
    assert.notDeepEqual((await replay('Random', { ...tuned, seed: 8 })).jobs, run.jobs);
  });
});
