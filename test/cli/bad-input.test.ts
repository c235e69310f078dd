import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, FLAT, heshare } from './program.ts';

const folder = temporaryFolder();
/** Makes an experiment file need none of the shipped profiles. */
const WORLD = `profiles: ['${FIXTURES}flat.yaml']
workload: { referenceGpu: flat, assign: { rule: fixed, options: { workload: unit } } }
cluster: 1x2:flat
`;
const HEAD = 'id,submit_s,duration_s,gpus\n';

/** Calls the program and expects exit code 2 and one line that says this. */
async function refused(pattern: RegExp, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await heshare(...args);
  assert.equal(code, 2, `${stdout}${stderr}`);
  assert.match(stderr, pattern);
  assert.equal(stderr.trimEnd().split('\n').length, 1, `not one line: ${stderr}`);
  assert.equal(stdout, '');
}

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(folder.file(name), content);
  return folder.file(name);
}

function compare(...args: readonly string[]): readonly string[] {
  return ['compare', '--workers', '0', '--out', folder.file('out'), ...args];
}

function yaml(text: string): readonly string[] {
  return ['run', file('exp.yaml', text), '--workers', '0', '--out', folder.file('out')];
}

describe('bad usage', () => {
  it('names the command or option that is meant', async () => {
    await refused(/unknown command 'compar' \(Did you mean compare\?\)/, 'compar');
    await refused(
      /unknown option '--polcy' \(Did you mean --policy\?\)/,
      'compare',
      '--polcy',
      'x',
    );
  });

  it('says what a number should have been', async () => {
    await refused(
      /--jobs.*expected a whole number from 1, found 'many'/,
      ...compare('--jobs', 'many'),
    );
    await refused(/--load.*expected a number above 0, found '-1'/, ...compare('--load=-1'));
    await refused(/--seeds/, ...compare('--seeds', '1.5'));
    await refused(/--seeds.*seed 2 is listed twice/, ...compare(...FLAT, '--seeds', '1,2,2'));
  });

  it('names the policy, GPU type, preset, rule, format, generator or reference that is meant', async () => {
    await refused(
      /--policy unknown policy 'fifoo', did you mean 'fifo'\?/,
      ...compare(...FLAT, '--policy', 'fifoo'),
    );
    await refused(
      /--cluster unknown gpu type 'flet', did you mean 'flat'\?/,
      ...compare(...FLAT, '--cluster', '1x1:flet'),
    );
    await refused(
      /--cluster unknown cluster 'smal', did you mean 'small'\?/,
      ...compare('--cluster', 'smal'),
    );
    await refused(
      /--assign.*unknown assignment rule 'fixd', did you mean 'fixed'\?/,
      ...compare(...FLAT, '--assign', 'fixd'),
    );
    await refused(
      /--assign.*unknown workload 'unot', did you mean 'unit'\?/,
      ...compare(...FLAT, '--assign', 'fixed:workload=unot'),
    );
    await refused(/--synth.*'phily', did you mean 'philly'\?/, ...compare('--synth', 'phily'));
    await refused(
      /--format unknown trace format 'openbb', did you mean 'openb'\?/,
      ...compare(...FLAT, '--trace', file('t.csv', HEAD), '--format', 'openbb'),
    );
    await refused(
      /--reference unknown reference policy 'fifi', did you mean 'fifo'\?/,
      ...compare(...FLAT, '--policy', 'fifo,srtf', '--reference', 'fifi'),
    );
  });

  it('names the option of a policy or of the simulation that is meant', async () => {
    await refused(
      /--policy policy 'heshare' has no option 'energyWieght', did you mean 'energyWeight'\?/,
      ...compare(...FLAT, '--policy', 'heshare:energyWieght=1'),
    );
    await refused(
      /--sim failures\.gpuMtbfs.*did you mean 'gpuMtbfS'/,
      ...compare('--sim', 'failures.gpuMtbfs=1'),
    );
    await refused(/--sim switchingLoss.*less than 1/, ...compare('--sim', 'switchingLoss=2'));
    await refused(
      /--sim expected key=value, found 'hostPowerW'/,
      ...compare('--sim', 'hostPowerW'),
    );
  });

  it('refuses two policies with one label, and a trace together with a generator', async () => {
    await refused(/two policies are called 'fifo'/, ...compare(...FLAT, '--policy', 'fifo,fifo'));
    await refused(
      /trace and synth exclude each other/,
      ...compare('--trace', 'a', '--synth', 'philly'),
    );
    await refused(/--format 'format' needs a trace/, ...compare(...FLAT, '--format', 'openb'));
  });
});

describe('a bad experiment file', () => {
  it('is named with line, column, field and the key that is meant', async () => {
    await refused(
      /exp\.yaml:2:1 seds: unknown key, did you mean 'seeds'\?/,
      ...yaml('name: x\nseds: 3\n'),
    );
    await refused(
      /exp\.yaml:2:3 workload\.jobz: unknown key, did you mean 'jobs'\?/,
      ...yaml('workload:\n  jobz: 3\n'),
    );
    await refused(
      /exp\.yaml:2:15 simulation\.hostPowerW: expected a number, found 'much'/,
      ...yaml('simulation:\n  hostPowerW: much\n'),
    );
  });

  it('is named with the line of a policy, GPU type or option that does not exist', async () => {
    await refused(
      /exp\.yaml:6:5 policies\.1\.name: unknown policy 'srft', did you mean 'srtf'\?/,
      ...yaml(`${WORLD}policies:\n  - fifo\n  - srft\n`),
    );
    await refused(
      /exp\.yaml:1:10 cluster: unknown gpu type 'V10O'/,
      ...yaml('cluster: 1x1:V10O\n'),
    );
    await refused(
      /exp\.yaml:6:14 policies\.0\.options: .*no option 'dfvs', did you mean 'dvfs'\?/,
      ...yaml(`${WORLD}policies:\n  - name: heshare\n    options: { dfvs: false }\n`),
    );
  });

  it('is refused when it is not YAML, is empty of sense, binary, a folder or absent', async () => {
    await refused(/exp\.yaml:\d+:\d+ /, ...yaml('policies: [fifo\n'));
    await refused(/expected a mapping/, ...yaml('- fifo\n'));
    await refused(/exp\.yaml:2:1 .*unique/, ...yaml('seeds: 1\nseeds: 2\n'));
    await refused(/binary/, 'run', file('b.yaml', Uint8Array.of(0, 1, 2)));
    await refused(/folder/, 'run', folder.path);
    await refused(/nowhere\.yaml no such file/, 'run', folder.file('nowhere.yaml'));
  });
});

