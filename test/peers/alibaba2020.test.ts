import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { alibaba2020Peer } from '../../harness/peers/alibaba2020/peer.ts';
import { poolOf } from '../../harness/peers/alibaba2020/pool.ts';
import { replayRequest } from '../../harness/peers/request.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

describe('harness/peers/alibaba2020', () => {
  const folder = temporaryFolder();

  /** Rows of id, submission, duration, CPUs, GPUs, instances and type. */
  async function replay(
    policy: string,
    rows: readonly string[],
    cluster: string,
    settings: Record<string, number | string | boolean> = {},
  ) {
    const file = folder.file('jobs.csv');
    const header = 'job_id,submit_time,duration,num_cpu,num_gpu,num_inst,gpu_type';
    writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
    const inputs = { trace: file, cluster };
    return await alibaba2020Peer.replay(
      replayRequest(alibaba2020Peer, { policy, inputs, settings }),
    );
  }

  async function rowsOf(...args: Parameters<typeof replay>) {
    const { jobs } = await replay(...args);
    return jobs.map((row) => [row.job_id, row.jct, row.node]);
  }

  it('counts every instance, starts what fits, and stops a second after the last end', async () => {
    // One node of one GPU. 1 takes 0.6 of it from 0 to 10; 2 takes 2 x 0.25, which fits from 10 on, as
    // does 3, shorter, which takes the whole GPU first: 3 from 10 to 15, 2 from 15 to 20.
    const rows = ['1,0,10,1,0.6,1,', '2,1,5,1,0.25,2,', '3,2,5,1,1,1,'];
    const { jobs, summary } = await replay('SJF', rows, '1x1');
    assert.deepEqual(
      jobs.map(({ job_id: id, jct, node }) => [id, jct, node]),
      [
        [1, 10, 1],
        [2, 14, 1],
        [2, 14, 1],
        [3, 18, 1],
      ],
    );
    // (10 + 14 + 14 + 18) / 4; waits 0, 9, 9, 13.
    assert.deepEqual(summary, { num_done: 4, avg_jct: 14, avg_wait: 7.75, makespan: 21 });
  });

  it('tries nodes in the order that is set', async () => {
    // 1 leaves node 0 with seven GPUs and few CPUs, node 1 has eight. 2 goes to the node by number, with
    // the fewest idle GPUs, the most, or the lowest utilisation.
    const rows = ['1,0,50,20,1,1,', '2,1,50,1,1,1,'];
    const nodes = await Promise.all(
      [0, 1, 2, 3].map(
        async (nodeOrder) => (await rowsOf('FIFO', rows, '2x8', { nodeOrder }))[1]?.[2],
      ),
    );
    assert.deepEqual(nodes, [0, 0, 1, 1]);
  });

  it('places all instances of a gang or none, as many on a node as it holds', async () => {
    // Eight instances of two GPUs fill both nodes; with 1 on a GPU they wait for it.
    const rows = ['1,0,10,1,1,1,', '2,1,5,1,2,8,'];
    const found = await rowsOf('FIFO', rows, '2x8');
    assert.deepEqual(found[0], [1, 10, 0]);
    assert.deepEqual(
      found.slice(1).map(([, jct, node]) => [jct, node]),
      [0, 0, 0, 0, 1, 1, 1, 1].map((node) => [14, node]),
    );
  });

  it('cuts a job to the cluster, fills in what is left out, and takes no time for a second', async () => {
    const rows = ['1,0,0,,12,,', '2,,3.9,1,,,'];
    assert.deepEqual(await rowsOf('FIFO', rows, '1x2'), [
      [1, 1, 1],
      [2, 3, 1],
    ]);
  });

  it('matches types on its own heterogeneous cluster when told', async () => {
    const pool = poolOf('hetero');
    assert.equal(pool.length, 380);
    const nodesOf = async (gpuTypeMatching: number) => {
      const rows = ['1,0,9,1,1,1,V100', '2,0,9,1,1,1,T4', '3,0,9,1,0,1,CPU'];
      const found = await rowsOf('FIFO', rows, 'hetero', { gpuTypeMatching });
      return found.map(([, , node]) => pool[Number(node)]?.gpuType);
    };
    assert.deepEqual(await nodesOf(0), ['MISC', 'MISC', 'CPU']);
    assert.deepEqual(await nodesOf(1), ['V100', 'T4', 'CPU']);
    assert.deepEqual(await nodesOf(2), ['V100', 'MISC', 'CPU']);
  });

  it('refuses jobs that would never end, and policies that the trace cannot serve', async () => {
    const two = ['1,0,10,1,1,1,', '2,1,5,1,9,1,'];
    await assert.rejects(
      replay('SJF', two, '2x8'),
      /job 2 fits no node, not even when all are empty/,
    );
    await assert.rejects(
      replay('SJU', two, '2x8'),
      /job 1 has no user_dur, by which policy 'SJU' goes/,
    );
    await assert.rejects(replay('SJF', two, 'homo'), /'homo' is no cluster: .* or hetero/);
    await assert.rejects(replay('SJF', ['x,0,1,1,1,1,'], '1x1'), /job_id: expected a number/);
    await assert.rejects(
      replay('SJF', two, '2x8', { nodeOrder: 4 }),
      /--set peer 'alibaba2020': option 'nodeOrder' is 4/,
    );
  });
});
