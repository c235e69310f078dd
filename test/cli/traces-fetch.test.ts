import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { byteText } from '../../cli/byte-progress.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { content, file, served } from '../traces/fetch/server.ts';
import { heshare } from './program.ts';

const folder = temporaryFolder();
const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const NAMES = ['AzureLLMInferenceTrace_code_1week.csv', 'AzureLLMInferenceTrace_conv_1week.csv'];

describe('heshare traces fetch', () => {
  it('fetches the files of a trace and says what is known of them', async () => {
    await served(file(Buffer.from('a,b\n')), async (url) => {
      const args = ['traces', 'fetch', 'azure-llm-2024', '--base-url', url, '--out', folder.path];
      const { code, stdout, stderr } = await heshare(...args);
      assert.equal(code, 0, stderr);
      assert.deepEqual(readdirSync(folder.file('azure-llm-2024')).toSorted(), NAMES);
      assert.match(stdout, /AzureLLMInferenceTrace_code_1week\.csv +4 B +fetched +no checksum is/);
      assert.match(stdout, /licence +CC BY 4\.0/);
      assert.match(stdout, /cite +Stojkovic et al\., DynamoLLM/);
      assert.match(stdout, /read it with +heshare traces info .*code_1week\.csv/);
      assert.match(stderr, /^AzureLLMInferenceTrace_code_1week\.csv\n/);

      const again = await heshare(...args, '--json', '--quiet');
      const report = JSON.parse(again.stdout) as { files: { state: string }[] };
      assert.deepEqual(
        report.files.map(({ state }) => state),
        ['there already', 'there already'],
      );
      assert.equal(again.stderr, '');
    });
  });

  it('ends with exit code 2 and an explanation where a checksum is wrong', async () => {
    await served(file(content(1871)), async (url) => {
      const args = ['fetch', 'tiresias', '--base-url', url, '--out', folder.path, '--quiet'];
      const { code, stdout, stderr } = await heshare('traces', ...args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /60_job\.csv has the wrong checksum: expected sha256 17575949.*found/);
      assert.deepEqual(readdirSync(folder.file('tiresias')), []);
    });
  });

  it('ends with exit code 2 for a name that there is not, and says which is meant', async () => {
    const { code, stderr } = await heshare('traces', 'fetch', 'heliox');
    assert.equal(code, 2);
    assert.match(stderr, /trace 'heliox' is unknown, did you mean 'helios'\?/);
  });

  it('ends with exit code 130 when it is interrupted, and goes on the next time', async () => {
    const bytes = content(100_000);
    const whole = file(bytes);
    const part = () => `${folder.file('acme')}/trace_kalos.csv.part`;
    await served(
      (request, response, turn) => {
        if (turn > 0) {
          whole(request, response, turn);
          return;
        }
        response.writeHead(200, { etag: '"v1"', 'content-length': bytes.length });
        response.write(bytes.subarray(0, 3000));
      },
      async (url) => {
        const args = ['traces', 'fetch', 'acme-kalos', '--base-url', url, '--out', folder.path];
        const child = spawn(process.execPath, ['--import', TSX, MAIN, ...args]);
        let stderr = '';
        child.stderr.on('data', (chunk: Buffer) => {
          stderr += chunk.toString();
        });
        const ended = new Promise((resolve) => child.on('close', resolve));
        const there = () => (existsSync(part()) ? statSync(part()).size : 0);
        while (there() < 3000 && child.exitCode === null) await pause(20);
        child.kill('SIGINT');
        const code = await ended;
        assert.equal(code, 130, stderr);
        assert.match(stderr, /interrupted; fetching again goes on from what there is/);
        assert.deepEqual(readFileSync(part()), bytes.subarray(0, 3000));

        const { code: now, stdout } = await heshare(...args);
        assert.equal(now, 0);
        assert.match(stdout, /trace_kalos\.csv +100 kB +resumed/);
      },
    );
  });
});

describe('heshare traces list', () => {
  it('shows the public traces with licence and citation', async () => {
    const { code, stdout } = await heshare('traces', 'list');
    assert.equal(code, 0);
    assert.match(stdout, /^trace +what it is +format +size +checksums +licence +cite\n/);
    assert.match(stdout, /\nlucid .* NON-COMMERCIAL only +Hu et al\., Lucid, ASPLOS 2023\n/);
    assert.match(stdout, /\nphilly +.*philly-json +1\.06 GB +all +CC BY 4\.0 +Jeon et al\./);
  });

  it('has all of it as JSON', async () => {
    const { stdout } = await heshare('traces', 'list', '--json');
    const { catalog } = JSON.parse(stdout) as {
      catalog: { name: string; files: { url: string; sha256: string | null }[] }[];
    };
    const philly = catalog.find(({ name }) => name === 'philly');
    assert.match(philly?.files[0]?.url ?? '', /^https:\/\/media\.githubusercontent\.com\/media\//);
    assert.match(philly?.files[0]?.sha256 ?? '', /^2037ccf6/);
  });
});

describe('a number of bytes', () => {
  it('is written in three digits', () => {
    const cases: [number, string][] = [
      [0, '0 B'],
      [999, '999 B'],
      [1000, '1.00 kB'],
      [9996, '10.0 kB'],
      [36_400_000, '36.4 MB'],
      [1_055_988_361, '1.06 GB'],
      [5e15, '5000 TB'],
    ];
    for (const [bytes, text] of cases) assert.equal(byteText(bytes), text);
  });
});
