import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { modelCounts, published, publishedSuite } from './published.ts';

const HEADER = 'name,time,application,num_replicas,batch_size';
const TEXT =
  `${HEADER}\n` +
  'cifar10-0,107,cifar10,6,2048\n' +
  'bert-1,110.5,bert,4,320\n' +
  'ncf-2,200,ncf,0,32768\n' +
  'imagenet-3,300,imagenet,16,1600\n';

describe('sia-workload', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sia-'));
  });
  after(() => rm(folder, { recursive: true }));
  const hours = async (text: string) => {
    const file = path.join(folder, 'hours.csv');
    await writeFile(file, text);
    return { durations: file };
  };

  it('gives an application the middle of its class of GPU-hours', async () => {
    const trace = await importText(TEXT);
    assert.equal(trace.format, 'sia-workload');
    // sqrt(1/60 x 1) h on 6 GPUs, sqrt(1 x 10) on 4, sqrt(100 x 1000) on 16.
    const expected = [
      ['cifar10-0', 107, (Math.sqrt(1 / 60) * 3600) / 6, 6],
      ['bert-1', 110.5, (Math.sqrt(10) * 3600) / 4, 4],
      ['imagenet-3', 300, (Math.sqrt(100_000) * 3600) / 16, 16],
    ];
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount]),
      expected,
    );
    assert.equal(trace.jobs[1]?.model, 'bert');
    assert.deepEqual(trace.report.dropped, { cpu_only: 1 });
    assert.deepEqual(trace.report.options, { durations: 'class-midpoint', maxBadRows: null });
    const said = trace.report.assumed.join('\n');
    assert.match(
      said,
      /the file has no run times: .*cifar10 0\.1291, bert 3\.162, imagenet 316\.2/,
    );
    assertNothingLost(trace);
  });

  it('takes GPU-hours from a file', async () => {
    const settings = await hours('application,gpu_hours\ncifar10,0.5\nbert,8\nimagenet,200\n');
    const { jobs } = await importText(TEXT, { settings });
    // 0.5 h x 3600 / 6, 8 x 3600 / 4, 200 x 3600 / 16.
    assert.deepEqual(
      jobs.map(({ durationS }) => durationS),
      [300, 7200, 45_000],
    );
  });

  it('says which application has no GPU-hours', async () => {
    assert.match(
      await messageOf(importText(TEXT.replace(',bert,', ',brt,'))),
      /application: no GPU-hours for 'brt'; did you mean 'bert'\? \(option durations\)/,
    );
    const settings = await hours('application,gpu_hours\ncifar10,0.5\n');
    assert.match(await messageOf(importText(TEXT, { settings })), /no GPU-hours for 'bert'/);
  });

  it('refuses a file of GPU-hours that says something else', async () => {
    const read = async (text: string) =>
      await messageOf(importText(TEXT, { settings: await hours(text) }));
    assert.match(await read('application,gpu_hours\nbert,0\n'), /gpu_hours: expected above 0/);
    assert.match(
      await read('application,gpu_hours\nbert,1\nbert,2\n'),
      /for the second time: bert/,
    );
    assert.match(await read('application,gpu_hours\n'), /lists no applications/);
    assert.match(await read('application,hours\nbert,1\n'), /column 'gpu_hours' is missing/);
    const missing = importText(TEXT, { settings: { durations: path.join(folder, 'none.csv') } });
    assert.match(await messageOf(missing), /none\.csv no such file/);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([TEXT], { format: 'sia-workload' });
  });
});

publishedSuite('sia-workload on published files', () => {
  for (const [name, models] of [
    ['philly', { cifar10: 134, deepspeech2: 12, bert: 7, imagenet: 4, yolov3: 3 }],
    ['saturn', { cifar10: 134, deepspeech2: 10, yolov3: 7, bert: 6, imagenet: 3 }],
    [
      'adaptdl_benchmark',
      { ncf: 68, cifar10: 66, deepspeech2: 12, bert: 7, imagenet: 4, yolov3: 3 },
    ],
  ] as const) {
    it(`reads the 160 jobs of ${name}`, async () => {
      const trace = await importTrace(published(`sia/${name}_workload-1.csv`));
      assert.equal(trace.jobs.length, 160);
      assert.deepEqual(modelCounts(trace), models);
    });
  }
});
