import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { DEFAULTS } from '../../harness/defaults.ts';
import { planTasks } from '../../harness/experiment.ts';
import { resolveExperiment } from '../../harness/resolve.ts';
import { experimentSchema } from '../../harness/spec.ts';
import { POLICIES } from '../../policies/registry.ts';
import { DEFAULT_SIMULATION_OPTIONS } from '../../sim/options.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('harness/resolve', () => {
  const folder = temporaryFolder();
  const resolve = (raw: unknown, firstSeed = 1) =>
    resolveExperiment(experimentSchema.parse(raw), { folder: folder.path, firstSeed });

  it('needs nothing: the generator, the small cluster, a choice of policies, three seeds', async () => {
    const experiment = await resolve({});
    assert.equal(experiment.workload.kind, 'synth');
    assert.equal(experiment.cluster.name, 'small');
    assert.deepEqual(
      experiment.policies.map(({ name }) => name),
      DEFAULTS.policies,
    );
    assert.deepEqual(experiment.seeds, [1, 2, 3]);
    assert.equal(experiment.reference, DEFAULTS.reference);
    assert.deepEqual(experiment.simulation, DEFAULT_SIMULATION_OPTIONS);
  });

  it('takes all for every policy there is, with fifo-fit as the reference', async () => {
    const experiment = await resolve({ policies: ['all'] });
    assert.deepEqual(
      experiment.policies.map(({ name }) => name),
      POLICIES.map(({ name }) => name),
    );
    assert.equal(experiment.reference, DEFAULTS.reference);
  });

  it('is plain data, and the same for the same input', async () => {
    const raw = {
      policies: ['heshare:energyWeight=0.1'],
      simulation: { failures: { gpuMtbfS: 'Infinity' } },
    };
    const [a, b] = [await resolve(raw), await resolve(raw)];
    assert.deepEqual(a, b);
    assert.deepEqual(structuredClone(a), a);
  });

  it('lets what is given win over the defaults, level by level', async () => {
    const { simulation } = await resolve({
      simulation: { costs: { start: 5 }, failures: { gpuMtbfS: 1e6 }, pricePerKwh: 0.3 },
    });
    assert.equal(simulation.costs.start, 5);
    assert.equal(simulation.costs.restart, 'profile');
    assert.equal(simulation.failures.gpuMtbfS, 1e6);
    assert.equal(simulation.failures.nodeMtbfS, Number.POSITIVE_INFINITY);
    assert.deepEqual(simulation.pricePerKwh, { startsS: [0], values: [0.3] });
  });

  it('takes the words of a file and the mappings they stand for as the same', async () => {
    const short = await resolve({
      cluster: '2x4:V100',
      policies: ['heshare:dvfs=false'],
      workload: { synth: 'philly', assign: 'zeus-runtime' },
    });
    const long = await resolve({
      cluster: { name: '2x4:V100', groups: [{ gpuType: 'V100', gpusPerNode: 4, nodes: 2 }] },
      policies: [{ name: 'heshare', label: 'heshare:dvfs=false', options: { dvfs: false } }],
      workload: { synth: { generator: 'philly' }, assign: { rule: 'zeus-runtime' } },
    });
    assert.deepEqual(short, long);
  });

  it('draws no gang that one GPU type of the cluster could not hold', async () => {
    const { workload } = await resolve({
      cluster: '1x4:V100,1x2:P100,1x4:V100',
      workload: { synth: 'philly' },
    });
    assert.ok(workload.kind === 'synth');
    assert.equal(workload.maxGpus, 8);
    const small = await resolve({ cluster: '2x2:V100' });
    assert.ok(small.workload.kind === 'synth');
    assert.equal(small.workload.maxGpus, 4);
  });

  it('takes the same limits of the generator whether it is named or not, until they are lifted', async () => {
    const limits = async (synth: unknown) => {
      const { workload } = await resolve({ workload: synth === undefined ? {} : { synth } });
      assert.ok(workload.kind === 'synth');
      return [workload.maxGpus, workload.maxDurationS];
    };
    const { maxGpus, maxDurationS } = DEFAULTS.synth;
    assert.deepEqual(await limits(undefined), [maxGpus, maxDurationS]);
    assert.deepEqual(await limits('philly'), [maxGpus, maxDurationS]);
    assert.deepEqual(await limits({ generator: 'philly' }), [maxGpus, maxDurationS]);
    assert.deepEqual(await limits('philly:maxGpus=none'), [null, maxDurationS]);
    assert.deepEqual(await limits('philly:maxGpus=64,maxDurationS=none'), [64, null]);
  });

  it('refuses a window of time that ends before it begins', async () => {
    writeFileSync(folder.file('t.csv'), 'id');
    const window = { fromS: 5, toS: 5 };
    await assert.rejects(
      resolve({ workload: { trace: 't.csv', window } }),
      /expected a time after fromS \(5\), found 5/,
    );
  });

  it('takes the first of the policies that are given as the reference', async () => {
    assert.equal((await resolve({ policies: ['srtf', 'fifo'] })).reference, 'srtf');
    assert.equal(
      (await resolve({ policies: ['srtf', 'fifo'], reference: 'fifo' })).reference,
      'fifo',
    );
  });

  it('counts seeds from the first, which a list overrules', async () => {
    assert.deepEqual((await resolve({ seeds: 2 }, 10)).seeds, [10, 11]);
    assert.deepEqual((await resolve({ seeds: [5, 3] }, 10)).seeds, [5, 3]);
  });

  it('gives every run an id of its own, which a label does not change', async () => {
    const ids = async (raw: unknown) =>
      planTasks(await resolve(raw), 'out', false).map(({ id }) => id);
    const plain = await ids({ policies: ['fifo', 'srtf'], seeds: 2 });
    assert.equal(new Set(plain).size, 4);
    const labelled = await ids({
      policies: [{ name: 'fifo', label: 'a' }, 'srtf'],
      seeds: 2,
      name: 'x',
    });
    assert.deepEqual(labelled, plain);
    const other = await ids({
      policies: ['fifo', 'srtf'],
      seeds: 2,
      simulation: { hostPowerW: 1 },
    });
    assert.ok(other.every((id) => !plain.includes(id)));
  });

  it('gives a run another id when the content of its trace changes', async () => {
    const id = async (text: string) => {
      writeFileSync(folder.file('t.csv'), text);
      const experiment = await resolve({
        workload: { trace: 't.csv' },
        policies: ['fifo'],
        seeds: 1,
      });
      return planTasks(experiment, 'out', false)[0]?.id;
    };
    assert.notEqual(await id('one'), await id('two'));
    assert.equal(await id('one'), await id('one'));
  });
});
