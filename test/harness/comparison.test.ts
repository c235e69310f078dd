import assert from 'node:assert/strict';
import {
  type ComparedFigure,
  type Comparison,
  compareRuns,
  comparisonCsv,
} from '../../harness/comparison.ts';
import { comparisonTable, jobsLine } from '../../harness/table.ts';
import { madeRun, madeSummary } from './made-runs.ts';

const HOUR_S = 3600;
const KWH_J = 3.6e6;

const runs = [
  madeRun('fifo', 1, 10 * HOUR_S, 100 * KWH_J),
  madeRun('fifo', 2, 20 * HOUR_S, 200 * KWH_J),
  madeRun('heshare', 1, 8 * HOUR_S, 70 * KWH_J),
  madeRun('heshare', 2, 14 * HOUR_S, 150 * KWH_J),
];

function figureOf(name: string, { policies }: Comparison): (label: string) => ComparedFigure {
  return (label) => {
    const figure = policies.find((policy) => policy.label === label)?.figures[name];
    assert.ok(figure !== undefined, `no ${name} of ${label}`);
    return figure;
  };
}

describe('harness/comparison', () => {
  it('gives means over seeds and paired changes against the reference', () => {
    const jct = figureOf('jctMeanS', compareRuns('demo', 'fifo', runs, []));
    assert.equal(jct('fifo').mean, 15 * HOUR_S);
    assert.equal(jct('fifo').change, null);
    assert.equal(jct('heshare').mean, 11 * HOUR_S);
    // -20 % and -30 %, whatever the seeds are like.
    const { mean = 0, halfWidth } = jct('heshare').change ?? {};
    assert.ok(Math.abs(mean + 0.25) < 1e-12);
    assert.ok(Math.abs((halfWidth ?? 0) - 12.7062 * 0.05) < 1e-5);
  });

  it('leaves a seed out of the change that the reference lacks', () => {
    const jct = figureOf('jctMeanS', compareRuns('demo', 'fifo', runs.slice(1), []));
    const { n, change } = jct('heshare');
    assert.equal(n, 2);
    assert.equal(change?.n, 1);
    assert.equal(change.halfWidth, null);
  });

  it('states no change when the reference has no run at all', () => {
    const { policies } = compareRuns('demo', 'fifo', runs.slice(2), []);
    assert.equal(policies[0]?.figures.jctMeanS?.change, null);
  });

  it('adds up what became of the jobs, with reasons', () => {
    const summary = madeSummary(1, 1, 3);
    const [first] = runs;
    assert.ok(first);
    const comparison = compareRuns('demo', 'fifo', [first, { ...first, seed: 9, summary }], []);
    assert.equal(
      jobsLine(comparison),
      'jobs: 200 submitted = 197 done + 0 failed + 3 rejected (3 memory)',
    );
  });

  it('writes a line per policy and figure', () => {
    const [head, line] = comparisonCsv(compareRuns('demo', 'fifo', runs, [])).split('\n');
    assert.equal(head, 'policy,metric,seeds,mean,halfWidth,change,changeHalfWidth,reference');
    assert.match(line ?? '', /^fifo,jctMeanS,2,54000,[0-9.]+,,,fifo$/);
  });
});

describe('harness/table', () => {
  const comparison = compareRuns('demo', 'fifo', runs, []);
  const text = comparisonTable(comparison, { colours: false });

  it('shows each figure with its unit, and the change with its interval below', () => {
    assert.match(text, /^policy .* JCT/);
    assert.match(text, /\n +h +h +h +h +h +kWh +kWh +MWh·h +W +%\n/);
    assert.match(text, /\nheshare +11\.0 /);
    assert.match(text, /\n +-25\.0±63\.5 /);
    assert.match(text, /\n\(reference\)\n/);
  });

  it('fits 140 columns and has no control codes', () => {
    assert.ok(Math.max(...text.split('\n').map((line) => line.length)) <= 140);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not occur
    assert.doesNotMatch(text, /\u001b/);
  });

  it('says that one seed has no interval', () => {
    const one = runs.filter((run) => run.seed === 1);
    const single = comparisonTable(compareRuns('demo', 'fifo', one, []), { colours: false });
    assert.match(single, /one seed only, so no interval can be stated/);
    assert.doesNotMatch(single, /±/);
  });
});
