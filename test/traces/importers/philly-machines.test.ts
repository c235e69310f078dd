import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeGroups } from '../../../traces/importers/node-list.ts';
import { readPhillyMachines, readPhillyUse } from '../../../traces/importers/philly-machines.ts';
import { importText, messageOf } from '../support.ts';

// As documented: blanks after the commas, and a machine that the log shows with 8 GPUs listed with 2.
const LIST = '  machineId, number of GPUs, single GPU mem\nm31,8, 24GB\nm51,2, 12GB\nm52,2, 12GB\n';
const LOG = [
  {
    jobid: 'a',
    submitted_time: '2017-10-09 03:00:00',
    attempts: [
      {
        start_time: 'None',
        end_time: 'None',
        detail: [
          { ip: 'm51', gpus: ['gpu0', 'gpu7'] },
          { ip: 'm31', gpus: ['gpu1'] },
          { ip: 'm99', gpus: ['gpu3', 'none'] },
        ],
      },
    ],
  },
  { jobid: 'b' },
];

describe('philly machine list', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'philly-machines-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });
  const file = async (name: string, text: string) => {
    const at = path.join(folder, name);
    await writeFile(at, text);
    return at;
  };

  it('gives machines by the memory of their GPUs, for types are not named', async () => {
    const nodes = await readPhillyMachines(await file('list', LIST));
    assert.deepEqual(nodes[0], {
      name: 'm31',
      gpuType: '24GB',
      gpus: 8,
      cpuCores: null,
      memoryGib: null,
    });
    assert.deepEqual(nodeGroups(nodes), [
      { gpuType: '24GB', gpusPerNode: 8, nodes: 1 },
      { gpuType: '12GB', gpusPerNode: 2, nodes: 2 },
    ]);
  });

  it('takes types that are given, and the GPUs that the log shows where they are more', async () => {
    const gpusInUse = await readPhillyUse(await file('log', JSON.stringify(LOG)));
    assert.deepEqual(
      [...gpusInUse],
      [
        ['m51', 8],
        ['m31', 2],
        ['m99', 4],
      ],
    );
    const gpuTypes = new Map([['12GB', 'P100']]);
    const nodes = await readPhillyMachines(await file('list', LIST), { gpuTypes, gpusInUse });
    assert.deepEqual(nodeGroups(nodes), [
      { gpuType: '24GB', gpusPerNode: 8, nodes: 1 },
      { gpuType: 'P100', gpusPerNode: 8, nodes: 1 },
      { gpuType: 'P100', gpusPerNode: 2, nodes: 1 },
    ]);
  });

  it('refuses bad rows and machines listed twice', async () => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['m1,eight, 24GB\n', /:5.*number of GPUs: expected a whole number of GPUs, found 'eight'/],
      ['m1,1.5, 24GB\n', /expected a whole number of GPUs, found '1\.5'/],
      ['m1,-2, 24GB\n', /expected a whole number of GPUs, found '-2'/],
      ['m1,8, 24\n', /single GPU mem: expected memory like 24GB, found '24'/],
      ['m1,8\n', /expected 3 cells, found 2/],
      ['m31,8, 24GB\n', /lists m31 for the second time/],
    ];
    for (const [row, message] of rows) {
      const at = await file('bad', LIST + row);
      assert.match(await messageOf(readPhillyMachines(at)), message);
    }
  });

  it('is refused as a trace by what it is', async () => {
    assert.match(await messageOf(importText(LIST)), /is no trace of jobs but a list of machines/);
  });
});
