import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readMachines } from '../../../traces/importers/machine-lists.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { messageOf } from '../support.ts';

describe('a machine list', () => {
  const folder = temporaryFolder();
  const read = async (text: string) => {
    const file = folder.file('list.csv');
    writeFileSync(file, text);
    const nodes = await readMachines(file);
    return nodes.map(({ name, gpuType, gpus }) => [name, gpuType, gpus]);
  };

  it('is recognised by its first line', async () => {
    assert.deepEqual(await read('sn,cpu_milli,memory_mib,gpu,model\na,1,1,2,T4\nb,1,1,0,\n'), [
      ['a', 'T4', 2],
      ['b', null, 0],
    ]);
    assert.deepEqual(await read('gpu_model,gpu_capacity_num,cpu_num,node_name\nA10,1,16,n1\n'), [
      ['n1', 'A10', 1],
    ]);
    assert.deepEqual(await read('machineId, number of GPUs, single GPU mem\nm31,8, 24GB\n'), [
      ['m31', '24GB', 8],
    ]);
    assert.deepEqual(await read('82e5af,T4,96,512,2\n'), [['82e5af', 'T4', 2]]);
  });

  it('of another kind is an error that names those known', async () => {
    assert.match(
      await messageOf(read('x,y\n1,2\n')),
      /list\.csv:1 machine list not recognised by the first line 'x,y'; known: 'openb', 'spot-gpu', 'philly', 'pai'$/,
    );
  });
});
