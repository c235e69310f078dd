import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type ConicRow, conicForm, ecosPoint } from '../../../../harness/peers/ecos/index.ts';
import { LinearProgram, loadSolver, solve } from '../../../../policies/lp/index.ts';

type Table = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface RecordedCase {
  readonly case: string;
  readonly input: { readonly throughputs: Table };
  readonly allocation: Table;
}

const TYPES = ['v100', 'p100', 'k80'];
const file = new URL('../../../policies/gavel/fixtures/lp-cases.json', import.meta.url);
const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly RecordedCase[];

const matrixOf = (table: Table): number[][] =>
  Object.values(table).map((row) => TYPES.map((type) => row[type] as number));
const rounded = (values: Iterable<number>): number[] =>
  Array.from(values, (value) => Number(Math.max(0, value).toFixed(5)));

/** Most throughput of jobs on one GPU of each type. */
function mostThroughput(rates: readonly (readonly number[])[]): LinearProgram {
  const program = new LinearProgram('maximise');
  const variables = rates.map((row) => row.map((cost) => program.addVariable({ cost })));
  rates[0]?.forEach((_, type) => {
    const terms = variables.map((row) => [row[type] as number, 1] as const);
    program.atMost(terms, 1);
  });
  for (const row of variables) {
    const terms = row.map((variable) => [variable, 1] as const);
    program.atMost(terms, 1);
  }
  return program;
}

function conicRow(terms: readonly (readonly [number, number])[], bound: number): ConicRow {
  return {
    variables: terms.map(([variable]) => variable),
    factors: terms.map(([, factor]) => factor),
    bound,
  };
}

describe('the path of ECOS', () => {
  before(loadSolver);

  it('ends where ECOS ended, to all recorded digits, where optima are many', () => {
    // Any split of the two better types between the jobs has the same sum; ECOS came to 0.49379.
    const cases = recorded.filter((each) => each.case.startsWith('max_sum_throughput/'));
    for (const each of cases) {
      const point = ecosPoint(conicForm(mostThroughput(matrixOf(each.input.throughputs))));
      assert.deepEqual(rounded(point ?? []), matrixOf(each.allocation).flat());
    }
    assert.equal(cases.length, 2);
  });

  it('does so in a program with second-order cones, too', () => {
    // Finish-time fairness of four jobs as Gavel states it, with q >= 1 / throughput as a cone.
    const each = recorded.find((one) => one.case.startsWith('finish_time_fairness_perf/T4'));
    assert.ok(each !== undefined);
    const rates = matrixOf(each.input.throughputs);
    const gpus = [1, 2, 3];
    const work = [300, 500, 700, 900];
    const elapsed = [0, 100, 200, 300];
    const largest = 12;
    const inverse = (job: number) => largest + 1 + job;
    // Isolated: a quarter of each type, cut down by their sum of 1.5.
    const isolatedS = work.map((left, i) => {
      const rate = (rates[i] as number[]).reduce(
        (sum, each, j) => sum + (each * (gpus[j] ?? 0)) / 6,
        0,
      );
      return left / rate;
    });
    const rows = work.map((left, i) => {
      const alone = isolatedS[i] as number;
      const terms = [[largest, -1] as const, [inverse(i), left / alone] as const];
      return conicRow(terms, -(elapsed[i] as number) / alone);
    });
    for (let i = 0; i < largest; i += 1) rows.push(conicRow([[i, -1]], 0));
    gpus.forEach((count, j) => {
      const terms = work.map((_, i) => [3 * i + j, 1] as const);
      rows.push(conicRow(terms, count));
    });
    work.forEach((_, i) => {
      const terms = gpus.map((__, j) => [3 * i + j, 1] as const);
      rows.push(conicRow(terms, 1));
    });
    const cones = rates.map((rate, i) => {
      const less = rate.map((value, j) => [3 * i + j, -value] as const);
      const plus = conicRow([...less, [inverse(i), -1]], 0);
      return [plus, conicRow([...less, [inverse(i), 1]], 0), conicRow([], 2)];
    });
    const costs = [...new Array<number>(largest).fill(0), 1, 0, 0, 0, 0];
    const point = ecosPoint({ costs, rows, cones }) ?? new Float64Array(0);
    assert.deepEqual(rounded(point.slice(0, largest)), matrixOf(each.allocation).flat());
    assert.ok(Math.abs((point[largest] as number) - 10 / 7) < 1e-7);
  });

  it('reaches the optimum that the simplex method finds', () => {
    const matrices = fc
      .integer({ min: 1, max: 4 })
      .chain((types) =>
        fc.array(
          fc.array(fc.integer({ min: 1, max: 20 }), { minLength: types, maxLength: types }),
          { minLength: 1, maxLength: 6 },
        ),
      );
    fc.assert(
      fc.property(matrices, (rates) => {
        const program = mostThroughput(rates);
        const point = ecosPoint(conicForm(program));
        assert.ok(point !== null);
        const sum = program.costs.reduce((all, cost, i) => all + cost * (point[i] as number), 0);
        const { objective } = solve(program);
        assert.ok(Math.abs(sum - objective) <= 1e-6 * objective);
      }),
      { numRuns: 40 },
    );
  });

  it('ends nowhere when there is no solution', () => {
    const program = new LinearProgram('minimise');
    const x = program.addVariable({ cost: 1 });
    program.atMost([[x, 1]], 1);
    program.atLeast([[x, 1]], 2);
    assert.equal(ecosPoint(conicForm(program)), null);
  });
});
