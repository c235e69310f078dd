import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeGroups } from '../../../traces/importers/node-list.ts';
import { readTiresiasCluster } from '../../../traces/importers/tiresias-cluster.ts';
import { messageOf } from '../support.ts';
import { published, publishedSuite } from './published.ts';

const HEADER = 'num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node';

describe('readTiresiasCluster', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tiresias-'));
  });
  after(() => rm(folder, { recursive: true }));
  const read = async (text: string) => {
    const file = path.join(folder, 'cluster.csv');
    await writeFile(file, text);
    return await readTiresiasCluster(file, 'P100');
  };

  it('makes nodes of the one row, also without a final newline', async () => {
    const nodes = await read(`${HEADER}\r\n2,3,4,40,256`);
    assert.equal(nodes.length, 6);
    assert.deepEqual(nodes[4], {
      name: 'switch1-node1',
      gpuType: 'P100',
      gpus: 4,
      cpuCores: 40,
      memoryGib: 256,
    });
  });

  it('refuses anything but one cluster', async () => {
    assert.match(await messageOf(read(`${HEADER}\n`)), /expected one row, found 0$/);
    assert.match(await messageOf(read(`${HEADER}\n1,1,4,1,1\n1,1,4,1,1\n`)), /found 2$/);
    assert.match(await messageOf(read(`${HEADER}\n0,1,4,1,1\n`)), /num_switch: expected 1 to/);
    assert.match(await messageOf(read(`${HEADER}\n99999,99999,4,1,1\n`)), /has 9999800001 nodes/);
    assert.match(await messageOf(read('num_switch\n1\n')), /column 'num_node_p_switch' is missing/);
  });
});

publishedSuite('readTiresiasCluster on published files', () => {
  for (const [name, nodes, gpusPerNode] of [
    ['tiresias/cluster_spec.csv', 16, 4],
    ['tiresias/n32g4.csv', 32, 4],
    ['tiresias/n160g8.csv', 160, 8],
    ['muri/n8g8.csv', 8, 8],
  ] as const) {
    it(`reads ${name}`, async () => {
      const cluster = nodeGroups(await readTiresiasCluster(published(name), 'V100'));
      assert.deepEqual(cluster, [{ gpuType: 'V100', gpusPerNode, nodes }]);
    });
  }
});
