import assert from 'node:assert/strict';
import { POLICIES } from '../../policies/registry.ts';
import {
  benchResults,
  policiesPage,
  withBenchTable,
  withPeerTables,
} from '../../scripts/generate-docs.ts';
import { pageText } from './markdown.ts';

const STALE = 'is not what `npm run docs` writes: run it';

describe('the generated parts of the documentation', () => {
  it('are fresh: docs/policies.md follows the registry', () => {
    assert.equal(pageText('docs/policies.md'), policiesPage(POLICIES), `docs/policies.md ${STALE}`);
  });

  it('are fresh: the tables of docs/peers.md follow the registry of peers', () => {
    const page = pageText('docs/peers.md');
    assert.equal(page, withPeerTables(page), `docs/peers.md ${STALE}`);
    assert.throws(() => withPeerTables('no marks'), /expected <!-- peer: tiresias -->/);
  });

  it('are fresh: the table of docs/performance.md holds the results of the last bench', () => {
    const page = pageText('docs/performance.md');
    assert.equal(page, withBenchTable(page, benchResults()), `docs/performance.md ${STALE}`);
  });

  it('make a table of bench results that replaces the one before', () => {
    const result = {
      name: 'a case',
      jobs: 10_000,
      cpuS: 0.125,
      jobsPerCpuS: 80_000,
      peakMib: 99.6,
      decisionP99Ms: null,
    };
    const page = 'before\n<!-- bench table -->\n\nold\n\n<!-- end of bench table -->\nafter\n';
    const once = withBenchTable(page, [result]);
    assert.ok(once.includes('| a case | 10,000 | 0.13 | 80,000 | 100 |  |'));
    assert.ok(!once.includes('old'));
    assert.equal(withBenchTable(once, [result]), once);
    assert.ok(once.startsWith('before\n') && once.endsWith('after\n'));
  });
});
