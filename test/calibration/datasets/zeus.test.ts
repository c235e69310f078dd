import assert from 'node:assert/strict';
import { importZeus, zeusWorkload } from '../../../calibration/datasets/zeus.ts';
import { addsUp, Files, refuses, said } from './support.ts';

const HEADER = 'dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power\n';

describe('a Zeus power-limit file', () => {
  const files = new Files();
  after(() => {
    files.remove();
  });
  const read = (rows: string, options = {}) =>
    importZeus(files.write('summary_power_a40.csv', HEADER + rows), options);

  it('gives a point for each row', () => {
    const table = read('cats,tiny,8,adam,100,12,97\ncats,tiny,8,adam,150,10,140\n');
    assert.deepEqual(said(table.rows[1]), {
      gpuType: 'A40',
      workload: zeusWorkload('tiny', 'cats', 'adam'),
      batch: 8,
      powerCapW: 150,
      sharing: 'alone',
      stepS: 10,
      powerW: 140,
      source: 'zeus',
      row: 'summary_power_a40.csv:3',
    });
    assert.deepEqual(table.report, {
      files: [`${files.path}/summary_power_a40.csv`],
      rowsRead: 2,
      kept: 2,
      dropped: {},
      flagged: {},
      options: {},
      assumed: ['gpu type A40 by the name of summary_power_a40.csv'],
    });
  });

  it('takes the gpu type as an option, else by its name or folder, else not at all', () => {
    const row = `${HEADER}c,t,8,adam,100,12,97\n`;
    const typeOf = (name: string, gpu?: string) =>
      importZeus(files.write(name, row), gpu === undefined ? {} : { gpu }).rows[0]?.gpuType;
    assert.equal(typeOf('summary_power_rtx6000.csv'), 'RTX6000');
    assert.equal(typeOf('caps-H100.csv'), 'H100');
    assert.equal(typeOf('p100/caps.csv'), 'P100');
    assert.equal(typeOf('p100/caps.csv', 'gtx-1080-ti'), 'GTX1080Ti');
    assert.equal(typeOf('caps.csv', 'Trainium'), 'Trainium');
    refuses(
      () => typeOf('plain/caps.csv'),
      /caps\.csv expected a gpu type in the file name 'caps\.csv' or as option gpu, found none/,
    );
  });

  it('counts average power above the cap, and leaves it out when told to', () => {
    const rows = 'c,t,8,adam,100,12,121\nc,t,8,adam,125,11,119\n';
    const kept = read(rows);
    assert.deepEqual(kept.report.flagged, { 'average power above the cap': 1 });
    assert.equal(kept.report.options.overCap, 'keep');
    const left = read(rows, { overCap: 'drop' });
    assert.deepEqual(left.report.dropped, { 'average power above the cap': 1 });
    assert.equal(left.rows.length, 1);
    addsUp(left);
  });

  it('leaves rows without a value out, with a count, or refuses them', () => {
    const rows =
      'c,t,8,adam,100,NaN,97\nc,t,8,adam,125,,119\nc,t,8,adam,150,9,\nc,t,8,adam,175,8,170\n';
    const table = read(rows);
    assert.deepEqual(table.report.dropped, {
      'no value of time_per_epoch': 2,
      'no value of average_power': 1,
    });
    addsUp(table);
    refuses(
      () => read(rows, { missing: 'error' }),
      /a40\.csv:2:16 time_per_epoch: expected a value, found 'NaN'/,
    );
  });

  it('leaves a row that repeats another out, and keeps one with another result', () => {
    const rows =
      'c,t,8,adam,100,12,97\nc,t,8,adam,100,12,97\nc,t,8,adam,100,13,97\nc,t,8,adam,125,9,99\n';
    const table = read(rows);
    assert.deepEqual(table.report.dropped, { 'duplicated row': 1 });
    assert.deepEqual(table.report.flagged, { 'same point measured again, with another result': 1 });
    addsUp(table);
    assert.equal(read(rows, { duplicates: 'keep' }).report.flagged['duplicated row'], 1);
    refuses(
      () => read(rows, { duplicates: 'error' }),
      /a40\.csv summary_power_a40\.csv:3: expected each row once, found a copy/,
    );
  });

  it('counts a workload that was measured at one cap only', () => {
    const table = read('c,t,8,adam,100,12,97\nc,t,16,adam,100,12,97\nc,t,16,adam,125,11,97\n');
    assert.deepEqual(table.report.flagged, { 'workload at one power cap only': 1 });
  });

  it('is refused with the place of what is wrong', () => {
    const good = 'c,t,8,adam,100,12,97\n';
    refuses(
      () => read(`${good}c,t,8,adam,125,-3,99\n`),
      /:3:16 time_per_epoch: expected above 0 s, found '-3'/,
    );
    refuses(
      () => read(`${good}c,t,8,adam,125,9,157 W\n`),
      /:3:18 average_power: .*no unit in the cell/,
    );
    refuses(
      () => read(`${good}c,t,8.5,adam,125,9,99\n`),
      /:3:5 batch_size: expected a whole number/,
    );
    refuses(() => read(`${good}c,t,8,adam\n`), /:3 expected 7 cells/);
    const short = files.write('summary_power_v100.csv', 'dataset,network\nc,t\n');
    refuses(() => importZeus(short), /v100\.csv:1:1 expected a column 'batch_size'/);
  });

  it('says that an option concerns none of its rows', () => {
    const { assumed } = read('c,t,8,adam,100,12,97\n', { clipped: 'drop' }).report;
    assert.ok(assumed.includes('option clipped concerns none of the files'));
  });
});
