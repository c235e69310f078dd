import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  CANONICAL_COLUMNS,
  importCanonicalCsv,
} from '../../../calibration/datasets/canonical-csv.ts';
import { addsUp, Files, refuses, said } from './support.ts';

const DOCUMENT = new URL('../../../docs/measurements.md', import.meta.url);

describe('a CSV file of own measurements', () => {
  const files = new Files();
  after(() => {
    files.remove();
  });
  const read = (text: string, options = {}) =>
    importCanonicalCsv(files.write('own.csv', text), options);

  it('is read as the documentation shows it', () => {
    const text = /```csv[^\n]*\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, 'utf8'))?.[1] ?? '';
    const table = read(text);
    addsUp(table);
    assert.equal(table.rows.length, text.trim().split('\n').length - 1);
    assert.deepEqual(table.report.dropped, {});
    assert.deepEqual(said(table.rows[5]), {
      gpuType: 'L4',
      workload: 'whisper-small',
      batch: 8,
      share: 0.5,
      sharing: 'mps',
      coRunners: [{ workload: 'gpt2', batch: 4, share: 0.5 }],
      stepS: 0.223,
      relativeSpeed: 0.92,
      powerW: 69.7,
      achievedMhz: 1965,
      source: 'own.csv',
      row: 'own.csv:7',
    });
    const last = table.rows.at(-1);
    assert.equal(last?.sharing, 'co-located');
    assert.deepEqual(last.coRunners, [
      { workload: 'whisper-small', batch: 8, share: null },
      { workload: 'resnet50', batch: 32, share: null },
    ]);
  });

  it('has its columns in the documentation', () => {
    const text = readFileSync(DOCUMENT, 'utf8');
    for (const column of CANONICAL_COLUMNS) assert.ok(text.includes(`\`${column}\``), column);
  });

  it('may have every column', () => {
    const values: Record<string, string> = {
      gpuType: 'v100',
      workload: 'w',
      batch: '4',
      coreMhz: '1000',
      memoryMhz: '877',
      powerCapW: '200',
      share: '0.5',
      sharing: 'mig',
      stepS: '2',
      throughput: '3',
      normalised: 'true',
      relativeSpeed: '0.9',
      powerW: '150',
      achievedMhz: '990',
      utilisation: '0.8',
      bandwidth: '0.4',
      l2: '0.2',
      memoryGib: '7.5',
      gpus: '4',
      acrossNodes: 'true',
      source: 'mine',
      row: '12',
    };
    const text = `${CANONICAL_COLUMNS.join(',')}\n${CANONICAL_COLUMNS.map((name) => values[name] ?? '').join(',')}\n`;
    const [row] = read(text, { gangs: 'keep' }).rows;
    const expected: Record<string, unknown> = { ...values, gpuType: 'V100' };
    for (const [name, value] of Object.entries(values)) {
      if (value === 'true') expected[name] = true;
      else if (!Number.isNaN(Number(value)) && name !== 'row') expected[name] = Number(value);
    }
    assert.deepEqual(said(row), expected);
    assert.deepEqual(read(text).report.dropped, { 'job on several GPUs': 1 });
  });

  it('counts rows that measure nothing and power above the cap', () => {
    const table = read('gpuType,workload,powerCapW,powerW\nT4,w,70,71\nT4,w,60,60\nT4,w,50,\n');
    assert.deepEqual(table.report.dropped, {
      'no value of stepS, throughput, relativeSpeed or powerW': 1,
    });
    assert.deepEqual(table.report.flagged, { 'average power above the cap': 1 });
    addsUp(table);
  });

  it('names columns that it does not know, and refuses a slip of the pen', () => {
    const { assumed } = read('gpuType,workload,powerW,operator\nT4,w,60,me\n').report;
    assert.deepEqual(assumed, ["column 'operator' of own.csv left out: not a known one"]);
    refuses(
      () => read('gpuType,workload,powrW\nT4,w,60\n'),
      /own\.csv:1:1 expected a column 'powerW', found: .*; did you mean 'powrW'\?/,
    );
    refuses(() => read('gpuType,workload,batch\nT4,w,6\n'), /expected a column 'stepS'/);
    refuses(() => read('gpu,workload,powerW\nT4,w,6\n'), /expected a column 'gpuType'/);
  });

  it('is refused with the place of what is wrong', () => {
    const row = (columns: string, cells: string) => () =>
      read(`gpuType,workload,powerW,${columns}\nT4,w,60,${cells}\n`);
    refuses(row('stepS', '-1'), /own\.csv:2:9 stepS: expected above 0 s, found '-1'/);
    refuses(row('stepS', '1 ms'), /stepS: .*no unit in the cell/);
    refuses(row('share', '50'), /share: expected above 0 and at most 1, found '50'/);
    refuses(row('sharing', 'mps!'), /sharing: expected 'alone' or 'mps' or 'mig' or 'co-located'/);
    refuses(row('normalised', 'yes'), /normalised: expected 'true' or 'false', found 'yes'/);
    refuses(row('coRunners', '|4|'), /coRunners: expected 'workload\|batch\|share' of each/);
    refuses(row('coRunners', 'w|x|'), /coRunners: expected a number, found 'x'/);
    refuses(
      row('sharing,coRunners', 'alone,w'),
      /sharing: expected 'mps' or 'co-located' with coRunners/,
    );
    refuses(row('gpus', '1.5'), /gpus: expected a whole number/);
  });
});
