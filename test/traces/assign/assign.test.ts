import assert from 'node:assert/strict';
import { InputError } from '../../../sim/errors.ts';
import { randomStream } from '../../../sim/random.ts';
import { assignWorkloads, toWorkload, ZEUS_WORKLOADS } from '../../../traces/assign/index.ts';
import { importTrace } from '../../../traces/formats.ts';
import { fixture, job } from '../support.ts';

const many = Array.from({ length: 200 }, (_, index) => {
  return job({ id: String(index), submitS: index, durationS: 60 * (index + 1) });
});
const names = (jobs: readonly { workload: string }[]) => jobs.map(({ workload }) => workload);
const fails = (message: RegExp) => (error: unknown) =>
  error instanceof InputError && message.test(error.message);

describe('assigning workloads', () => {
  it('keeps every fact of the job and takes the reference GPU where the trace names none', () => {
    const jobs = [
      job({ id: 'a', gpuTypes: ['T4'], user: 'u', priority: 'guaranteed' }),
      job({ id: 'b', referenceGpu: 'A100' }),
    ];
    const options = { workload: 'w' };
    const { jobs: assigned, record } = assignWorkloads(jobs, { rule: 'fixed', seed: 1, options });
    assert.deepEqual(assigned[0], {
      id: 'a',
      submitS: 0,
      workload: 'w',
      durationS: 60,
      referenceGpu: 'V100',
      gpuCount: 1,
      minGpus: 1,
      maxGpus: 1,
      share: 1,
      memoryGib: null,
      gpuTypes: ['T4'],
      deadlineS: null,
      maxSlowdown: null,
      priority: 'guaranteed',
      user: 'u',
      virtualCluster: null,
    });
    assert.equal(assigned[1]?.referenceGpu, 'A100');
    assert.deepEqual(record, {
      rule: 'fixed',
      seed: 1,
      referenceGpu: 'V100',
      options: { workload: 'w' },
      counts: { w: 2 },
      assumed: ['every job runs w', 'durations of 1 jobs are taken as run times on V100'],
    });
  });

  it('draws once a job from the stream of its rule', () => {
    const workloads = ['x', 'y', 'z'];
    const settings = { rule: 'uniform', seed: 7, options: { workloads } };
    const random = randomStream(7, 'assign/uniform');
    const expected = many.map(() => workloads[Math.floor(random() * 3)]);
    assert.deepEqual(names(assignWorkloads(many, settings).jobs), expected);
    const fewer = names(assignWorkloads(many.slice(0, 50), settings).jobs);
    assert.deepEqual(fewer, expected.slice(0, 50));
  });

  it('depends on the seed', () => {
    const of = (seed: number) =>
      names(assignWorkloads(many, { rule: 'pollux-gpu-hours', seed }).jobs);
    assert.deepEqual(of(1), of(1));
    assert.notDeepEqual(of(1), of(2));
  });

  it('follows GPU-hours with the bounds of Pollux', () => {
    const hour = (gpuHours: number, gpuCount = 1) =>
      job({ durationS: (gpuHours * 3600) / gpuCount, gpuCount });
    const workloadOf = (gpuHours: number, gpuCount?: number) => {
      const settings = { rule: 'pollux-gpu-hours', seed: 3 };
      return names(assignWorkloads([hour(gpuHours, gpuCount)], settings).jobs)[0] ?? '';
    };
    assert.match(workloadOf(0.999), /^(shufflenetv2-cifar100-b128|ncf-movielens-b512)$/);
    assert.match(workloadOf(1), /^(deepspeech2-librispeech-b32|bert-sentiment140-b32)$/);
    assert.equal(workloadOf(10), 'bert-squad-b16');
    assert.equal(workloadOf(99.9), 'bert-squad-b16');
    assert.equal(workloadOf(100), 'resnet50-imagenet-b32');
    assert.equal(workloadOf(128, 128), 'resnet50-imagenet-b32');
  });

  it('matches six clusters of run time with the jobs of Zeus, shortest first', () => {
    const durations = [9e4, 60, 2, 62, 2.1, 9.1e4, 500, 1e4, 510, 2000];
    const jobs = durations.map((durationS, index) => job({ id: String(index), durationS }));
    const { jobs: assigned } = assignWorkloads(jobs, { rule: 'zeus-runtime', seed: 1 });
    const order = [5, 1, 0, 1, 0, 5, 2, 4, 2, 3];
    assert.deepEqual(
      names(assigned),
      order.map((index) => ZEUS_WORKLOADS[index]),
    );
  });

  it('puts equal run times in one cluster, however few there are', () => {
    const jobs = [5, 5, 5, 80].map((durationS, index) => job({ id: String(index), durationS }));
    const assigned = names(assignWorkloads(jobs, { rule: 'zeus-runtime', seed: 1 }).jobs);
    assert.equal(new Set(assigned.slice(0, 3)).size, 1);
    assert.notEqual(assigned[3], assigned[0]);
    const same = [job({ id: 'a' }), job({ id: 'b' })];
    const both = names(assignWorkloads(same, { rule: 'zeus-runtime', seed: 1 }).jobs);
    assert.deepEqual(both, [ZEUS_WORKLOADS[0], ZEUS_WORKLOADS[0]]);
  });

  it('takes the models of the trace through a map', async () => {
    const { jobs } = await importTrace(fixture('tiresias-crlf.csv'));
    const map = { vgg19: 'v', alexnet: 'a' };
    const { jobs: assigned } = assignWorkloads(jobs, { rule: 'column', seed: 1, options: { map } });
    assert.deepEqual(names(assigned), ['v', 'a']);
  });

  it('lists the models that lead nowhere, with what was perhaps meant', () => {
    const jobs = [job({ id: 'a', model: 'vgg19' }), job({ id: 'b', model: 'alexnett' })];
    const column = (options: unknown) => () =>
      assignWorkloads(jobs, { rule: 'column', seed: 1, options });
    assert.throws(
      column({ map: { alexnet: 'a' } }),
      fails(/no workload for 'vgg19', 'alexnett' \(did you mean 'alexnet'\?\)/),
    );
    assert.throws(column({ known: ['vgg19'] }), fails(/no workload for 'alexnett'/));
    const unnamed = () => assignWorkloads([job()], { rule: 'column', seed: 1 });
    assert.throws(unnamed, fails(/1 of 1 jobs name no model/));
  });

  it('refuses unknown rules and options', () => {
    const run = (rule: string, options?: unknown) => () =>
      assignWorkloads(many, { rule, seed: 1, options });
    assert.throws(run('unifrom'), fails(/assignment rule: .*did you mean 'uniform'\?/));
    assert.throws(run('uniform', { workloads: [] }), fails(/assignment rule uniform: workloads/));
    assert.throws(run('fixed'), fails(/assignment rule fixed: workload/));
    assert.throws(run('zeus-runtime', { k: 3 }), fails(/assignment rule zeus-runtime/));
  });

  it('goes into the provenance of the workload', async () => {
    const trace = await importTrace(fixture('tiresias-hand12.csv'));
    const workload = toWorkload(trace, { rule: 'zeus-runtime', seed: 1 });
    assert.equal(workload.jobs.length, 12);
    assert.equal(workload.name, 'tiresias-hand12');
    assert.equal(workload.provenance.source, 'file');
    assert.equal(workload.provenance.input?.bytes, 386);
    assert.equal(workload.provenance.assignment.rule, 'zeus-runtime');
    assert.ok(workload.report.assumed.some((line) => line.includes('run times on V100')));
  });
});
