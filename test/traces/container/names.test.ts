import assert from 'node:assert/strict';
import { isLitter, tableName, traceName } from '../../../traces/container/names.ts';

describe('the name of a table', () => {
  it('is that of its file without folders and suffixes', () => {
    const names: [string, string][] = [
      ['x/pai_task_table.tar.gz', 'pai_task_table'],
      ['pai_job_table.csv.gz', 'pai_job_table'],
      ['pai_job_table.csv', 'pai_job_table'],
      ['a.b.csv.zst', 'a.b'],
      ['cluster_job_log', 'cluster_job_log'],
      ['data.zip::data/Venus/cluster_log.csv', 'cluster_log'],
      ['C:\\x\\jobs.json.xz', 'jobs'],
      ['pai_machine_spec.header', 'pai_machine_spec.header'],
      ['.csv', '.csv'],
      ['JOBS.CSV', 'JOBS'],
    ];
    for (const [path, name] of names) assert.equal(tableName(path), name, path);
  });
});

describe('the name of a trace', () => {
  it('loses a suffix that is not known too', () => {
    assert.equal(traceName('x/0e4a51.trace'), '0e4a51');
    assert.equal(traceName('x/jobs.v2.csv.gz'), 'jobs.v2');
    assert.equal(traceName('.trace'), '.trace');
  });
});

describe('litter', () => {
  it('is what archivers and desktops leave behind', () => {
    for (const name of ['__MACOSX/a.csv', 'x/._a.csv', 'x/.DS_Store', '._a']) {
      assert.ok(isLitter(name), name);
    }
    for (const name of ['a.csv', 'x/a._csv', 'MACOSX/a']) assert.ok(!isLitter(name), name);
  });
});