describe('a bad trace', () => {
  const trace = (content: string | Uint8Array) =>
    compare(...FLAT, '--trace', file('t.csv', content));

  it('is refused when it is empty, has no jobs, or is of no known format', async () => {
    await refused(/t\.csv.* empty/, ...trace(''));
    await refused(/t\.csv has no jobs: 0 rows read/, ...trace(HEAD));
    await refused(/t\.csv:1 format not recognised/, ...trace('a,b\n1,2\n'));
  });

  it('is refused with the column that is meant', async () => {
    await refused(/t\.csv:1.*duration_s/, ...trace('id,submit_s,duratoin_s,gpus\na,0,1,1\n'));
  });

  it('is refused when it is binary, cut off, a folder without a trace or absent', async () => {
    await refused(/t\.csv is binary/, ...trace(Buffer.from(`${HEAD}a,0,1\0,1\n`)));
    await refused(/t\.csv is cut off: the gzip/, ...trace(Uint8Array.of(0x1f, 0x8b, 8, 0)));
    await refused(/is a folder without a trace/, ...compare(...FLAT, '--trace', folder.path));
    await refused(
      /nowhere\.csv no such file/,
      ...compare(...FLAT, '--trace', folder.file('nowhere.csv')),
    );
  });

  it('is refused with line and column of a row that ends early', async () => {
    await refused(/t\.csv:3.* expected 4 cells, found 2/, ...trace(`${HEAD}a,0,1,1\nb,0\n`));
  });

  it('is taken with CRLF, with a byte order mark, and with a name that is a formula', async () => {
    const rows = ['id,submit_s,duration_s,gpus', '"=1+1, ""x""",0,10,1', 'b,5,10,1'];
    const content = `\uFEFF${rows.join('\r\n')}\r\n`;
    const { code, stderr } = await heshare(...trace(content), '--policy', 'fifo', '--seeds', '1');
    assert.equal(code, 0, stderr);
  });
});

describe('bad profiles', () => {
  it('are refused with line and column', async () => {
    const bad = file('p.yaml', 'gpus:\n  - name: x\n    memoryGib: -5\n    idlePowerW: 50\n');
    await refused(/p\.yaml:3:16 gpus\.0\.memoryGib: .*-5/, ...compare('--profiles', bad));
  });
});

describe('a bad policy file', () => {
  const policy = (content: string) =>
    compare(...FLAT, '--jobs', '5', '--policy', file('mine.ts', content));

  it('is refused when it is absent, does not parse, or exports no policy', async () => {
    await refused(
      /nowhere\.ts no such file/,
      ...compare(...FLAT, '--policy', folder.file('nowhere.ts')),
    );
    await refused(/mine\.ts:1:\d+ cannot be loaded/, ...policy('export default {{;\n'));
    await refused(/mine\.ts has no default export/, ...policy('export const a = 1;\n'));
  });

  it('ends with exit code 2 and the rule it broke when it decides the impossible', async () => {
    const decide =
      'function* (view) { for (const job of view.queue) yield { kind: "start", job, gpus: [99] }; }';
    const { code, stderr } = await heshare(...policy(`export default ${decide};\n`));
    assert.equal(code, 2);
    assert.match(stderr, /mine, seed 1: .*policy 'mine'.*gpu 99/);
  });

  it('ends with exit code 2 and the place in the file when it throws', async () => {
    const { code, stderr } = await heshare(...policy('export default () => {\n  null.x;\n};\n'));
    assert.equal(code, 2);
    assert.match(stderr, /mine, seed 1: .*mine\.ts:2:8 the policy threw TypeError: /);
  });

  it('ends with exit code 2 when it leaves jobs over, or throws what is no error', async () => {
    const lazy = await heshare(...policy('export default () => [];\n'));
    assert.equal(lazy.code, 2);
    assert.match(lazy.stderr, /mine, seed 1: policy 'mine' left jobs over at .* 5 of 5 jobs/);
    const thrown = await heshare(...policy('export default () => {\n  throw "no";\n};\n'));
    assert.equal(thrown.code, 2);
    assert.match(thrown.stderr, /mine, seed 1: .*mine\.ts the policy threw no, expected an Error/);
    await refused(/mine\.ts cannot be loaded: threw 5/, ...policy('throw 5;\n'));
  });

  it('does not keep the other policies from being compared', async () => {
    const { code, stdout } = await heshare(
      ...policy('export default () => {\n  throw new Error("no");\n};\n'),
      '--policy',
      'fifo',
      '--json',
    );
    assert.equal(code, 2);
    const document = JSON.parse(stdout) as { runs: unknown[]; failures: { label: string }[] };
    assert.equal(document.runs.length, 3);
    assert.deepEqual(
      document.failures.map(({ label }) => label),
      ['mine', 'mine', 'mine'],
    );
  });
});
