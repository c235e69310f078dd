import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { MEASUREMENT_FORMATS } from '../../../calibration/datasets/formats.ts';
import { readMeasurements } from '../../../calibration/datasets/read-measurements.ts';
import type { MeasurementTable } from '../../../calibration/measurement.ts';
import { InputError } from '../../../sim/errors.ts';
import { SAMPLES, type SampleName } from './samples.ts';
import { addsUp, Files } from './support.ts';

const NAMES = Object.keys(SAMPLES) as SampleName[];
const CSV_NAMES = NAMES.filter((name) => !['gavel', 'igniter-profile'].includes(name));
/** Formats of which a table has rows: coefficients give none. */
const WITH_ROWS = CSV_NAMES.filter((name) => name !== 'gpulet-constants');

/** Cells that are no number, or none that is measured. */
const BAD_CELLS = ['157 W', '12ms', '-3', '1e400', 'abc', '0x1f', '1;5', '1.2.3', '∞', "'", 'true'];

/** Columns of the samples from which no number is taken. */
const NOT_READ = new Set(['', 'label', 'gpu_num1', 'gpu_num2', 'n_steps', 'achieved occupancy']);
/** Columns that a row can do without. */
const OPTIONAL = new Set([
  ...['gmem', 'gpu_util', 'gmem_util', 'SMACT', 'DRAMA', 'memory_mib', 'p10_step_s', 'p90_step_s'],
  ...['batch', 'stepS', 'powerW'],
]);

describe('a malformed measurement file', () => {
  const files = new Files();
  after(() => {
    files.remove();
  });
  files.write('v100-set/empty', '');

  /** The table of a text, or null when it is refused; any other error fails the test. */
  const read = (format: SampleName, content: string | Uint8Array): MeasurementTable | null => {
    const file = path.join(files.path, 'v100-set', SAMPLES[format].name);
    writeFileSync(file, content);
    try {
      return readMeasurements([file]);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      assert.ok(error.message.startsWith(error.file), error.message);
      return null;
    }
  };
  const kept = (format: SampleName): number => {
    const table = read(format, SAMPLES[format].text);
    assert.ok(table !== null, format);
    return table.rows.length;
  };

  /** All numbers of a table are finite and measured ones positive. */
  const isSound = (table: MeasurementTable): void => {
    addsUp(table);
    for (const row of table.rows) {
      for (const value of Object.values(row)) {
        if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0);
      }
      assert.ok(row.gpuType !== '' && row.workload !== '');
      const { stepS, throughput, relativeSpeed, powerW, achievedMhz } = row;
      const measured = [stepS, throughput, relativeSpeed, powerW, achievedMhz];
      assert.ok(measured.some((value) => value !== null));
      for (const value of [stepS, relativeSpeed, powerW]) assert.ok(value === null || value > 0);
    }
  };

  it('is an InputError or a sound table, whatever bytes are changed', () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      remove: fc.nat(6),
      insert: fc.oneof(
        fc.string({ maxLength: 4 }),
        fc.constantFrom(...BAD_CELLS, ',', '\n', '"', 'NaN', '', '\u0000', '{', '}'),
      ),
    });
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), fc.array(edit, { maxLength: 3 }), (format, edits) => {
        let text: string = SAMPLES[format].text;
        for (const { at, remove, insert } of edits) {
          const place = Math.floor(at * text.length);
          text = text.slice(0, place) + insert + text.slice(place + remove);
        }
        const table = read(format, text);
        if (table !== null) isSound(table);
      }),
      { numRuns: 600 },
    );
  });

  it('is an InputError or a sound table, whatever bytes it holds', () => {
    const content = fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.string({ maxLength: 60 }));
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), content, (format, bytes) => {
        const table = read(format, bytes);
        if (table !== null) isSound(table);
      }),
      { numRuns: 300 },
    );
  });

  it('is refused when a column that is needed is not there', () => {
    for (const format of CSV_NAMES) {
      const lines = SAMPLES[format].text.split('\n');
      const columns = lines[0]?.split(',') ?? [];
      for (const name of MEASUREMENT_FORMATS.get(format)?.columns ?? []) {
        const at = columns.indexOf(name);
        const text = lines.map((line) => line.split(',').toSpliced(at, 1).join(',')).join('\n');
        assert.equal(read(format, text), null, `${format} ${name}`);
      }
    }
  });

  /** The sample with each numeric cell of its first row in turn replaced. */
  const eachCell = (
    format: SampleName,
    cell: string,
    check: (name: string, text: string) => void,
  ) => {
    const [header = '', first = ''] = SAMPLES[format].text.split('\n');
    const cells = first.split(',');
    for (const [i, name] of header.split(',').entries()) {
      if (NOT_READ.has(name) || !/^\d/.test(cells[i] ?? '')) continue;
      check(name, SAMPLES[format].text.replace(first, cells.toSpliced(i, 1, cell).join(',')));
    }
  };

  it('is refused when a cell is no number, has a unit or is negative', () => {
    for (const format of WITH_ROWS) {
      for (const cell of BAD_CELLS) {
        eachCell(format, cell, (name, text) => {
          assert.equal(read(format, text), null, `${format} ${name} ${cell}`);
        });
      }
    }
  });

  it('has each row without a needed value counted', () => {
    for (const format of WITH_ROWS) {
      const before = read(format, SAMPLES[format].text)?.report.dropped;
      for (const cell of ['', 'NaN']) {
        eachCell(format, cell, (name, text) => {
          const table = read(format, text);
          if (table === null || OPTIONAL.has(name)) return;
          assert.notDeepEqual(table.report.dropped, before, `${format} ${name} '${cell}'`);
        });
      }
    }
  });

  it('counts a row that is there twice', () => {
    for (const format of WITH_ROWS) {
      if (format === 'v100-clocks') continue;
      const { text } = SAMPLES[format];
      const [, first = ''] = text.split('\n');
      const table = read(format, text.replace(first, `${first}\n${first}`));
      assert.ok(table !== null, format);
      addsUp(table);
      const before = kept(format);
      assert.equal(table.rows.length, before);
      assert.ok((table.report.dropped['duplicated row'] ?? 0) > 0, format);
    }
  });
});
