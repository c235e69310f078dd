import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { loadProfiles } from '../../harness/profiles.ts';
import { resolveExperiment } from '../../harness/resolve.ts';
import { experimentSchema } from '../../harness/spec.ts';
import { buildWorkload } from '../../harness/workload.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('harness/workload', () => {
  const folder = temporaryFolder();

  async function build(workload: unknown, seed: number) {
    const given = experimentSchema.parse({ workload, policies: ['fifo'], cluster: '2x4:V100' });
    const experiment = await resolveExperiment(given, { folder: folder.path });
    const profiles = loadProfiles(experiment);
    return buildWorkload(experiment.workload, seed, experiment.cluster, profiles);
  }

  it('generates other jobs for another seed, at the load that is asked for', async () => {
    const synth = { synth: 'philly', jobs: 50, load: 0.7 };
    const [one, two] = [await build(synth, 1), await build(synth, 2)];
    assert.notDeepEqual(one.jobs, two.jobs);
    assert.ok(Math.abs((one.record.offeredLoad ?? 0) - 0.7) < 1e-9);
    assert.deepEqual((await build(synth, 1)).jobs, one.jobs);
  });

  it('takes the jobs of a trace from time 0, the same for every seed but for their models', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `j${i},${1000 + i},${600 + i},1`);
    writeFileSync(folder.file('t.csv'), `id,submit_s,duration_s,gpus\n${rows.join('\n')}\n`);
    const [one, two] = [await build({ trace: 't.csv' }, 1), await build({ trace: 't.csv' }, 2)];
    const facts = (built: typeof one) =>
      built.jobs.map(({ id, submitS, durationS }) => [id, submitS, durationS]);
    assert.deepEqual(facts(one), facts(two));
    assert.equal(one.jobs[0]?.submitS, 0);
    const models = (built: typeof one) => built.jobs.map(({ workload }) => workload);
    assert.notDeepEqual(models(one), models(two));
  });

  it("takes a trace's own models where it names them all", async () => {
    const head = 'id,submit_s,duration_s,gpus,workload\n';
    writeFileSync(
      folder.file('t.csv'),
      `${head}a,0,10,1,resnet50-imagenet-b32\nb,1,10,1,bert-squad-b16\n`,
    );
    const { jobs, record } = await build({ trace: 't.csv' }, 1);
    assert.deepEqual(
      jobs.map(({ workload }) => workload),
      ['resnet50-imagenet-b32', 'bert-squad-b16'],
    );
    assert.equal(record.provenance.assignment.rule, 'column');
  });

  it('names a model of the trace that has no profile, with the nearest that has', async () => {
    const head = 'id,submit_s,duration_s,gpus,workload\n';
    writeFileSync(folder.file('t.csv'), `${head}a,0,10,1,resnet50-imagenet-b23\n`);
    await assert.rejects(
      build({ trace: 't.csv' }, 1),
      /resnet50-imagenet-b23.*did you mean 'resnet50-imagenet-b32'/,
    );
  });

  it('keeps a window of a trace, cut before it is counted', async () => {
    const rows = [0, 10, 20, 30, 40].map((at) => `j${at},${at},5,1`);
    writeFileSync(folder.file('t.csv'), `id,submit_s,duration_s,gpus\n${rows.join('\n')}\n`);
    const { jobs, record } = await build(
      { trace: 't.csv', window: { fromS: 10, toS: 40 }, jobs: 2 },
      1,
    );
    assert.deepEqual(
      jobs.map(({ id, submitS }) => [id, submitS]),
      [
        ['j10', 0],
        ['j20', 10],
      ],
    );
    assert.deepEqual(record.report.dropped, { outside_window: 2, beyond_limit: 1 });
  });

  it('draws another sample for another seed, and the same jobs again for the same', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `j${i},${10 * i},600,1`);
    writeFileSync(folder.file('t.csv'), `id,submit_s,duration_s,gpus\n${rows.join('\n')}\n`);
    const sample = async (seed: number) => {
      const { jobs, record } = await build({ trace: 't.csv', sample: 0.5 }, seed);
      assert.deepEqual(record.report.dropped, { not_sampled: 30 });
      assert.equal(jobs[0]?.submitS, 0);
      return jobs.map(({ id }) => id);
    };
    const one = await sample(1);
    assert.notDeepEqual(await sample(2), one);
    assert.deepEqual(await sample(1), one);
  });

  it('says what the jobs ask of each GPU type', async () => {
    const rows = [0, 100, 200].map((at) => `j${at},${at},300,2`);
    writeFileSync(folder.file('t.csv'), `id,submit_s,duration_s,gpus\n${rows.join('\n')}\n`);
    const { record } = await build({ trace: 't.csv' }, 1);
    // 3 x 600 GPU-s over 8 GPUs x 200 s.
    assert.equal(record.offeredLoad, 1800 / 1600);
    assert.deepEqual(
      record.load.types.map(({ gpuType, gpus, load }) => [gpuType, gpus, load]),
      [['V100', 8, 1800 / 1600]],
    );
    assert.equal(record.load.sustained, false);
  });

  it('generates with the generator and the options asked for', async () => {
    const { jobs, record } = await build(
      { synth: 'poisson:law=deterministic,meanS=500,gpus=2', jobs: 20, load: 0.5 },
      1,
    );
    assert.ok(jobs.every(({ durationS, gpuCount }) => durationS === 500 && gpuCount === 2));
    assert.equal(record.provenance.format, 'synth-poisson');
    assert.ok(Math.abs((record.offeredLoad ?? 0) - 0.5) < 1e-9);
  });

  it('leaves shaping out of a report that needs none', async () => {
    writeFileSync(folder.file('t.csv'), 'id,submit_s,duration_s,gpus\na,0,10,1\nb,5,10,1\n');
    const { record } = await build({ trace: 't.csv' }, 1);
    assert.ok(!record.report.assumed.some((line) => /only|sample|multiplied|moved/.test(line)));
  });

  it('makes jobs elastic where asked, and says that it is assumed', async () => {
    const { jobs, record } = await build({ synth: 'philly', jobs: 5, elastic: 2 }, 1);
    assert.ok(jobs.every(({ minGpus, maxGpus, gpuCount }) => minGpus === 1 && maxGpus >= gpuCount));
    assert.match(record.report.assumed.at(-1) ?? '', /1 GPU up to 2 times/);
    const rigid = await build({ synth: 'philly', jobs: 5 }, 1);
    assert.ok(rigid.jobs.every(({ minGpus, maxGpus }) => minGpus === maxGpus));
  });
});
