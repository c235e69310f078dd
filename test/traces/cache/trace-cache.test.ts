import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { importTrace } from '../../../traces/formats.ts';
import { formatReport } from '../../../traces/report-text.ts';
import type { ImportedTrace } from '../../../traces/workload.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { DATA_FOLDER, fixture } from '../support.ts';

/** Loader of TypeScript for processes of their own. */
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const folder = temporaryFolder();

function kept(): string[] {
  return existsSync(folder.file('cache')) ? readdirSync(folder.file('cache')).toSorted() : [];
}

/** Imports with a cache that keeps everything, and what it had to say. */
async function cached(path: string, options = {}): Promise<[ImportedTrace, string[]]> {
  const notices: string[] = [];
  const trace = await importTrace(path, {
    ...options,
    cache: {
      dir: folder.file('cache'),
      minBytes: 0,
      notice: (line) => {
        notices.push(line);
      },
    },
  });
  return [trace, notices];
}

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(folder.file(name), content);
  return folder.file(name);
}

const HEAD = 'id,submit_s,duration_s,gpus,share,user\n';
const ROWS = `${HEAD}b,5,10,1,0.5,u\na,0,3600,8,1,\nb,1,1,1,1,v\nc,x,1,1,1,\nd,7.25,0.1,2,1,é\n`;

/** The content of a kept file is marked, to tell a result that was kept from one that was read anew. */
function mark(): void {
  const [name = ''] = kept();
  assert.ok(name.endsWith('.trace'));
  utimesSync(`${folder.file('cache')}/${name}`, 0, 0);
}

/** Whether the only kept file was used since it was marked: use renews its date. */
function wasUsed(): boolean {
  return kept().some((name) => statSync(`${folder.file('cache')}/${name}`).mtimeMs > 1000);
}

describe('an import that was kept', () => {
  it('is the same as a new one, to the last byte', async () => {
    const path = file('t.csv', ROWS);
    const options = { maxBadRows: 1 };
    const fresh = await importTrace(path, options);
    const [first] = await cached(path, options);
    mark();
    const [second, notices] = await cached(path, options);
    assert.ok(wasUsed());
    assert.deepEqual(notices, []);
    for (const trace of [first, second]) {
      assert.deepEqual(trace, fresh);
      assert.equal(JSON.stringify(trace), JSON.stringify(fresh));
      assert.equal(formatReport(trace.report), formatReport(fresh.report));
    }
  });

  it('is the same for every format there is a fixture of', async () => {
    for (const name of ['philly-small.csv', 'openb-small.csv', 'tiresias-hand12.csv']) {
      const fresh = JSON.stringify(await importTrace(fixture(name)));
      await cached(fixture(name));
      const [again] = await cached(fixture(name));
      assert.equal(JSON.stringify(again), fresh);
    }
    assert.equal(kept().length, 3);
  });

  it('is not used for other content, whatever size and date', async () => {
    const path = file('t.csv', ROWS);
    await cached(path, { maxBadRows: 1 });
    await writeFile(path, ROWS.replace('3600', '3601'));
    await utimes(path, 1, 1);
    const [changed] = await cached(path, { maxBadRows: 1 });
    assert.equal(changed.jobs[0]?.durationS, 3601);
  });

  it('is not used for other options, formats and names', async () => {
    const path = file('t.csv', ROWS);
    await cached(path, { maxBadRows: 1 });
    await cached(path, { maxBadRows: 2 });
    await cached(path, { maxBadRows: 1, format: 'canonical-csv' });
    await cached(file('u.csv', ROWS), { maxBadRows: 1 });
    assert.equal(kept().length, 4);
    const philly = fixture('philly-small.csv');
    const [naive] = await cached(philly);
    const [zoned] = await cached(philly, { settings: { timeZone: 'UTC' } });
    assert.notDeepEqual(naive.report.options, zoned.report.options);
  });

  it('is made anew when it is cut off anywhere or a bit of it is wrong, and says so', async () => {
    const path = file('t.csv', ROWS);
    const [fresh] = await cached(path, { maxBadRows: 1 });
    const name = `${folder.file('cache')}/${kept()[0]}`;
    const whole = readFileSync(name);
    const damages = [0, 1, 8, 100, whole.length - 1].map((length) => whole.subarray(0, length));
    for (let at = 0; at < whole.length; at += 31) {
      const wrong = Buffer.from(whole);
      wrong[at] = (wrong[at] ?? 0) ^ 4;
      damages.push(wrong);
    }
    damages.push(Buffer.from('something else altogether, long enough to be one of them'));
    for (const damage of damages) {
      writeFileSync(name, damage);
      const [trace, notices] = await cached(path, { maxBadRows: 1 });
      assert.deepEqual(trace, fresh);
      assert.equal(notices.length, 1);
      assert.match(notices[0] ?? '', /^kept trace .* cannot be used \(.+\); reading anew$/);
      assert.deepEqual(readFileSync(name), whole);
    }
  });

  it('is none where a folder cannot be written, and says so', async () => {
    writeFileSync(folder.file('cache'), 'a file where a folder should be');
    const [trace, notices] = await cached(file('t.csv', ROWS), { maxBadRows: 1 });
    assert.equal(trace.jobs.length, 3);
    assert.match(notices[0] ?? '', /^trace not kept in /);
  });

  it('leaves no parts, and those that others left go in time', async () => {
    mkdirSync(folder.file('cache'));
    const part = `${folder.file('cache')}/0123.trace.1-2.part`;
    writeFileSync(part, '');
    await cached(file('t.csv', ROWS), { maxBadRows: 1 });
    assert.equal(kept().length, 2);
    utimesSync(part, 0, 0);
    await cached(file('u.csv', ROWS), { maxBadRows: 1 });
    assert.deepEqual(
      kept().filter((name) => !name.endsWith('.trace')),
      [],
    );
  });

  it('makes room for others when all take too much', async () => {
    const cache = { dir: folder.file('cache'), minBytes: 0, maxBytes: 1 };
    for (const name of ['t.csv', 'u.csv', 'v.csv']) {
      await importTrace(file(name, ROWS), { maxBadRows: 1, cache });
      assert.equal(kept().length, 1);
    }
  });

  it('is not kept of small files, which are read in no time', async () => {
    await importTrace(file('t.csv', ROWS), { maxBadRows: 1, cache: { dir: folder.file('cache') } });
    assert.deepEqual(kept(), []);
    const rows = Array.from({ length: 60_000 }, (_, index) => `job-${index},${index},1,1,1,\n`);
    await importTrace(file('t.csv', HEAD + rows.join('')), {
      cache: { dir: folder.file('cache') },
    });
    assert.equal(kept().length, 1);
  });

  it('is made by two processes at once without harm', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `job-${index},${index},1,1,1,\n`);
    const path = file('t.csv', HEAD + rows.join(''));
    const script = file(
      'import.mts',
      `import { importTrace } from ${JSON.stringify(String(new URL('../../../traces/formats.ts', import.meta.url)))};
       const cache = { dir: ${JSON.stringify(folder.file('cache'))}, minBytes: 0 };
       const { jobs } = await importTrace(${JSON.stringify(path)}, { cache });
       process.stdout.write(String(jobs.length));`,
    );
    const run = () =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(process.execPath, ['--import', TSX, script]);
        let output = '';
        child.stdout.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
        child.on('error', reject);
        child.on('close', () => {
          resolve(output);
        });
      });
    assert.deepEqual(await Promise.all([run(), run()]), ['20000', '20000']);
    assert.equal(kept().length, 1);
    mark();
    const [trace, notices] = await cached(path);
    assert.ok(wasUsed());
    assert.equal(trace.jobs.length, 20_000);
    assert.deepEqual(notices, []);
  });
});

