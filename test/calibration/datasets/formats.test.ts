import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { formatMeasurementReport } from '../../../calibration/datasets/format-report.ts';
import { MEASUREMENT_FORMATS } from '../../../calibration/datasets/formats.ts';
import { canonicalGpuName, gpuNameIn } from '../../../calibration/datasets/gpu-names.ts';
import {
  OPTION_DEFAULTS,
  OPTION_FACTS,
  parseMeasurementOptions,
} from '../../../calibration/datasets/options.ts';
import { readMeasurements } from '../../../calibration/datasets/read-measurements.ts';
import { SAMPLES } from './samples.ts';
import { addsUp, Files, refuses } from './support.ts';

const DOCUMENT = readFileSync(new URL('../../../docs/measurements.md', import.meta.url), 'utf8');

describe('measurement files of any format', () => {
  const files = new Files();
  after(() => {
    files.remove();
  });

  it('are recognised by their content', () => {
    for (const [format, { name, text }] of Object.entries(SAMPLES)) {
      const file = files.write(`v100-${format}/${name.replace(/^.*\./, 'x.')}`, text);
      const found = [...MEASUREMENT_FORMATS.values()].filter((it) =>
        it.detect({ path: file, text, header: text.split('\n')[0]?.split(',') ?? [] }),
      );
      assert.deepEqual(
        found.map((it) => it.name),
        [format],
      );
    }
  });

  it('have a sample in the tests and a line in the documentation each', () => {
    assert.deepEqual([...MEASUREMENT_FORMATS.keys()].sort(), Object.keys(SAMPLES).sort());
    for (const name of MEASUREMENT_FORMATS.keys())
      assert.ok(DOCUMENT.includes(`\`${name}\``), name);
  });

  it('become one table, whose counts add up', () => {
    const paths = Object.entries(SAMPLES).map(([format, { name, text }]) =>
      files.write(`all/${format}/v100/${name}`, text),
    );
    const table = readMeasurements(paths);
    addsUp(table);
    assert.equal(table.report.files.length, paths.length);
    const sources = new Set(table.rows.map(({ source }) => source));
    // The own file names no source, and coefficients are no measurements.
    assert.equal(sources.size, MEASUREMENT_FORMATS.size - 1);
    assert.equal(
      new Set(table.rows.map(({ source, row }) => `${source} ${row}`)).size,
      table.rows.length,
    );
  });

  it('may be given as a folder, of which other files are left out by name', () => {
    files.write('set/v100/dataset_power.csv', SAMPLES['v100-clocks'].text);
    files.write('set/readme.md', '# set');
    files.write('set/other.csv', 'dataset,network,batch_size,optimizer\n1,2,3,4\n');
    const { report } = readMeasurements([`${files.path}/set`]);
    assert.deepEqual(report.files, [`${files.path}/set/v100/dataset_power.csv`]);
    assert.ok(report.assumed.includes('other.csv left out: in no known format'));
  });

  it('count once when given twice, and copies in two files once', () => {
    const { text } = SAMPLES.zeus;
    const one = files.write('twice/v100_a.csv', text);
    const other = files.write('twice/v100_b.csv', text);
    const once = readMeasurements([one, one, `${files.path}/twice/../twice/v100_a.csv`]);
    assert.deepEqual(once.report.dropped, {});
    const both = readMeasurements([one, other]);
    assert.equal(both.rows.length, once.rows.length);
    assert.deepEqual(both.report.dropped, { 'duplicated row': once.rows.length });
  });

  it('take options', () => {
    const file = files.write('o/caps.csv', SAMPLES.zeus.text);
    const table = readMeasurements([file], { format: 'zeus', options: { gpu: 'l40s' } });
    assert.equal(table.rows[0]?.gpuType, 'L40S');
    assert.equal(table.report.options.gpu, 'l40s');
  });

  it('are refused when they are in no known format, with the closest', () => {
    const write = (name: string, text: string | Uint8Array) => files.write(`bad/${name}`, text);
    refuses(
      () => readMeasurements([write('z.csv', SAMPLES.zeus.text.replace('average_power', 'power'))]),
      /z\.csv:1:1 expected a column 'average_power', found: .*\(closest format: 'zeus'\)/,
    );
    refuses(
      () => readMeasurements([write('a.csv', 'x,y\n1,2\n')]),
      /a\.csv:1:1 expected a known format, found a file that begins with 'x,y'; known: 'zeus'/,
    );
    refuses(() => readMeasurements([write('e.csv', '')]), /expected a known format, found nothing/);
    refuses(
      () => readMeasurements([write('b.csv', new Uint8Array([0, 1, 2]))]),
      /found a binary file/,
    );
    refuses(() => readMeasurements([`${files.path}/none.csv`]), /no such file/);
    files.write('empty/readme.md', '');
    refuses(
      () => readMeasurements([`${files.path}/empty`]),
      /expected measurement files, found none/,
    );
    refuses(() => readMeasurements([]), /expected measurement files, found none/);
    const file = write('caps-v100.csv', SAMPLES.zeus.text);
    refuses(
      () => readMeasurements([file], { format: 'zues' }),
      /unknown format 'zues', .*did you mean 'zeus'\?/,
    );
    refuses(() => readMeasurements([file], { format: 'sia' }), /expected a column 'local_bsz'/);
  });

  it('are refused when no row can be kept', () => {
    const file = files.write('none/v100.csv', SAMPLES.zeus.text.replace(/,\d+\n/g, ',\n'));
    refuses(
      () => readMeasurements([file]),
      /found none that can be kept \(no value of average_power: 2\)/,
    );
  });
});

