import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { ASSIGNMENT_RULES } from '../../traces/index.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, heshare } from './program.ts';

const folder = temporaryFolder();
const TRACE = ['--trace', `${FIXTURES}three-jobs.csv`];
const WORLD = ['--profiles', `${FIXTURES}flat.yaml`, '--cluster', '2x2:flat', '--policy', 'fifo'];
const ONE_RUN = ['--seeds', '1', '--workers', '0', '--quiet'];

function compare(...args: readonly string[]) {
  return heshare('compare', ...WORLD, ...ONE_RUN, '--out', folder.file('out'), ...args);
}

/** Ids of the runs, which are the same for the same experiment. */
async function ids(...args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await compare('--json', ...args);
  assert.equal(code, 0, stderr);
  return (JSON.parse(stdout) as { runs: { id: string }[] }).runs.map(({ id }) => id);
}

async function refused(pattern: RegExp, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await compare(...args);
  assert.equal(code, 2, `${stdout}${stderr}`);
  assert.match(stderr, pattern);
  assert.equal(stderr.trimEnd().split('\n').length, 1, `not one line: ${stderr}`);
}

describe('--assign', () => {
  it('says how the options of each rule are written, and what was found', async () => {
    const cases: readonly [string, RegExp][] = [
      ['fixed', /^heshare: --assign fixed: expected workload=NAME, found no options$/m],
      ['fixed:workload=7', /--assign fixed: expected workload=NAME, found workload=7$/m],
      ['fixed:workloda=unit', /found workloda="unit", did you mean 'workload'\?/],
      ['fixed:{workload: [unit]}', /--assign fixed: expected workload=NAME/],
      ['fixed:{', /--assign not readable as YAML/],
      ['fixed:', /--assign expected option=value behind 'fixed:'/],
      ['uniform', /--assign uniform: expected NAME,\.\.\. or \{workloads: \[NAME, \.\.\.\]\}/],
      ['uniform:workloads=unit', /--assign uniform: expected .*found workloads="unit"/],
      ['zeus-runtime:k=6', /--assign zeus-runtime: expected no options, found k=6/],
      ['gavel-mix:k=6', /--assign gavel-mix: expected no options, found k=6/],
      [
        'pai-tag:fallback=gavel',
        /--assign pai-tag: expected no options, fallback=RULE or .*found fallback="gavel"/,
      ],
      ['pollux-gpu-hours:k=6', /--assign pollux-gpu-hours: expected no options, found k=6/],
      ['column', /--assign column: expected a trace that names models, found a generator/],
    ];
    for (const [rule, pattern] of cases) await refused(pattern, '--assign', rule);
    const named = new Set(cases.map(([rule]) => rule.replace(/:.*$/, '')));
    assert.deepEqual([...named].sort(), [...ASSIGNMENT_RULES.keys()].sort());
    await refused(
      /--assign column: expected no options or \{map: /,
      ...TRACE,
      ...['--assign', 'column:{map: x}'],
    );
  });

  it('names the trace as well where its jobs name no model, or one without a profile', async () => {
    const pattern = /three-jobs\.csv --assign column: 3 of 3 jobs name no model; use another rule/;
    await refused(pattern, ...TRACE, '--assign', 'column');
    const file = folder.file('models.csv');
    writeFileSync(file, 'id,submit_s,duration_s,gpus,workload\na,0,10,1,unot\n');
    await refused(/models\.csv --assign column: .*did you mean 'unit'/, '--trace', file);
  });

  it('takes just the names of workloads', async () => {
    const long = await ids(...TRACE, '--assign', 'fixed:workload=unit');
    assert.deepEqual(await ids(...TRACE, '--assign', 'fixed:unit'), long);
    await refused(/unknown workload 'unot', did you mean 'unit'/, '--assign', 'fixed:unot');
    const list = await ids(...TRACE, '--assign', 'uniform:{workloads: [unit, unit]}');
    assert.deepEqual(await ids(...TRACE, '--assign', 'uniform:unit, unit'), list);
  });

  it('is written in a file as on the command line', async () => {
    const run = (assign: string) => {
      const text = `profiles: ['${FIXTURES}flat.yaml']\nworkload:\n  assign: ${assign}\n`;
      writeFileSync(folder.file('e.yaml'), text);
      const args = ['--cluster', '1x2:flat', '--policy', 'fifo', '--jobs', '5'];
      return heshare('run', folder.file('e.yaml'), ...args, ...ONE_RUN, '--out', folder.file('o'));
    };
    const { code, stderr } = await run('fixed:unit');
    assert.equal(code, 0, stderr);
    assert.match((await run('fixed')).stderr, /e\.yaml:3:11 .*fixed: expected workload=NAME/);
  });
});

describe('--synth', () => {
  const DEFAULT = ['--cluster', '2x8:flat', '--assign', 'fixed:unit', '--jobs', '20'];

  it('philly is what runs without it; its limits are moved and lifted by name', async () => {
    const usual = await ids(...DEFAULT);
    assert.deepEqual(await ids(...DEFAULT, '--synth', 'philly'), usual);
    const stated = ['--synth', 'philly:maxGpus=8,maxDurationS=86400'];
    assert.deepEqual(await ids(...DEFAULT, ...stated), usual);
    for (const limits of ['maxGpus=none', 'maxDurationS=none', 'maxGpus=4', 'maxDurationS=600']) {
      assert.notDeepEqual(await ids(...DEFAULT, '--synth', `philly:${limits}`), usual, limits);
    }
  });

  it('names the limit that is wrong, what was expected and what was found', async () => {
    await refused(
      /--synth maxGpus expected a whole number from 1 or 'none', found 0$/m,
      ...['--synth', 'philly:maxGpus=0'],
    );
    await refused(
      /--synth maxDurationS expected .*'none', found 'non', did you mean 'none'\?/,
      ...['--synth', 'philly:maxDurationS=non'],
    );
    await refused(
      /--synth ratePerS expected a number above 0, found 'x'/,
      ...['--synth', 'philly:ratePerS=x'],
    );
    await refused(
      /--synth settings generator philly: has no option 'maxgpus': it has none/,
      ...['--synth', 'philly:maxgpus=4'],
    );
    await refused(
      /--synth settings generator helios: cluster: .*found 'Venis'; did you mean 'Venus'\?/,
      ...['--synth', 'helios:cluster=Venis'],
    );
    await refused(
      /--synth settings generator poisson: gpus: .*the limit maxGpus=4, found 8/,
      ...['--synth', 'poisson:gpus=8'],
    );
    await refused(
      /--synth generator expected one of philly, .*found 'phily', did you mean 'philly'\?/,
      ...['--synth', 'phily'],
    );
  });
});

describe('heshare traces', () => {
  it('names the flag whose value cannot be read', async () => {
    const cases: readonly [RegExp, readonly string[]][] = [
      [/--format expected option=value/, ['info', TRACE[1] ?? '', '--format', 'openb:x']],
      [/--cluster '3xx' is no cluster/, ['synth', 'philly', '--load', '1', '--cluster', '3xx']],
      [/--max-duration .*from 1, found '0.5'/, ['synth', 'philly', '--max-duration', '0.5']],
    ];
    for (const [pattern, args] of cases) {
      const { code, stderr } = await heshare('traces', ...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, pattern);
    }
  });
});
