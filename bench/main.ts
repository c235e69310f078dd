/**
 * `npm run bench [-- core|policies] [-- --jobs N]`: speeds of the core and of every policy, each case
 * in a process of its own, as a table and as JSON. Never a test: machines differ and are shared, so
 * compare rows of one run.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { POLICIES } from '../policies/registry.ts';
import { type BenchCase, CORE_CASES, policyCases } from './cases.ts';

interface BenchResult {
  readonly name: string;
  readonly jobs: number;
  readonly cpuS: number;
  readonly jobsPerCpuS: number;
  readonly peakMib: number;
  readonly decisionP99Ms: number | null;
}

const jobsFlag = process.argv.indexOf('--jobs');
const policyJobs = jobsFlag < 0 ? 5_000 : Number(process.argv[jobsFlag + 1]);
const only = process.argv.find((word) => word === 'core' || word === 'policies');
const cases = [
  ...(only === 'policies' ? [] : CORE_CASES),
  ...(only === 'core'
    ? []
    : policyCases(
        POLICIES.map(({ name }) => name),
        policyJobs,
      )),
].filter(({ workload }) => workload !== 'philly' || process.env.HESHARE_DATA !== undefined);

function measure(bench: BenchCase): BenchResult | null {
  const script = fileURLToPath(new URL('./run-case.ts', import.meta.url));
  const child = spawnSync(process.execPath, ['--import', 'tsx', script, JSON.stringify(bench)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child.status === 0 ? (JSON.parse(child.stdout) as BenchResult) : null;
}

const table = new Table({
  head: ['case', 'jobs', 'cpu s', 'jobs per cpu s', 'peak MiB', 'decision p99 ms'],
  style: { head: [], border: [] },
});
const results: BenchResult[] = [];
for (const bench of cases) {
  process.stderr.write(`${bench.name} ...\n`);
  const result = measure(bench);
  if (result === null) {
    table.push([bench.name, 'failed', '', '', '', '']);
    continue;
  }
  results.push(result);
  table.push([
    result.name,
    result.jobs,
    result.cpuS.toFixed(2),
    Math.round(result.jobsPerCpuS),
    Math.round(result.peakMib),
    result.decisionP99Ms?.toFixed(3) ?? '-',
  ]);
}
console.log(table.toString());
console.log(JSON.stringify(results, null, 2));
if (results.length < cases.length) process.exitCode = 1;
