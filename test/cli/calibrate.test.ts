import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { missedGoals } from '../../cli/calibrate-validate.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { heshare } from './program.ts';

const folder = temporaryFolder();
const HEADER =
  'gpuType,workload,batch,coreMhz,powerCapW,share,coRunners,stepS,relativeSpeed,powerW';

function write(name: string, rows: readonly string[], header = HEADER): string {
  const file = folder.file(name);
  writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
  return file;
}

/** T = 0.3 + 0.7 / x and P = 40 + 20 + 100 V^2 x with a knee at 0.7 and slope 0.8, x of 1500 MHz. */
function sweep(workload: string, scaleS = 1): string[] {
  return [600, 750, 900, 1050, 1200, 1350, 1500].map((clock) => {
    const x = clock / 1500;
    const v = x <= 0.7 ? 1 : 1 + 0.8 * (x - 0.7);
    const stepS = scaleS * (0.3 + 0.7 / x);
    return `mine,${workload},8,${clock},,,,${stepS},,${60 + 100 * v * v * x}`;
  });
}

const PAIR = ['mine,a,8,,,,b|8|,,0.8,', 'mine,b,8,,,,a|8|,,0.6,'];

describe('heshare calibrate fit', () => {
  it('turns measurements into a profile file that compare runs on', async () => {
    const file = write('mine.csv', [...sweep('a'), ...sweep('b', 2), ...PAIR]);
    for (const out of [folder.file('p.yaml'), folder.file('p.json')]) {
      const fitted = await heshare('calibrate', 'fit', file, '--out', out);
      assert.equal(fitted.code, 0, fitted.stderr);
      assert.match(fitted.stdout, /^a-b8 +mine +7 \/ 7 +7 \/ 0 \/ 1 +0\.0/m);
      assert.match(fitted.stdout, /^\(all\) +mine +voltage\.knee +[\d.]+ \+- [\d.e-]+ +free/m);
      assert.match(fitted.stdout, /^a-b8 +mine +capFraction +1 +fixed +no cap binds$/m);
      assert.match(fitted.stdout, /^pairs +1$/m);
      assert.match(fitted.stdout, /^1 file, 16 points read, 16 kept$/m);
      const shown = await heshare('workloads', 'show', 'a-b8', '--profiles', out);
      assert.match(shown.stdout, /^mine +1000 ms +/m);
      const run = await heshare(
        ...['compare', '--profiles', out, '--reference-gpu', 'mine', '--cluster', '1x2:mine'],
        ...['--assign', 'fixed:workload=a-b8', '--policy', 'fifo', '--jobs', '10', '--seeds', '1'],
        ...['--out', folder.file('run'), '--json'],
      );
      assert.equal(run.code, 0, run.stderr);
    }
  });

  it('gives all of it as one JSON document, with standard errors and what was fixed', async () => {
    const file = write('j.csv', sweep('a'));
    const { code, stdout } = await heshare('calibrate', 'fit', file, '--json');
    assert.equal(code, 0);
    const document = JSON.parse(stdout) as {
      rows: { parameters: { name: string; standardError: number | null; status: string }[] }[];
      report: { kept: number };
      profile: { workloads: { onGpu: { mine: { time: { coreS: number } } } }[] };
    };
    assert.equal(document.report.kept, 7);
    const core = document.rows[0]?.parameters.find(({ name }) => name === 'time.coreS');
    assert.ok(core?.status === 'free' && core.standardError !== null);
    const coreS = document.profile.workloads[0]?.onGpu.mine.time.coreS ?? 0;
    assert.ok(Math.abs(coreS - 0.7) < 0.01, String(coreS));
  });

  it('keeps curve and context of a shipped type, and says so', async () => {
    const file = write('v.csv', sweep('a'));
    const { stdout } = await heshare('calibrate', 'fit', file, '--json');
    assert.match(stdout, /"gpus"/);
    const rows = sweep('a').map((row) => row.replace('mine', 'V100'));
    const kept = await heshare('calibrate', 'fit', write('w.csv', rows));
    assert.match(kept.stdout, /^kept +curve and context level of shipped types: V100$/m);
  });

  it('says what one clock and missing powers leave open', async () => {
    const one = await heshare('calibrate', 'fit', write('one.csv', ['mine,a,8,900,,,,1,,100']));
    assert.equal(one.code, 0);
    assert.match(one.stdout, /^ {2}1 workload at one clock only$/m);
    assert.match(one.stdout, /one clock only: nothing says how it depends on the clock/);
    assert.match(one.stdout, /^a-b8 +mine +time\.memoryS +0 +fixed +one clock/m);
    const none = await heshare('calibrate', 'fit', write('t.csv', ['mine,a,8,900,,,,1,,']));
    assert.match(none.stdout, /no power measured: its power is an assumption/);
  });

  it('counts a duplicated row and one without a value', async () => {
    const rows = sweep('a');
    const file = write('twice.csv', [...rows, rows[0] ?? '', 'mine,a,8,1400,,,,NaN,,NaN']);
    const { code, stdout } = await heshare('calibrate', 'fit', file);
    assert.equal(code, 0);
    assert.match(stdout, /1 +duplicated row|duplicated row: 1/);
    assert.match(stdout, /no value/);
  });

  const bad: readonly [what: string, rows: readonly string[], header: string, message: RegExp][] = [
    ['a missing column', ['a,1'], 'workload,stepS', /bad\.csv:1:1 .*expected/],
    [
      'a unit in the cell',
      ['mine,a,8,900,,,,1,,100 W'],
      HEADER,
      /bad\.csv:2:\d+ powerW: .*'100 W'/,
    ],
    ['a negative time', ['mine,a,8,900,,,,-1,,100'], HEADER, /bad\.csv:2:\d+ stepS: .*'-1'/],
    ['no rows', [], HEADER, /bad\.csv:/],
    ['NaN alone', ['mine,a,8,900,,,,NaN,,'], HEADER, /bad\.csv .*none that can be kept|bad\.csv:/],
    ['pairs alone', PAIR, HEADER, /expected measurements of workloads alone on a gpu, found none/],
  ];
  for (const [what, rows, header, message] of bad) {
    it(`refuses ${what} with one line`, async () => {
      const { code, stdout, stderr } = await heshare(
        ...['calibrate', 'fit', write('bad.csv', rows, header), '--format', 'csv'],
        ...['--out', folder.file('never.yaml')],
      );
      assert.equal(code, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1);
      assert.throws(() => readFileSync(folder.file('never.yaml')));
    });
  }

  it('refuses an unknown format, option and kind of profile file', async () => {
    const file = write('ok.csv', sweep('a'));
    const fails = async (message: RegExp, ...args: readonly string[]) => {
      const { code, stderr } = await heshare('calibrate', 'fit', file, ...args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    };
    await fails(/unknown format 'zues'.*did you mean 'zeus'/, '--format', 'zues');
    await fails(/expected NAME=VALUE, found 'gpu'/, '--set', 'gpu');
    await fails(/unknown option 'mising'.*did you mean 'missing'/, '--set', 'mising=drop');
    await fails(/expected FILE\.json or FILE\.yaml, found 'x\.txt'/, '--out', 'x.txt');
  });
});

describe('heshare calibrate validate', () => {
  it('runs schemes on files of your own, beside a naive predictor', async () => {
    const data = write('held.csv', [...sweep('a'), ...sweep('b', 3)]);
    const text = await heshare('calibrate', 'validate', 'clocks', '--data', data);
    assert.equal(text.code, 0, text.stderr);
    assert.match(text.stdout, /^1\. Locked core clocks$/m);
    assert.match(text.stdout, /alternate clocks +0\.00 % +0\.00 % .* 4\.\d+ % +4\.\d+ %$/m);
    assert.match(text.stdout, /^no line here has a goal$/m);
    const json = await heshare('calibrate', 'validate', 'clocks', '--data', data, '--json');
    const document = JSON.parse(json.stdout) as {
      schemes: { rows: { met: boolean | null; naivePower: number }[] }[];
      missed: string[];
    };
    assert.ok((document.schemes[0]?.rows[0]?.naivePower ?? 0) > 0.04);
    assert.deepEqual(document.missed, []);
  });

  it('names the goals that are missed', () => {
    const goal = { timeMape: 0.01, powerMape: null, worst: null, more: '' };
    const row = { what: 'x', powerMape: 0.5, worst: null, naiveTime: 1, naivePower: 1 };
    const rows = [0.02, 0.005, null].map((timeMape) => ({ ...row, timeMape, published: '' }));
    const schemes = [{ name: 's', goal, rows, notes: [] }];
    const figure = { what: 'y', source: '', published: 10, here: 12, within: 1 };
    const missed = missedGoals({
      schemes,
      literature: [figure, { ...figure, here: 11 }],
      read: {},
    });
    assert.deepEqual(missed, ['s: x', 'literature: y']);
  });

  it('says what it could not run', async () => {
    const data = write('few.csv', ['mine,a,8,900,,,,1,,100']);
    const { code, stdout } = await heshare('calibrate', 'validate', 'grids', '--data', data);
    assert.equal(code, 0);
    assert.match(stdout, /grids not run: the files hold nothing that it can hold out/);
  });

  it('refuses an unknown scheme, no data and a folder that is not there', async () => {
    const fails = async (message: RegExp, ...args: readonly string[]) => {
      const { code, stderr } = await heshare('calibrate', 'validate', ...args);
      assert.equal(code, 2);
      assert.match(stderr, message);
    };
    await fails(/set HESHARE_DATA or --data/);
    await fails(/unknown scheme 'clcoks'.*did you mean 'clocks'/, 'clcoks', '--data', '.');
    await fails(/no such file or folder/, '--data', folder.file('none'));
  });
});