describe('an import of several tables', () => {
  const TASK = 'b9d29a2d6ba4bf3ed4c6d69c,worker,1.0,Terminated,1000.0,1100.0,600.0,29.3,50.0,T4\n';
  const JOB = 'b9d29a2d6ba4bf3ed4c6d69c,inst1,user1,Terminated,1000.0,1100.0\n';

  function tables(): string {
    file('pai_job_table.csv', JOB);
    return file('pai_task_table.csv', TASK);
  }

  it('names all of them, and is kept for these only', async () => {
    const path = tables();
    const [fresh] = await cached(path);
    assert.deepEqual(
      fresh.report.companions?.map((each) => each.path),
      [folder.file('pai_job_table.csv')],
    );
    assert.equal(fresh.jobs[0]?.user, 'user1');
    mark();
    const [again] = await cached(path);
    assert.ok(wasUsed());
    assert.deepEqual(again, fresh);

    file('pai_job_table.csv', JOB.replace('user1', 'user2'));
    const [changed] = await cached(path);
    assert.equal(changed.jobs[0]?.user, 'user2');
  });

  it('is made anew when a table that was missing is there, or one is gone', async () => {
    const path = file('pai_task_table.csv', TASK);
    const [alone] = await cached(path);
    assert.equal(alone.jobs[0]?.user, null);
    assert.equal(alone.report.companions, undefined);
    tables();
    const [joined] = await cached(path);
    assert.equal(joined.jobs[0]?.user, 'user1');
    rmSync(folder.file('pai_job_table.csv'));
    const [again] = await cached(path);
    assert.equal(again.jobs[0]?.user, null);
  });

  it('can be named by their folder', async () => {
    const trace = await importTrace(tables());
    const named = await importTrace(folder.path);
    assert.deepEqual(named.jobs, trace.jobs);
    assert.equal(named.format, 'pai');
  });
});

describe('the trace of Pollux', () => {
  it('is the same from the cache', async function () {
    if (DATA_FOLDER === null) this.skip();
    const path = `${DATA_FOLDER}/traces/philly-derived/pollux_philly.csv`;
    const fresh = await importTrace(path);
    await cached(path);
    mark();
    const [again] = await cached(path);
    assert.ok(wasUsed());
    assert.deepEqual(again.report, fresh.report);
    assert.deepEqual(again.jobs, fresh.jobs);
  });
});
