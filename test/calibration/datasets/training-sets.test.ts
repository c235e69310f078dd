import assert from 'node:assert/strict';
import { importGpulet, readGpuletConstants } from '../../../calibration/datasets/gpulet.ts';
import { importLucidPairs, importLucidSolo } from '../../../calibration/datasets/lucid.ts';
import { importMisoMig, importMisoPower } from '../../../calibration/datasets/miso.ts';
import { importSia } from '../../../calibration/datasets/sia.ts';
import { addsUp, Files, refuses, said } from './support.ts';

const files = new Files();
after(() => {
  files.remove();
});

describe('the Lucid tables', () => {
  const SOLO = 'model,dataset,batchsize,amp,speed,gpu_util,gmem_util,gmem,label\n';
  const PAIRS =
    ',model1,dataset1,gpu_num1,batchsize1,amp1,speed1,model2,dataset2,gpu_num2,batchsize2,amp2,speed2,gpu_util,gmem_util,gmem\n';

  it('give jobs alone with the time of a batch', () => {
    const table = importLucidSolo(files.write('single.csv', `${SOLO}N,d,32,1,64,50,25,2048,1\n`));
    assert.deepEqual(said(table.rows[0]), {
      gpuType: 'RTX3090',
      workload: 'N/d/amp',
      batch: 32,
      sharing: 'alone',
      stepS: 0.5,
      throughput: 64,
      utilisation: 0.5,
      bandwidth: 0.25,
      memoryGib: 2,
      source: 'lucid-solo',
      row: 'single.csv:2',
    });
    assert.ok(table.report.assumed.some((line) => line.includes('its paper reports')));
  });

  const row = '0,N,d,1,32,0,0.9,M,e,1,64,1,1.2,80,40,4096\n';

  it('give both sides of a pair', () => {
    const table = importLucidPairs(files.write('pairs.csv', PAIRS + row), { gpu: 'T4' });
    assert.deepEqual(said(table.rows[1]), {
      gpuType: 'T4',
      workload: 'M/e/amp',
      batch: 64,
      sharing: 'co-located',
      coRunners: [{ workload: 'N/d', batch: 32, share: null }],
      relativeSpeed: 1.2,
      utilisation: 0.8,
      bandwidth: 0.4,
      memoryGib: 4,
      source: 'lucid-pairs',
      row: 'pairs.csv:2/2',
    });
  });

  it('count speeds that must be noise, and keep, drop or clamp them', () => {
    const file = files.write('pairs.csv', PAIRS + row);
    const kept = importLucidPairs(file);
    assert.deepEqual(kept.report.flagged, { 'speed beside another job above 1.05': 1 });
    assert.deepEqual(kept.report.options, { speedLimit: 1.05, overSpeed: 'keep' });
    const dropped = importLucidPairs(file, { overSpeed: 'drop' });
    assert.deepEqual(dropped.report.dropped, { 'speed beside another job above 1.05': 1 });
    addsUp(dropped);
    const clamped = importLucidPairs(file, { overSpeed: 'clamp', speedLimit: 1 });
    assert.equal(clamped.rows[1]?.relativeSpeed, 1);
    assert.deepEqual(clamped.report.flagged, { 'speed beside another job above 1': 1 });
  });

  it('are refused with a precision that is neither', () => {
    const file = files.write('s.csv', `${SOLO}N,d,32,2,64,50,25,2048,1\n`);
    refuses(() => importLucidSolo(file), /s\.csv:2:8 amp: expected 0 or 1, found '2'/);
  });
});

describe('the MISO tables', () => {
  const MIG = 'mig_profile,model,batch_size,n_steps,median_step_s,p10_step_s,p90_step_s\r\n';

  it('give step times on slices of the GPU', () => {
    const table = importMisoMig(files.write('mig.csv', `${MIG}3g.20gb,net,8,9,0.5,0.4,0.6\r\n`));
    assert.deepEqual(said(table.rows[0]), {
      gpuType: 'A100-40',
      workload: 'net',
      batch: 8,
      share: 3 / 7,
      sharing: 'mig',
      stepS: 0.5,
      source: 'miso-mig',
      row: 'mig.csv:2',
    });
    const a30 = importMisoMig(files.write('a30.csv', `${MIG}2g.12gb,net,8,9,0.5,0.4,0.6\r\n`));
    assert.equal(a30.rows[0]?.share, 0.5);
  });

  it('count the erratic model and wide spreads', () => {
    const file = files.write(
      'm.csv',
      `${MIG}1g.5gb,deepspeech2,8,9,1,.9,2\n1g.5gb,net,8,9,1,.9,1\n`,
    );
    const wide = 'step times spread more than 2 times from 10th to 90th percentile';
    assert.deepEqual(importMisoMig(file).report.flagged, {
      [wide]: 1,
      'erratic model (deepspeech2)': 1,
    });
    const dropped = importMisoMig(file, { erratic: 'drop' });
    assert.deepEqual(dropped.report.dropped, { 'erratic model (deepspeech2)': 1 });
    assert.deepEqual(dropped.report.flagged, {});
    addsUp(dropped);
  });

  it('are refused with a slice that there is not', () => {
    const read = (slice: string) => () =>
      importMisoMig(files.write('m.csv', `${MIG}${slice},net,8,9,1,1,1\n`));
    for (const slice of ['8g.40gb', '0g.5gb', '3g', 'whole']) {
      refuses(
        read(slice),
        /m\.csv:2:1 mig_profile: expected a slice such as '3g\.20gb' of at most 7g/,
      );
    }
  });

  it('give power against utilisation, without the placeholder', () => {
    const text =
      'model,batch_size,power_w,util_sm_pct,util_mem_pct,memory_mib\nnet,8,94,40,4,1024\ndummy,32,36,35,0,1024\n';
    const file = files.write('a100_solo.csv', text);
    const table = importMisoPower(file);
    assert.deepEqual(said(table.rows[0]), {
      gpuType: 'A100-40',
      workload: 'net',
      batch: 8,
      sharing: 'alone',
      powerW: 94,
      utilisation: 0.4,
      bandwidth: 0.04,
      memoryGib: 1,
      source: 'miso-power',
      row: 'a100_solo.csv:2',
    });
    assert.deepEqual(table.report.dropped, { 'placeholder job (dummy)': 1 });
    addsUp(table);
    assert.equal(importMisoPower(file, { placeholder: 'keep' }).rows.length, 2);
  });
});

