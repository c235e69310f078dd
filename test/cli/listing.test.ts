import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { POLICIES } from '../../policies/registry.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, heshare } from './program.ts';

const folder = temporaryFolder();
const PROFILES = ['--profiles', `${FIXTURES}flat.yaml`];

async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await heshare(...args);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe('heshare policies', () => {
  it('lists every registered policy, also without a subcommand', async () => {
    const text = await done('policies');
    for (const { name } of POLICIES) assert.match(text, new RegExp(`^${name} `, 'm'));
    assert.equal(text, await done('policies', 'list'));
    const listed = JSON.parse(await done('policies', '--json')) as { name: string }[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      POLICIES.map(({ name }) => name),
    );
  });

  it('shows the options of one with their defaults and sources', async () => {
    const text = await done('policies', 'show', 'heshare');
    assert.match(text, /^energyWeight +0\.5 +0 \.\. 1 +assumed/m);
  });

  it('suggests the policy that is meant', async () => {
    const { code, stderr } = await heshare('policies', 'show', 'heshaer');
    assert.equal(code, 2);
    assert.equal(stderr, "heshare: policy 'heshaer' is unknown, did you mean 'heshare'?\n");
  });
});

describe('a command that lists', () => {
  const unknown = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await heshare(...args);
    assert.deepEqual([code, stdout], [2, '']);
    return stderr;
  };

  it('shows what is named behind it, and reads a trace', async () => {
    const pairs: readonly [string, string, ...string[]][] = [
      ['policies', 'show', 'heshare'],
      ['gpus', 'show', 'flat', ...PROFILES],
      ['workloads', 'show', 'unit', ...PROFILES],
      ['traces', 'info', `${FIXTURES}three-jobs.csv`, '--format', 'canonical-csv'],
    ];
    for (const [command, show, ...args] of pairs) {
      assert.equal(await done(command, ...args), await done(command, show, ...args));
    }
  });

  it('says no word twice of what it does not know, and names the command that is meant', async () => {
    assert.match(await unknown('policies', 'heshre'), /^heshare: policy 'heshre' is unknown, did/);
    assert.match(
      await unknown('gpus', 'show', 'V10O'),
      /^heshare: gpu type 'V10O' is unknown, did/,
    );
    assert.match(
      await unknown('workloads', 'x'),
      /^heshare: workload 'x' is unknown, expected one/,
    );
    assert.match(
      await unknown('traces', 'synth', 'phily'),
      /^heshare: generator 'phily' is unknow/,
    );
    for (const command of ['policies', 'gpus', 'workloads', 'traces']) {
      assert.equal(
        await unknown(command, 'lst'),
        `heshare: '${command} lst' is unknown, did you mean '${command} list'?\n`,
      );
    }
  });

  it('takes --seed, and says that it has no effect', async () => {
    const none = [
      ...['policies', 'gpus', 'workloads'].flatMap((name) => [`${name} list`, `${name} show`]),
      'traces list',
    ];
    for (const command of none) {
      assert.match(await done(...command.split(' '), '--help'), /--seed <n> +no effect here/);
    }
    const random = ['info', 'import', 'synth', 'fidelity'].map((name) => `traces ${name}`);
    for (const command of ['compare', 'run', ...random]) {
      assert.match(await done(...command.split(' '), '--help'), /--seed <n> +(first )?seed/);
    }
    assert.equal(await done('policies', '--seed', '3'), await done('policies'));
  });
});

describe('heshare gpus', () => {
  it("lists and shows GPU types, the user's own among them, with where numbers come from", async () => {
    assert.match(await done('gpus', ...PROFILES), /^flat +16 .*user$/m);
    const one = await done('gpus', 'show', 'flat', ...PROFILES);
    assert.match(one, /^idle, context +50 W, 50 W$/m);
    assert.match(one, /^all else +user +.*flat\.yaml$/m);
  });
});

describe('heshare workloads', () => {
  it('shows step time and power alone on each GPU type', async () => {
    assert.match(await done('workloads', 'list', ...PROFILES), /^unit +training +1 +flat, slow/m);
    const one = await done('workloads', 'show', 'unit', ...PROFILES);
    assert.match(one, /^flat +1000 ms +250 W +2\.00 GiB/m);
    assert.match(one, /^slow +2000 ms +100 W/m);
  });

  it('keeps the document with --out', async () => {
    await done('workloads', 'show', 'unit', ...PROFILES, '--out', folder.path, '--quiet');
    const kept = JSON.parse(readFileSync(folder.file('workload-unit.json'), 'utf8')) as {
      name: string;
    };
    assert.equal(kept.name, 'unit');
  });
});

describe('heshare traces', () => {
  it('lists formats with the columns they need, and assignment rules', async () => {
    const text = await done('traces');
    assert.match(text, /^canonical-csv +.*id, submit_s, duration_s, gpus$/m);
    assert.match(text, /^pollux-gpu-hours /m);
  });

  it('reports what a trace holds', async () => {
    assert.match(await done('traces', 'info', `${FIXTURES}three-jobs.csv`), /^jobs +3$/m);
    const report = JSON.parse(
      await done('traces', 'info', `${FIXTURES}three-jobs.csv`, '--json'),
    ) as {
      gangSizes: Record<string, number>;
    };
    assert.deepEqual(report.gangSizes, { 1: 2, 2: 1 });
  });

  it('generates a trace that it can import again, the same for the same seed', async () => {
    const synth = async (name: string) => {
      await done(
        'traces',
        'synth',
        'philly',
        '--jobs',
        '50',
        '--load',
        '0.8',
        '--seed',
        '3',
        '--out',
        folder.file(name),
      );
      return readFileSync(folder.file(`${name}/trace.csv`), 'utf8');
    };
    assert.equal(await synth('a'), await synth('b'));
    const again = await done(
      'traces',
      'import',
      folder.file('a/trace.csv'),
      '--out',
      folder.file('c'),
    );
    assert.match(again, /^jobs +50$/m);
    assert.equal(
      readFileSync(folder.file('c/trace.csv'), 'utf8'),
      readFileSync(folder.file('a/trace.csv'), 'utf8'),
    );
  });
});

describe('heshare', () => {
  it('prints help and its version with exit code 0, and a usage with 2 when it is told nothing', async () => {
    assert.match(await done('--help'), /Exit codes: 0 done/);
    assert.match(await done('--version'), /^\d+\.\d+\.\d+$/m);
    assert.equal((await heshare()).code, 2);
  });
});
