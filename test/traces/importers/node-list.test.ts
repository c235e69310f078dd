import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import { nodeGroups, type TraceNode } from '../../../traces/importers/node-list.ts';
import { readOpenbNodes } from '../../../traces/importers/openb-nodes.ts';
import { readPaiMachines } from '../../../traces/importers/pai-machines.ts';
import { readSpotGpuNodes } from '../../../traces/importers/spot-gpu-nodes.ts';
import { damaged } from '../damage.ts';
import { messageOf } from '../support.ts';
import { expectedOf, published, publishedSuite } from './published.ts';

const OPENB = 'sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,P100\nn1,8000,1024,0,\n';
/** The first is the row that the README of the trace prints. */
const PAI =
  '82e5af3cd5c4af3f56c62c54,T4,96,512,2\nm1,CPU,96,512,0\nm2,V100M32,96,384,8\nm3,T4,96,512,2\n';
const SPOT =
  'gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,1,128,0\nA10,4,128,1\nA10,1,128,2\n';

describe('node lists', () => {
  let folder = '';
  const file = async (content: string | Buffer) => {
    const name = path.join(folder, 'nodes.csv');
    await writeFile(name, content);
    return name;
  };
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'heshare-test-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  it('give machines in file order, those of PAI without a header', async () => {
    assert.deepEqual(await readPaiMachines(await file(PAI)), [
      { name: '82e5af3cd5c4af3f56c62c54', gpuType: 'T4', gpus: 2, cpuCores: 96, memoryGib: 512 },
      { name: 'm1', gpuType: null, gpus: 0, cpuCores: 96, memoryGib: 512 },
      { name: 'm2', gpuType: 'V100M32', gpus: 8, cpuCores: 96, memoryGib: 384 },
      { name: 'm3', gpuType: 'T4', gpus: 2, cpuCores: 96, memoryGib: 512 },
    ]);
    assert.deepEqual((await readSpotGpuNodes(await file(SPOT)))[1], {
      ...{ name: '1', gpuType: 'A10', gpus: 4, cpuCores: 128, memoryGib: null },
    });
  });

  it('become groups of alike machines with GPUs', async () => {
    assert.deepEqual(nodeGroups(await readPaiMachines(await file(PAI))), [
      { gpuType: 'T4', gpusPerNode: 2, nodes: 2 },
      { gpuType: 'V100M32', gpusPerNode: 8, nodes: 1 },
    ]);
    assert.deepEqual(nodeGroups(await readSpotGpuNodes(await file(SPOT))), [
      { gpuType: 'A10', gpusPerNode: 4, nodes: 1 },
      { gpuType: 'A10', gpusPerNode: 1, nodes: 2 },
    ]);
  });

  it('are refused with the line of what is wrong', async () => {
    const message = async (text: string) => await messageOf(readPaiMachines(await file(text)));
    assert.match(await message('m,T4,96,512,x\n'), /nodes\.csv:1:13 cap_gpu: expected a number/);
    assert.match(await message('m,,96,512,2\n'), /:1:3 gpu_type: expected a GPU type, found none/);
    assert.match(
      await message('m,T4,96,512,2\n\nm,T4,96,512,2\n'),
      /:3 lists m for the second time/,
    );
    assert.match(await message('m,T4,96,512\n'), /:1 expected 5 cells, found 4/);
    assert.match(await message('machine,gpu_type,cap_cpu,cap_mem,cap_gpu\n'), /lists no nodes/);
    assert.match(
      await messageOf(readSpotGpuNodes(await file(OPENB))),
      /column 'gpu_model' is missing/,
    );
  });

  it('that are damaged are read or refused', async () => {
    const readers = [readPaiMachines, readSpotGpuNodes, readOpenbNodes];
    const reader = fc.constantFrom(...readers);
    await fc.assert(
      fc.asyncProperty(damaged([OPENB, PAI, SPOT]), reader, async (content, read) => {
        let nodes: readonly TraceNode[] = [];
        try {
          nodes = await read(await file(content));
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          return;
        }
        assert.ok(nodes.every(({ gpus, gpuType }) => gpus > 0 === (gpuType !== null)));
      }),
      { numRuns: 200 },
    );
  });
});

const gpusBy = (nodes: readonly TraceNode[]) => {
  const sums: Record<string, number> = {};
  for (const { gpuType, gpus } of nodes) {
    if (gpuType !== null) sums[gpuType] = (sums[gpuType] ?? 0) + gpus;
  }
  return sums;
};
const total = (nodes: readonly TraceNode[], of: (node: TraceNode) => number) =>
  nodes.reduce((sum, node) => sum + of(node), 0);

publishedSuite('published node lists', () => {
  it('of PAI give the known machines', async () => {
    const name = 'alibaba-gpu-v2020/pai_machine_spec.csv';
    const known = expectedOf(name);
    const nodes = await readPaiMachines(published(name));
    assert.equal(nodes.length, known.rows);
    assert.equal(
      total(nodes, ({ gpus }) => gpus),
      known.gpus,
    );
    assert.deepEqual({ ...gpusBy(nodes), CPU: 0 }, known.gpus_by_type);
    const machines: Record<string, number> = {};
    for (const { gpuType } of nodes) {
      machines[gpuType ?? 'CPU'] = (machines[gpuType ?? 'CPU'] ?? 0) + 1;
    }
    assert.deepEqual(machines, known.machines_by_type);
    const groups = nodeGroups(nodes).map((group) => Object.values(group).join(' '));
    assert.deepEqual(groups.toSorted(), [
      'MISC 8 280',
      'P100 2 798',
      'T4 2 497',
      'V100 8 104',
      'V100M32 8 135',
    ]);
  });

  it('of openb give the known machines', async () => {
    const name = 'alibaba-gpu-v2023/openb_node_list_gpu_node.csv';
    const known = expectedOf(name);
    const nodes = await readOpenbNodes(published(name));
    assert.equal(nodes.length, known.rows);
    assert.deepEqual(gpusBy(nodes), known.gpus_by_model);
    assert.equal(
      total(nodes, ({ cpuCores }) => cpuCores ?? 0),
      known.cpu_cores,
    );
    const all = 'alibaba-gpu-v2023/openb_node_list_all_node.csv';
    const every = await readOpenbNodes(published(all));
    assert.equal(every.length, expectedOf(all).rows);
    assert.equal(
      every.filter(({ gpuType }) => gpuType === null).length,
      expectedOf(all).empty_model,
    );
    assert.equal(
      total(every, ({ cpuCores }) => cpuCores ?? 0),
      expectedOf(all).cpu_cores,
    );
    assert.deepEqual(nodeGroups(every), nodeGroups(nodes));
  });

  it('of spot-gpu give the known machines', async () => {
    const name = 'alibaba-v2026-spot-gpu/node_info_df.csv';
    const known = expectedOf(name);
    const nodes = await readSpotGpuNodes(published(name));
    assert.equal(nodes.length, known.rows);
    assert.deepEqual(gpusBy(nodes), known.gpus_by_model);
    const groups = nodeGroups(nodes);
    assert.equal(
      groups.reduce((sum, group) => sum + group.nodes * group.gpusPerNode, 0),
      known.gpus,
    );
  });
});
