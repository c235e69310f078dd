import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, FLAT, heshare } from './program.ts';

const folder = temporaryFolder();
const JOBS = ['--trace', `${FIXTURES}three-jobs.csv`];
const HERE = ['--workers', '0'];

/** Runs `compare` in the world of round numbers and expects it to succeed. */
async function compare(...args: readonly string[]) {
  const out = folder.file('out');
  const called = await heshare('compare', ...FLAT, ...HERE, '--out', out, ...args);
  assert.equal(called.code, 0, called.stderr);
  return called;
}

function read(pattern: RegExp, file: string): string {
  const name = readdirSync(folder.file('out')).find((entry) => pattern.test(entry));
  assert.ok(name !== undefined, `no run like ${String(pattern)}`);
  return readFileSync(folder.file(`out/${name}/${file}`), 'utf8');
}

describe('heshare compare', () => {
  it('gives the hand-worked jobs, energy and table of three jobs on two GPUs', async () => {
    const { stdout } = await compare(
      ...JOBS,
      '--cluster',
      '1x2:flat',
      '--policy',
      'fifo',
      '--seeds',
      '1',
    );
    assert.equal(
      read(/^fifo-s1-[0-9a-f]{12}$/, 'jobs.csv'),
      `id,submitS,startS,endS,state,gpus,gpuTypes,workload,queueS,jctS,runS,preemptions,restarts,slowdown,energyJ
a,0,0,100,done,0,flat,unit,0,100,100,0,0,1,30000
b,0,0,100,done,1,flat,unit,0,100,100,0,0,1,30000
c,10,100,150,done,0 1,flat,unit,90,140,50,0,0,1,30000
`,
    );
    assert.match(
      stdout,
      /jobs: 3 submitted = 3 done \+ 0 failed \+ 0 rejected; energy conserved to /,
    );
    assert.match(stdout, /one seed only, so no interval can be stated/);
    assert.match(stdout, /reconstruction/);
  });

  it('keeps what each run was made from, and its time apart', async () => {
    await compare(...JOBS, '--policy', 'heshare:energyWeight=0.25', '--seeds', '1');
    const run = JSON.parse(read(/^heshare-energyWeight-0\.25-s1-/, 'run.json')) as {
      config: { policy: { options: Record<string, unknown> }; seed: number };
      inputs: { path: string; sha256: string }[];
      policy: { information: Record<string, unknown> };
      profiles: { workloadTerms: Record<string, number> };
      workload: { provenance: { assignment: { rule: string } } };
    };
    assert.equal(run.config.policy.options.energyWeight, 0.25);
    assert.equal(run.config.seed, 1);
    assert.deepEqual(
      run.inputs.map(({ path }) => path.replace(/^.*\//, '')),
      ['three-jobs.csv', 'flat.yaml'],
    );
    assert.match(run.inputs[0]?.sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.equal(run.policy.information.profile, 'all');
    assert.equal(run.workload.provenance.assignment.rule, 'fixed');
    assert.deepEqual(Object.keys(run.profiles.workloadTerms), ['user']);
    const files = readdirSync(
      folder.file(
        `out/${readdirSync(folder.file('out')).find((f) => f.startsWith('heshare')) ?? ''}`,
      ),
    );
    assert.deepEqual(files.sort(), ['jobs.csv', 'run.json', 'summary.json', 'timing.json']);
  });

  it('prints one JSON document and nothing else with --json', async () => {
    const { stdout, stderr } = await compare(
      ...JOBS,
      '--policy',
      'fifo,srtf',
      '--seeds',
      '2',
      '--json',
      '--quiet',
    );
    const document = JSON.parse(stdout) as { policies: { label: string }[]; runs: unknown[] };
    assert.deepEqual(
      document.policies.map(({ label }) => label),
      ['fifo', 'srtf'],
    );
    assert.equal(document.runs.length, 4);
    assert.equal(stderr, '');
  });

  it('says nothing at all with --quiet', async () => {
    const { stdout, stderr } = await compare(...JOBS, '--policy', 'fifo', '--quiet');
    assert.equal(stdout + stderr, '');
  });

  it('leaves the comparison as JSON, CSV, SVG and PNG', async () => {
    await compare(...JOBS, '--policy', 'fifo,srtf');
    const files = readdirSync(folder.file('out')).filter((name) => name.startsWith('comparison'));
    assert.deepEqual(files.sort(), [
      'comparison.csv',
      'comparison.json',
      'comparison.png',
      'comparison.svg',
    ]);
  });

  it('takes up finished runs, and makes them anew only with --force', async () => {
    const args = [...JOBS, '--policy', 'fifo,srtf', '--seeds', '2'];
    const first = await compare(...args, '--json');
    const timing = read(/^fifo-s1/, 'timing.json');
    const again = await compare(...args);
    assert.match(again.stdout, /4 runs were there already/);
    assert.equal(read(/^fifo-s1/, 'timing.json'), timing);
    const forced = await compare(...args, '--json', '--force');
    assert.equal(forced.stdout, first.stdout);
    assert.notEqual(read(/^fifo-s1/, 'timing.json'), timing);
  });

  it('gives byte-identical files for the same seed', async () => {
    const contents: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      await compare(
        '--jobs',
        '60',
        '--policy',
        'heshare',
        '--seeds',
        '1',
        '--seed',
        '7',
        '--force',
      );
      contents.push(read(/^heshare-s7/, 'jobs.csv') + read(/^heshare-s7/, 'summary.json'));
    }
    assert.equal(contents[0], contents[1]);
  });

  it('gives the same bytes on one worker, on two, and in one thread', async () => {
    const contents: string[] = [];
    for (const workers of ['0', '1', '2']) {
      const out = folder.file(`out${workers}`);
      const what = ['--jobs', '60', '--policy', 'fifo,heshare', '--seeds', '2', '--timeline'];
      const where = ['--workers', workers, '--out', out, '--quiet'];
      const { code, stderr } = await heshare('compare', ...FLAT, ...what, ...where);
      assert.equal(code, 0, stderr);
      const runs = readdirSync(out)
        .filter((name) => !name.startsWith('comparison'))
        .sort();
      assert.equal(runs.length, 4);
      const files = runs.flatMap((run) =>
        ['run.json', 'summary.json', 'jobs.csv', 'gpus.csv'].map((file) => `${run}/${file}`),
      );
      const all = [...files, 'comparison.json', 'comparison.csv', 'comparison.svg'];
      contents.push(
        all.map((file) => `${file}\n${readFileSync(`${out}/${file}`, 'utf8')}`).join('\n'),
      );
    }
    assert.equal(contents[0], contents[1]);
    assert.equal(contents[0], contents[2]);
  });

  it('counts seeds from --seed, and takes a list as it is', async () => {
    const seeds = async (...args: readonly string[]) => {
      const { stdout } = await compare(...JOBS, '--policy', 'fifo', '--json', ...args);
      return (JSON.parse(stdout) as { policies: { seeds: number[] }[] }).policies[0]?.seeds;
    };
    assert.deepEqual(await seeds('--seeds', '2', '--seed', '40'), [40, 41]);
    assert.deepEqual(await seeds('--seeds', '9,3'), [3, 9]);
  });

  it('runs a policy of the user from a path, and a file of the same name with other content anew', async () => {
    const { stdout } = await compare(
      ...JOBS,
      '--cluster',
      '1x2:flat',
      '--policy',
      `fifo,${FIXTURES}greedy.ts`,
    );
    assert.match(stdout, /\ngreedy +/);
    const jobs = (policy: RegExp) => read(policy, 'jobs.csv');
    assert.equal(jobs(/^greedy-s1/), jobs(/^fifo-s1/));
  });

  it('runs a .ts policy that lies outside of any package, in a thread of its own', async () => {
    const code = readFileSync(`${FIXTURES}greedy.ts`, 'utf8').replaceAll('../../../sim/', './');
    writeFileSync(folder.file('mine.ts'), code);
    const { stdout } = await compare(...JOBS, '--policy', folder.file('mine.ts'), '--workers', '1');
    assert.match(stdout, /\nmine +/);
  });

  it('does not let one run see what another left in the variables of a policy file', async () => {
    writeFileSync(
      folder.file('counts.js'),
      `let calls = 0;
export default {
  name: 'counts',
  decide(view) {
    calls += 1;
    if (calls > 3) throw new Error('state of another run');
    return [...view.queue].filter((job) => view.cluster.isFree(job.index)).map((job) => ({ kind: 'start', job, gpus: [job.index] }));
  },
};
`,
    );
    const { stdout } = await compare(
      '--trace',
      folder.file('one.csv'),
      '--policy',
      folder.file('counts.js'),
      '--seeds',
      '3',
    ).catch(() => ({ stdout: '' }));
    assert.equal(stdout, '', 'the trace does not exist yet');
    writeFileSync(folder.file('one.csv'), 'id,submit_s,duration_s,gpus\na,0,10,1\nb,5,10,1\n');
    await compare(
      '--trace',
      folder.file('one.csv'),
      '--policy',
      folder.file('counts.js'),
      '--seeds',
      '3',
    );
  });

  it('keeps a timeline whose powers integrate to the energy', async () => {
    await compare(
      ...JOBS,
      '--cluster',
      '1x2:flat',
      '--policy',
      'fifo',
      '--seeds',
      '1',
      '--timeline',
    );
    const [head, ...lines] = read(/^fifo-s1/, 'gpus.csv')
      .trimEnd()
      .split('\n');
    assert.equal(head, 'gpu,fromS,toS,clockMhz,powerW,jobs,shares');
    const joules = lines
      .map((line) => line.split(',').map(Number) as [number, number, number, number, number])
      .reduce((sum, [, fromS, toS, , powerW]) => sum + (toS - fromS) * powerW, 0);
    const summary = JSON.parse(read(/^fifo-s1/, 'summary.json')) as { energyJ: { total: number } };
    assert.equal(joules, summary.energyJ.total);
  });

  it('scales a trace to an offered load and takes its first jobs', async () => {
    const { stdout } = await compare(
      ...JOBS,
      '--cluster',
      '1x2:flat',
      '--policy',
      'fifo',
      '--load',
      '0.5',
    );
    assert.match(stdout, /3 jobs a seed, offered load 0\.50 on 1x2:flat \(2 GPUs\)/);
    const two = await compare(...JOBS, '--policy', 'fifo', '--jobs', '2');
    assert.match(two.stdout, /2 jobs a seed/);
  });

  it('takes options of the simulation', async () => {
    await compare(...JOBS, '--policy', 'fifo', '--sim', 'hostPowerW=100', '--sim', 'costs.start=5');
    const summary = JSON.parse(read(/^fifo-s1/, 'summary.json')) as { energyJ: { host: number } };
    assert.ok(summary.energyJ.host > 0);
  });
});
