import assert from 'node:assert/strict';
import path from 'node:path';
import { ESLint, Linter, RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { importDirections, layers, pureLayers } from '../../scripts/eslint-import-directions.js';
import { pureRules } from '../../scripts/eslint-pure-layers.js';

const root = path.resolve(import.meta.dirname, '../..');
const file = (name: string) => path.join(root, name);

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

const allowed = (filename: string, code: string) => ({
  name: `${filename} may say: ${code}`,
  filename: file(filename),
  code,
});
const refused = (filename: string, code: string, messageId = 'direction') => ({
  name: `${filename} may not say: ${code}`,
  filename: file(filename),
  code,
  errors: [{ messageId }],
});

tester.run('import-directions', importDirections, {
  valid: [
    allowed('sim/gpu/power.ts', "import { a } from '../time/calendar.ts';"),
    allowed('sim/random.ts', "import seedrandom from 'seedrandom';"),
    allowed('sim/invariants.ts', "import assert from 'node:assert/strict';"),
    allowed('policies/fifo.ts', "import type { View } from '../sim/view.ts';"),
    allowed('traces/workload.ts', "import { a } from '../sim/job.ts';"),
    allowed('traces/fetch.ts', "import { createReadStream } from 'node:fs';"),
    allowed('calibration/hardware/run.ts', "import { spawn } from 'node:child_process';"),
    allowed('calibration/profiles.ts', "import type { GpuType } from '../sim/gpu/profile.ts';"),
    allowed('harness/launch/local.ts', "import { a } from '../../policies/registry.ts';"),
    allowed('harness/launch/local.ts', "export { a } from '../../calibration/profiles.ts';"),
    allowed('harness/run.ts', "import { a } from '../traces/workload.ts';"),
    allowed('harness/run.ts', 'await import(userPolicyFile);'),
    allowed('cli/main.ts', "import { a } from '../harness/run.ts';"),
    allowed('cli/main.ts', "import { a } from '../sim/simulate.ts';"),
    allowed('index.ts', "export * from './cli/main.ts';"),
    allowed('bench/main.ts', "import { a } from '../cli/main.ts';"),
    allowed('test/sim/a.test.ts', "import { a } from '../../harness/run.ts';"),
  ],
  invalid: [
    refused('sim/simulate.ts', "import { a } from '../policies/registry.ts';"),
    refused('sim/gpu/power.ts', "import { a } from '../../harness/run.ts';"),
    refused('sim/job.ts', "import type { A } from '../traces/workload.ts';"),
    refused('sim/job.ts', "export * from '../cli/main.ts';"),
    refused('sim/job.ts', "export { a } from '../calibration/profiles.ts';"),
    refused('sim/job.ts', "await import('../policies/registry.ts');"),
    refused('sim/job.ts', 'await import(`../policies/registry.ts`);'),
    refused('sim/job.ts', "type A = import('../policies/policy.ts').Policy;"),
    refused('sim/job.ts', "import a = require('../policies/policy.ts');"),
    refused('sim/job.ts', "require('../policies/policy.ts');"),
    // A folder of the same name elsewhere, and a way round by a longer path, are seen through.
    refused('sim/job.ts', "import { a } from '../harness/sim/job.ts';"),
    refused('sim/gpu/power.ts', "import { a } from './../../sim/../policies/policy.ts';"),
    refused('sim/job.ts', "import { a } from '../index.ts';"),
    refused('sim/job.ts', "import { a } from '../../elsewhere/a.ts';"),
    refused('sim/job.ts', "import { a } from 'heshare';", 'self'),
    refused('sim/job.ts', 'await import(name);', 'computed'),
    refused('sim/job.ts', "import fs from 'node:fs';", 'builtin'),
    refused('sim/job.ts', "import fs from 'fs/promises';", 'builtin'),
    refused('sim/job.ts', "import { Worker } from 'node:worker_threads';", 'builtin'),
    refused('sim/job.ts', "import path from 'node:path';", 'builtin'),
    refused('policies/fifo.ts', "import fs from 'node:fs';", 'builtin'),
    refused('policies/fifo.ts', "import { a } from '../traces/workload.ts';"),
    refused('policies/fifo.ts', "import { a } from '../harness/run.ts';"),
    refused('traces/workload.ts', "import { a } from '../policies/policy.ts';"),
    refused('traces/workload.ts', "import { a } from '../calibration/profiles.ts';"),
    refused('calibration/profiles.ts', "import { a } from '../traces/workload.ts';"),
    refused('calibration/profiles.ts', "import { a } from '../policies/policy.ts';"),
    refused('harness/run.ts', "import { a } from '../cli/main.ts';"),
    refused('cli/main.ts', "import { a } from '../test/helper.ts';"),
  ],
});

describe('the rules of the pure layers', () => {
  const findings = (code: string) =>
    new Linter().verify(code, { rules: pureRules }).map((message) => message.ruleId);

  for (const code of [
    'Math.random();',
    'const { random } = Math;',
    'Date.now();',
    'performance.now();',
    'new Date();',
    'Date();',
    'globalThis.Math.random();',
    'process.hrtime();',
  ]) {
    it(`refuse ${code}`, () => {
      assert.equal(findings(code).length, 1);
    });
  }

  for (const code of ['Math.max(1, 2);', 'new Date(0).toISOString();', 'rng.random();']) {
    it(`allow ${code}`, () => {
      assert.deepEqual(findings(code), []);
    });
  }
});

describe('the lint configuration of the repository', () => {
  const eslint = new ESLint({ cwd: root });
  const rulesOf = async (name: string) => {
    const config = (await eslint.calculateConfigForFile(file(name))) as Linter.Config;
    return config.rules ?? {};
  };

  it('checks import directions in every layer', async () => {
    for (const layer of Object.keys(layers)) {
      const rules = await rulesOf(`${layer}/any.ts`);
      assert.deepEqual(rules['heshare/import-directions'], [2], layer);
    }
  });

  it('forbids clocks and random sources in the pure layers only', async () => {
    for (const layer of Object.keys(layers)) {
      const rules = await rulesOf(`${layer}/deep/any.ts`);
      assert.equal('no-restricted-properties' in rules, pureLayers.includes(layer), layer);
    }
  });
});
