import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  RunDirectory,
  readRun,
  replaceFile,
  runDirectoryName,
} from '../../harness/run-directory.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('harness/run-directory', () => {
  const folder = temporaryFolder();

  it('names a run for people and for certainty, without characters that shells mind', () => {
    assert.equal(
      runDirectoryName('heshare:energyWeight=0.5,dvfs=false', 3, 'abcdef012345'),
      'heshare-energyWeight-0.5-dvfs-false-s3-abcdef012345',
    );
    assert.equal(runDirectoryName('../..', 1, 'x'), 'policy-s1-x');
  });

  it('shows a run only once it is whole', () => {
    const directory = new RunDirectory(folder.path, 'fifo-s1-x');
    directory.writeJson('run.json', { id: 'x' });
    assert.ok(!readdirSync(folder.path).includes('fifo-s1-x'));
    directory.commit();
    assert.deepEqual(readdirSync(folder.path), ['fifo-s1-x']);
  });

  it('leaves nothing behind when a run is given up', () => {
    const directory = new RunDirectory(folder.path, 'fifo-s1-x');
    directory.writeText('jobs.csv', ['a\n']);
    directory.discard();
    assert.deepEqual(readdirSync(folder.path), []);
  });

  it('replaces a run that exists', () => {
    for (const value of [1, 2]) {
      const directory = new RunDirectory(folder.path, 'fifo-s1-x');
      directory.writeJson('summary.json', { value });
      directory.commit();
    }
    assert.deepEqual(readdirSync(folder.path), ['fifo-s1-x']);
    const text = readFileSync(folder.file('fifo-s1-x/summary.json'), 'utf8');
    assert.deepEqual(JSON.parse(text), { value: 2 });
  });

  it('takes up a run only of the same id and program, with the timeline that is asked for', () => {
    const run = folder.file('run');
    mkdirSync(run);
    writeFileSync(path.join(run, 'run.json'), '{"id":"x","program":"p"}');
    assert.equal(readRun(run, 'x', 'p'), null, 'no summary yet');
    writeFileSync(path.join(run, 'summary.json'), '{"makespanS":1}');
    assert.equal(readRun(run, 'x', 'p')?.summary.makespanS, 1);
    assert.equal(readRun(run, 'y', 'p'), null);
    assert.equal(readRun(run, 'x', 'q'), null);
    assert.equal(readRun(run, 'x', 'p', true), null);
    writeFileSync(path.join(run, 'gpus.csv'), '');
    assert.notEqual(readRun(run, 'x', 'p', true), null);
  });

  it('does not take up a run whose files are damaged', () => {
    const run = folder.file('run');
    mkdirSync(run);
    writeFileSync(path.join(run, 'run.json'), '{"id":"x","pro');
    writeFileSync(path.join(run, 'summary.json'), '{}');
    assert.equal(readRun(run, 'x', 'p'), null);
  });

  it('replaces a file in one step', () => {
    replaceFile(folder.file('a.json'), 'one');
    replaceFile(folder.file('a.json'), 'two');
    assert.equal(readFileSync(folder.file('a.json'), 'utf8'), 'two');
    assert.deepEqual(readdirSync(folder.path), ['a.json']);
  });
});