describe('the Sia step times', () => {
  const PLACEMENTS = 'placement,local_bsz,step_time,sync_time\n';

  it('give jobs on one GPU, the type by the cluster and the workload by the folder', () => {
    const text = `${PLACEMENTS}1,8,0.5,0.1\n12,8,0.6,0.2\n`;
    const table = importSia(files.write('bert/placements-rtx.csv', text));
    assert.deepEqual(said(table.rows[0]), {
      gpuType: 'RTX2080Ti',
      workload: 'bert',
      batch: 8,
      sharing: 'alone',
      stepS: 0.5,
      source: 'sia',
      row: 'bert/placements-rtx.csv:2',
    });
    assert.deepEqual(table.report.dropped, { 'job on several GPUs': 1 });
    addsUp(table);
  });

  it('keep jobs on several GPUs when told to', () => {
    const options = { gangs: 'keep' } as const;
    const placed = importSia(
      files.write('bert/placements-dgx.csv', `${PLACEMENTS}12,8,0.6,0.2\n4,8,0.6,0.2\n`),
      options,
    );
    const scaled = importSia(
      files.write(
        'bert/scalability-quad.csv',
        'num_nodes,num_replicas,local_bsz,step_time,sync_time\n2,3,8,1,0\n',
      ),
      options,
    );
    assert.deepEqual(
      [...placed.rows, ...scaled.rows].map(({ gpuType, gpus, acrossNodes }) => [
        gpuType,
        gpus,
        acrossNodes,
      ]),
      [
        ['A100', 3, true],
        ['A100', 4, false],
        ['RTX6000', 3, true],
      ],
    );
  });

  it('leave out a cluster of unknown GPUs unless they are named', () => {
    const file = files.write('ncf/placements-azure.csv', `${PLACEMENTS}1,8,0.5,0.1\n`);
    assert.deepEqual(importSia(file).report.dropped, {
      'gpu type of Sia cluster azure not known': 1,
    });
    assert.equal(importSia(file, { gpu: 'v100' }).rows[0]?.gpuType, 'V100');
    const own = files.write('ncf/placements-h100.csv', `${PLACEMENTS}1,8,0.5,0.1\n`);
    assert.equal(importSia(own).rows[0]?.gpuType, 'H100');
  });

  it('are refused with a placement that is none', () => {
    const file = files.write('ncf/placements-aws.csv', `${PLACEMENTS}a1,8,0.5,0.1\n`);
    refuses(
      () => importSia(file),
      /aws\.csv:2:1 placement: expected a digit of GPUs for each node/,
    );
    const without = files.write(
      'ncf/scalability-aws.csv',
      'local_bsz,step_time,sync_time\n8,1,0\n',
    );
    refuses(() => importSia(without), /expected a column 'placement'/);
  });
});

describe('the gpu-lets tables', () => {
  const UTIL =
    'bench,batch,avg_duration(ms),SM_util(%),l2_util(%),mem_util(%),achieved occupancy\n';

  it('give durations and utilisation', () => {
    const file = files.write(
      '3080_UTIL.CSV',
      `${UTIL}net,4,7,13,20,27,14,\nnet,8,0.9,13,20,27,14,\n`,
    );
    assert.deepEqual(said(importGpulet(file).rows[0]), {
      gpuType: 'RTX3080',
      workload: 'net',
      batch: 4,
      sharing: 'alone',
      stepS: 0.007,
      utilisation: 0.13,
      bandwidth: 0.27,
      l2: 0.2,
      source: 'gpulet',
      row: '3080_UTIL.CSV:2',
    });
  });

  it('take durations that are all below 1 for seconds, and count them', () => {
    const file = files.write('2080ti_UTIL.CSV', `${UTIL}net,4,0.012,13,20,27,14\n`);
    const table = importGpulet(file);
    assert.deepEqual([table.rows[0]?.gpuType, table.rows[0]?.stepS], ['RTX2080Ti', 0.012]);
    assert.deepEqual(Object.values(table.report.flagged), [1]);
    assert.equal(importGpulet(file, { durationUnit: 'ms' }).rows[0]?.stepS, 0.000012);
    assert.equal(importGpulet(file, { durationUnit: 's' }).rows[0]?.stepS, 0.012);
  });

  it('give the coefficients of the interference model', () => {
    const header = 'l2_util_m1,l2_util_m2,dram_util_m1,dram_util_m2,constant\r\n';
    const file = files.write('c.csv', `${header}-0.1,0.2,0.3,0.4,0.9\r\n`);
    assert.deepEqual(readGpuletConstants(file), {
      ownL2: -0.1,
      otherL2: 0.2,
      ownDram: 0.3,
      otherDram: 0.4,
      constant: 0.9,
    });
    const two = files.write('d.csv', `${header}1,2,3,4,5\n1,2,3,4,5\n`);
    refuses(() => readGpuletConstants(two), /d\.csv:3:1 expected one row of coefficients/);
  });
});
