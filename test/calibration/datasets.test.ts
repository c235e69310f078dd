import assert from 'node:assert/strict';
import { readIgniter } from '../../calibration/datasets/igniter.ts';
import { readV100Clocks } from '../../calibration/datasets/v100-clocks.ts';
import { readZeus } from '../../calibration/datasets/zeus.ts';
import { InputError } from '../../sim/errors.ts';
import { TemporaryFolder } from './temporary-folder.ts';

describe('the readers of measurement sets', () => {
  const folder = new TemporaryFolder();
  after(() => {
    folder.remove();
  });
  const fails = (read: () => unknown, message: RegExp): void => {
    assert.throws(read, (error) => error instanceof InputError && message.test(error.message));
  };

  it('turn performance over clocks into time ratios', () => {
    folder.write('dataset_power.csv', 'frequency(MHz),500,1000\nA,60,100\n');
    folder.write('dataset_performance.csv', 'frequency(MHz),500,1000\nA,0.5,1\n');
    assert.deepEqual(readV100Clocks(folder.path), [
      { app: 'A', clocksMhz: [500, 1000], powerW: [60, 100], timeRatio: [2, 1] },
    ]);
  });

  it('miss an application that is in one file only', () => {
    folder.write('dataset_power.csv', 'frequency(MHz),500\nA,60\nB,50\n');
    folder.write('dataset_performance.csv', 'frequency(MHz),500\nA,1\n');
    fails(() => readV100Clocks(folder.path), /expected performance of 'B', found none/);
  });

  const ZEUS = 'dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power\n';

  it('collect the caps of a job in ascending order', () => {
    folder.write(
      'z.csv',
      `${ZEUS}d,n,8,adam,150,10,140\nd,n,16,adam,100,9,99\nd,n,8,adam,100,12,97\n`,
    );
    const [first, second] = readZeus(folder.path, 'z.csv');
    assert.deepEqual(first, {
      dataset: 'd',
      network: 'n',
      batchSize: 8,
      optimizer: 'adam',
      capsW: [100, 150],
      epochS: [12, 10],
      powerW: [97, 140],
    });
    assert.equal(second?.batchSize, 16);
  });

  it('name the line of a field that is no number', () => {
    folder.write('bad.csv', `${ZEUS}d,n,8,adam,100,10,97\nd,n,8,adam,125,fast,99\n`);
    fails(
      () => readZeus(folder.path, 'bad.csv'),
      /bad\.csv:3 time_per_epoch: expected a number, found 'fast'/,
    );
  });

  it('name a column that is not there, a ragged row and a missing file', () => {
    folder.write('short.csv', 'dataset,network\nd,n\n');
    fails(() => readZeus(folder.path, 'short.csv'), /expected a column 'batch_size'/);
    folder.write('ragged.csv', `${ZEUS}d,n,8\n`);
    fails(() => readZeus(folder.path, 'ragged.csv'), /ragged\.csv/);
    fails(() => readZeus(folder.path, 'none.csv'), /none\.csv no such file/);
  });

  const PAIR_HEADER =
    'model1,batch1,thread_pct1,latency1_ms,solo_latency1_ms,slowdown1,model2,batch2,thread_pct2,latency2_ms,solo_latency2_ms,slowdown2,l2_1_pct,dram_1_pct,l2_2_pct,dram_2_pct\n';
  const writeIgniter = (profile: string): void => {
    folder.write('solo.csv', 'model,batch,thread_pct,latency_ms\na,1,50,2.5\nb,1,100,4\n');
    folder.write('pairs.csv', `${PAIR_HEADER}a,2,20,3,2,1.5,b,4,80,5,4,1.25,1,10,2,30\n`);
    folder.write('igniter_v100_profile.jsonl', profile);
  };
  const POWER = '[[1,2,3],[4,5,6],[7,8,9]]';

  it('see a pair from both of its sides', () => {
    writeIgniter(`{"a": {"power": ${POWER}}}\n{"a": {"frequency": ${POWER}}}\n`);
    const { pairs, solo, power } = readIgniter(folder.path);
    assert.deepEqual(solo.get('a'), [{ batchSize: 1, share: 0.5, latencyMs: 2.5 }]);
    assert.deepEqual(pairs, [
      {
        model: 'a',
        other: 'b',
        batchSize: 2,
        share: 0.2,
        otherBatchSize: 4,
        otherShare: 0.8,
        slowdown: 1.5,
        dramUtilisation: 0.1,
        otherDramUtilisation: 0.3,
      },
      {
        model: 'b',
        other: 'a',
        batchSize: 4,
        share: 0.8,
        otherBatchSize: 2,
        otherShare: 0.2,
        slowdown: 1.25,
        dramUtilisation: 0.3,
        otherDramUtilisation: 0.1,
      },
    ]);
    assert.deepEqual(power.get('a')?.[1], { batchSize: 1, share: 0.5, powerW: 2, clockMhz: 2 });
    assert.equal(power.get('a')?.length, 9);
  });

  it('name the line of a profile that is not what it should be', () => {
    writeIgniter('{"a": {"power": [[1]]}}\n');
    fails(() => readIgniter(folder.path), /jsonl:1 expected 3 lists of 3 numbers/);
    writeIgniter('\nnot json\n');
    fails(() => readIgniter(folder.path), /jsonl:2 expected a JSON object/);
  });
});