describe('the options of measurement files', () => {
  it('are all in the documentation, with their defaults', () => {
    for (const name of Object.keys(OPTION_FACTS))
      assert.ok(DOCUMENT.includes(`| \`${name}\` |`), name);
    for (const [name, value] of Object.entries(OPTION_DEFAULTS)) {
      const line = DOCUMENT.split('\n').find((text) => text.startsWith(`| \`${name}\` |`)) ?? '';
      assert.ok(line.split('|')[2]?.includes(String(value)), `${name} ${value}`);
    }
  });

  it('are read from words', () => {
    const words = { gpu: ' V100 ', minCoreMhz: '0', overSpeed: 'clamp', colocatedShare: '0.5' };
    assert.deepEqual(parseMeasurementOptions(words, '--option'), {
      gpu: 'V100',
      minCoreMhz: 0,
      overSpeed: 'clamp',
      colocatedShare: 0.5,
    });
  });

  it('are refused with what they may be', () => {
    const parse = (words: Record<string, string>) => () =>
      parseMeasurementOptions(words, '--option');
    refuses(
      parse({ mising: 'drop' }),
      /^--option unknown option 'mising', known: gpu, .*; did you mean 'missing'\?/,
    );
    refuses(parse({ missing: 'no' }), /^--option missing: expected 'drop' or 'error', found 'no'/);
    refuses(parse({ speedLimit: '-1' }), /speedLimit: expected a number from 0 on, found '-1'/);
    refuses(parse({ minCoreMhz: '' }), /minCoreMhz: expected a number/);
    refuses(parse({ colocatedShare: '2' }), /colocatedShare: expected a share in \(0, 1\]/);
    refuses(parse({ gpu: ' ' }), /gpu: expected a name/);
    refuses(parse({ constructor: 'x' }), /unknown option 'constructor'/);
  });
});

describe('a gpu name', () => {
  it('is brought to its usual spelling', () => {
    const spellings: Record<string, string> = {
      v100: 'V100',
      'Tesla V100': 'V100',
      gtx1080ti: 'GTX1080Ti',
      'RTX 2080 Ti': 'RTX2080Ti',
      '2080ti': 'RTX2080Ti',
      gtx2070s: 'RTX2070S',
      'Quadro RTX 6000': 'RTX6000',
      'a100-80gb': 'A100-80',
      Trainium: 'Trainium',
    };
    for (const [given, name] of Object.entries(spellings)) {
      assert.equal(canonicalGpuName(given), name);
    }
  });

  it('is found in a file name as a whole word', () => {
    const names: Record<string, string | null> = {
      summary_power_rtx6000: 'RTX6000',
      'rtx-2080-ti_grid': 'RTX2080Ti',
      '3080_UTIL': 'RTX3080',
      a100_80gb_caps: 'A100-80',
      H200: 'H200',
      data10: null,
      clocks_4000: null,
      '': null,
    };
    for (const [name, gpu] of Object.entries(names)) assert.equal(gpuNameIn(name), gpu, name);
  });
});

describe('the report of measurement files', () => {
  it('is written as text', () => {
    const text = formatMeasurementReport({
      files: ['a.csv'],
      rowsRead: 5,
      kept: 3,
      dropped: { 'duplicated row': 2 },
      flagged: { 'average power above the cap': 1 },
      options: { overCap: 'keep' },
      assumed: ['gpu type V100 by the name of a.csv'],
    });
    assert.equal(
      text,
      [
        '1 file, 5 points read, 3 kept',
        'left out:',
        '  2 duplicated row',
        'kept with a doubt:',
        '  1 average power above the cap',
        'options:',
        '  overCap: keep',
        'taken for granted:',
        '  gpu type V100 by the name of a.csv',
        '',
      ].join('\n'),
    );
    const bare = {
      files: ['a', 'b'],
      rowsRead: 1,
      kept: 1,
      dropped: {},
      flagged: {},
      options: {},
      assumed: [],
    };
    assert.equal(formatMeasurementReport(bare), '2 files, 1 points read, 1 kept\n');
  });
});
