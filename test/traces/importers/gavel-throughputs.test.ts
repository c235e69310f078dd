import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import { openByteSource } from '../../../traces/csv/byte-source.ts';
import {
  builtInThroughputs,
  readGavelThroughputs,
} from '../../../traces/importers/gavel-throughputs.ts';
import { damaged } from '../damage.ts';
import { DATA_FOLDER, messageOf, sourceOf } from '../support.ts';
import { publishedSuite } from './published.ts';

const GANGS =
  `{"v100": {"('A', 1)": {"null": 2, "('A', 1)": [1, 1]}, '("A", 4)': {"null": 6}}}`.replace(
    `'("A", 4)'`,
    '"(\\"A\\", 4)"',
  );
const PLAIN = '{"v100": {"A": {"null": 2.5}, "B": {"null": 0}}}';
const read = async (text: string | Buffer, gpuType = 'v100') =>
  await readGavelThroughputs(await sourceOf(text), gpuType);

describe('Gavel throughputs', () => {
  it('are looked up by job type and gang size', async () => {
    const table = await read(GANGS);
    assert.equal(table.byGangSize, true);
    const rates = [1, 4, 2].map((gpus) => table.stepsPerS('A', gpus));
    assert.deepEqual(rates, [2, 6, null]);
    assert.equal(table.stepsPerS('B', 1), null);
  });

  it('are the same at any gang size where the table does not tell them apart', async () => {
    const table = await read(`\uFEFF${PLAIN}`);
    assert.equal(table.byGangSize, false);
    assert.deepEqual([table.stepsPerS('A', 1), table.stepsPerS('A', 24)], [2.5, 2.5]);
    // 0 steps per second: it did not run there.
    assert.equal(table.stepsPerS('B', 1), null);
  });

  it('are refused, with the reason, when they are something else', async () => {
    assert.match(await messageOf(read('{"v100": ')), /^t\.csv is not JSON: /);
    assert.match(await messageOf(read('[1]')), /throughputs: expected an object/);
    assert.match(await messageOf(read('{"v100": 3}')), /'v100': expected an object/);
    assert.match(await messageOf(read('{"v100": {"A": 3}}')), /'A': expected an object/);
    for (const rate of ['-1', '"2"', '1e999', 'null']) {
      const message = await messageOf(read(`{"v100": {"A": {"null": ${rate}}}}`));
      assert.match(message, /'A': expected a throughput from 0 under 'null'/, rate);
    }
    assert.match(
      await messageOf(read(PLAIN, 'p100')),
      /has no throughputs of 'p100'; found: 'v100'$/,
    );
  });

  it('are read or refused, however damaged', async () => {
    const property = fc.asyncProperty(damaged([GANGS, PLAIN]), async (content) => {
      try {
        const rate = (await read(content)).stepsPerS('A', 1);
        assert.ok(rate === null || (rate > 0 && Number.isFinite(rate)));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        assert.ok(error.message.startsWith('t.csv'));
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

publishedSuite('Gavel throughputs that are built in', () => {
  for (const name of ['oracle_throughputs', 'simulation_throughputs'] as const) {
    it(`are those of ${name}.json`, async () => {
      const file = path.join(DATA_FOLDER ?? '', 'calibration', 'gavel', `${name}.json`);
      const table = await readGavelThroughputs(await openByteSource(file), 'v100');
      const builtIn = builtInThroughputs(name);
      assert.equal(builtIn.byGangSize, table.byGangSize);
      const keys = Object.keys((JSON.parse(await readFile(file, 'utf8')) as { v100: object }).v100);
      const jobTypes = new Set(keys.map((key) => /^\('(.*)', \d+\)$/.exec(key)?.[1] ?? key));
      assert.equal(jobTypes.size, 26);
      for (const jobType of jobTypes) {
        for (const gpus of [1, 2, 3, 4, 8, 12, 16]) {
          assert.equal(builtIn.stepsPerS(jobType, gpus), table.stepsPerS(jobType, gpus), jobType);
        }
      }
    });
  }
});
