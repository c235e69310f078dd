/**
 * Runs one case, given as JSON, in a process of its own and prints what it took as JSON. It measures
 * the built package, so that no loader stands between the code and the clock.
 */
import path from 'node:path';
import type { BenchCase } from './cases.ts';

const built = new URL('../dist/harness/', import.meta.url).href;
const { resolveExperiment } = (await import(
  `${built}resolve.js`
)) as typeof import('../harness/resolve.ts');
const { createPolicy, loadPolicyDefinition } = (await import(
  `${built}policies.js`
)) as typeof import('../harness/policies.ts');
const { loadProfiles } = (await import(
  `${built}profiles.js`
)) as typeof import('../harness/profiles.ts');
const { buildWorkload } = (await import(
  `${built}workload.js`
)) as typeof import('../harness/workload.ts');
const { simulate } = (await import(
  new URL('../dist/sim/simulate.js', import.meta.url).href
)) as typeof import('../sim/simulate.ts');

/** CPU seconds spent on the case before the clock starts: the compiler is not what is measured. */
const WARM_UP_S = 2;
const WARM_UP_JOBS = 20_000;

const bench = JSON.parse(process.argv[2] ?? '') as BenchCase;

async function prepare(jobs: number) {
  const flat = bench.gpuTypes === 'flat';
  const perNode = 8;
  const third = Math.floor(bench.gpus / perNode / 3);
  const experiment = await resolveExperiment(
    {
      name: 'bench',
      workload: {
        jobs,
        ...(bench.workload === 'philly'
          ? {
              trace: path.join(
                process.env.HESHARE_DATA ?? '',
                'traces/philly-derived/pollux_philly.csv',
              ),
            }
          : {
              synth: {
                generator: 'philly' as const,
                maxGpus: 64,
                maxDurationS: 'none' as const,
              },
              load: bench.load,
            }),
        ...(flat
          ? { assign: { rule: 'fixed', options: { workload: 'flat' } }, referenceGpu: 'FLAT' }
          : {}),
      },
      cluster: {
        name: `${bench.gpus} gpus`,
        groups: flat
          ? [{ gpuType: 'FLAT', gpusPerNode: perNode, nodes: bench.gpus / perNode }]
          : [
              { gpuType: 'V100', gpusPerNode: perNode, nodes: bench.gpus / perNode - 2 * third },
              { gpuType: 'P100', gpusPerNode: perNode, nodes: third },
              { gpuType: 'A40', gpusPerNode: perNode, nodes: third },
            ],
      },
      policies: [{ name: bench.policy, options: {} }],
      seeds: [1],
      ...(flat ? { profiles: ['flat.yaml'] } : {}),
    },
    { folder: import.meta.dirname },
  );
  const profiles = loadProfiles(experiment);
  const workload = await buildWorkload(experiment.workload, 1, experiment.cluster, profiles);
  return { experiment, profiles, jobs: workload.jobs };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function run({ experiment, profiles, jobs }: Prepared, decidedMs: number[] | null) {
  const [policy] = experiment.policies;
  if (policy === undefined) throw new Error('no policy');
  const definition = await loadPolicyDefinition(policy.name, null);
  const { cluster, simulation: options } = experiment;
  const maker = createPolicy(definition, policy, 1, experiment, profiles);
  const observer =
    decidedMs === null
      ? {}
      : { stopwatchMs: () => performance.now(), decided: (ms: number) => void decidedMs.push(ms) };
  return simulate({ jobs, cluster, profiles, options, seed: 1 }, maker, observer);
}

const cpuSince = (before?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};
const prepared = await prepare(bench.jobs);
const warmUp = bench.jobs <= WARM_UP_JOBS ? prepared : await prepare(WARM_UP_JOBS);
const started = process.cpuUsage();
while (cpuSince(started) < WARM_UP_S) await run(warmUp, null);
const cpuS: number[] = [];
let finished = 0;
for (let i = 0; i < bench.repeats; i += 1) {
  const before = process.cpuUsage();
  const { summary } = await run(prepared, null);
  cpuS.push(cpuSince(before));
  finished = summary.jobs.done + summary.jobs.failed + summary.jobs.rejected;
}
const decidedMs: number[] = [];
if (bench.jobs <= 20_000) await run(prepared, decidedMs);
decidedMs.sort((a, b) => a - b);
cpuS.sort((a, b) => a - b);
const medianS = cpuS[Math.floor(cpuS.length / 2)] ?? NaN;
console.log(
  JSON.stringify({
    name: bench.name,
    jobs: finished,
    cpuS: medianS,
    jobsPerCpuS: finished / medianS,
    peakMib: process.resourceUsage().maxRSS / 1024,
    decisionP99Ms: decidedMs[Math.floor(decidedMs.length * 0.99)] ?? null,
  }),
);
