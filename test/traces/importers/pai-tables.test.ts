import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { PAI_TABLES, recogniseTable, tableByName } from '../../../traces/importers/pai-tables.ts';
import { published, publishedSuite } from './published.ts';

const head = (text: string, path = 't.csv') => ({
  path,
  firstLine: text.split('\n', 1)[0] ?? '',
  text,
});
const tableOf = (text: string) => recogniseTable(head(text))?.table ?? null;

describe('a table of Alibaba PAI', () => {
  it('is known by where its words and numbers are', () => {
    assert.equal(tableOf('j,t,1.0,Failed,1.0,,600.0,29.3,50.0,T4\n'), 'pai_task_table');
    assert.equal(tableOf('j,i,u,Waiting,0,\n'), 'pai_job_table');
    assert.equal(tableOf('j,t,i,w,k,Running,1.0,,m\n'), 'pai_instance_table');
    assert.equal(tableOf('0123abcd,89ab4567,T4,0123abcd,nmt\n'), 'pai_group_tag_table');
    assert.equal(tableOf('0123abcd,T4,96,512,2\n'), 'pai_machine_spec');
  });

  it('is known by a header too', () => {
    for (const [name, columns] of Object.entries(PAI_TABLES)) {
      assert.equal(tableOf(`${columns.join(',')}\n`), name);
    }
  });

  it('has its status in the right column', () => {
    assert.equal(tableOf('j,t,1.0,Done,1.0,,600.0,29.3,50.0,T4\n'), null);
    assert.equal(tableOf('j,t,Failed,1.0,1.0,,600.0,29.3,50.0,T4\n'), null);
    assert.equal(tableOf('j,t,1.0,Failed,1.0,,600.0,29.3,50.0,7\n'), null);
    assert.equal(tableOf('name,qos,phase\na,b,Failed\n'), null);
    assert.equal(tableOf(''), null);
  });

  it('may have bad lines, but not most of them, nor the first', () => {
    const good = 'j,i,u,Failed,1.0,2.0\n';
    assert.equal(tableOf(`${good}x\n${good}y,z\n`), 'pai_job_table');
    assert.equal(tableOf(`${good}x\nx\nx\n`), null);
    assert.equal(tableOf(`x\n${good}${good}${good}`), null);
    // The last line of a long head is cut off, and does not count.
    assert.equal(tableOf(`${good}j,i,u,Fa`), 'pai_job_table');
  });

  it('is known by the name of its file where its cells do not tell', () => {
    assert.equal(tableByName('/data/pai_task_table.tar.gz'), 'pai_task_table');
    assert.equal(tableByName('/data/tasks.csv'), null);
  });
});

publishedSuite('tables of Alibaba PAI as its README prints them', () => {
  for (const table of Object.keys(PAI_TABLES)) {
    it(`are recognised: ${table}`, () => {
      const file = published(`alibaba-gpu-v2020/readme_example_${table}.csv`);
      const text = readFileSync(file, 'utf8');
      const found = recogniseTable(head(text, `/data/${table}.csv`));
      assert.equal(found?.table, table);
      assert.match(found.reason, /^no header, and 1 of the first 1 lines .* named so too$/);
    });
  }
});
