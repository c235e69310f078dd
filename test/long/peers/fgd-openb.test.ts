import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { fgdPeer } from '../../../harness/peers/fgd/index.ts';
import { replayRequest } from '../../../harness/peers/request.ts';

const data = process.env.HESHARE_DATA;
const SEEDS = Array.from({ length: 10 }, (_, i) => 42 + i);
/** Policies as the published table names them, from the least allocation to the most. */
const PUBLISHED = [
  ['01-Random', 'Random'],
  ['02-DotProd', 'DotProd'],
  ['03-GpuClustering', 'GpuClustering'],
  ['04-GpuPacking', 'GpuPacking'],
  ['05-BestFit', 'BestFit'],
  ['06-FGD', 'FGD'],
] as const;

/** The published allocation at 100 % arrived load, in percent, one value a seed. */
function published(folder: string, policy: string): number[] {
  const file = join(folder, 'peer-cases/fgd/expected_allo_default.csv');
  const [header = '', ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const at = header.split(',').indexOf('100');
  return lines
    .map((line) => line.split(','))
    .filter((cells) => cells[1] === policy)
    .map((cells) => Number(cells[at]));
}

describe('the FGD family on the openb trace, tuned to 1.3 of the GPUs, ten seeds', function () {
  if (data === undefined) {
    it('needs HESHARE_DATA');
    return;
  }
  this.timeout(600_000);
  const means = new Map<string, number>();
  for (const [label, policy] of PUBLISHED) {
    it(`${policy}: mean allocation within three published standard deviations`, async () => {
      const folder = join(data, 'traces/alibaba-gpu-v2023');
      const ours: number[] = [];
      for (const seed of SEEDS) {
        const { summary } = await fgdPeer.replay(
          replayRequest(fgdPeer, {
            policy,
            inputs: {
              trace: join(folder, 'openb_pod_list_default.csv'),
              cluster: join(folder, 'openb_node_list_gpu_node.csv'),
            },
            settings: { tune: 1.3, shuffle: true, seed },
          }),
        );
        ours.push(summary.allocatedAt100Percent ?? NaN);
      }
      const theirs = published(data, label);
      assert.equal(theirs.length, 10);
      means.set(policy, mean(ours));
      const distance = Math.abs(mean(ours) - mean(theirs)) / sampleStandardDeviation(theirs);
      assert.ok(distance <= 3, `${mean(ours)} against ${mean(theirs)}: ${distance} deviations`);
    });
  }

  it('comes in the published order', () => {
    const inOrder = PUBLISHED.map(([, policy]) => means.get(policy) ?? NaN);
    assert.deepEqual(
      inOrder,
      inOrder.toSorted((a, b) => a - b),
    );
    assert.equal(inOrder.length, 6);
  });
});
