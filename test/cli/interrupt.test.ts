import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, FLAT } from './program.ts';

const folder = temporaryFolder();
const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      resolve(code);
    });
  });
  return { child, output, ended };
}

describe('heshare compare in a process of its own', () => {
  it('keeps what is finished when it is interrupted, compares it, and exits with 130', async () => {
    const out = folder.file('out');
    const jobs = ['--trace', `${FIXTURES}three-jobs.csv`, '--seeds', '1', '--workers', '2'];
    const policies = ['--policy', `fifo,${FIXTURES}waits.ts`];
    const { child, output, ended } = start('compare', ...FLAT, ...jobs, ...policies, '--out', out);
    const finished = () =>
      existsSync(out) && readdirSync(out).some((name) => name.startsWith('fifo-s1'));
    while (!finished() && child.exitCode === null) await pause(50);
    child.kill('SIGINT');
    assert.equal(await ended, 130, output.stderr);
    assert.match(output.stderr, /interrupted; 1 finished runs are kept, 1 are left/);
    const left = readdirSync(out);
    assert.ok(!left.some((name) => name.startsWith('.')), `left behind: ${left.join(', ')}`);
    const { runs } = JSON.parse(readFileSync(`${out}/comparison.json`, 'utf8')) as {
      runs: { label: string }[];
    };
    assert.deepEqual(
      runs.map(({ label }) => label),
      ['fifo'],
    );
  });

  it('writes progress as plain lines and no colours when it is no terminal', async () => {
    const jobs = ['--trace', `${FIXTURES}three-jobs.csv`, '--policy', 'fifo', '--workers', '1'];
    const { output, ended } = start('compare', ...FLAT, ...jobs, '--out', folder.file('out'));
    assert.equal(await ended, 0, output.stderr);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not occur
    assert.doesNotMatch(output.stdout + output.stderr, /\u001b/);
  });
});
