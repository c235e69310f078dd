import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import type { Comparison } from '../../harness/comparison.ts';
import { heshare } from '../cli/program.ts';
import { ROOT } from './data.ts';
import { blocksOf, codesIn, namesIn, sectionOf, tableRows } from './markdown.ts';

const PAGE = 'docs/write-a-policy.md';

/** A source file as a syntax tree. */
function parsed(file: string): ts.SourceFile {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true);
}

/** Declarations of a kind in a file, by name. */
function find<T extends ts.Node & { readonly name?: ts.Node }>(
  file: string,
  name: string,
  is: (node: ts.Node) => node is T,
): T {
  const found = parsed(file).statements.find(
    (node): node is T & ts.Statement => is(node) && node.name?.getText() === name,
  );
  return found ?? assert.fail(`${file} declares no ${name}`);
}

function membersOf(file: string, name: string): string[] {
  return find(file, name, ts.isInterfaceDeclaration).members.map(
    (member) => member.name?.getText() ?? '',
  );
}

/** Public members of the cluster, less those that are not a policy's. */
function clusterMembers(): string[] {
  const file = 'sim/cluster/cluster.ts';
  const omitted = find(file, 'ClusterView', ts.isTypeAliasDeclaration)
    .type.getText()
    .matchAll(/'(\w+)'/g);
  const hidden = new Set([...omitted].map((match) => match[1]));
  return find(file, 'Cluster', ts.isClassDeclaration)
    .members.map((member) => member.name?.getText() ?? '')
    .filter((name) => name !== '' && !name.startsWith('#') && !hidden.has(name));
}

/** Kinds of decisions, each with its other fields. */
function decisions(): [string, string[]][] {
  const { type } = find('sim/decisions.ts', 'Decision', ts.isTypeAliasDeclaration);
  assert.ok(ts.isUnionTypeNode(type));
  return type.types.map((choice) => {
    assert.ok(ts.isTypeLiteralNode(choice));
    const fields = choice.members.map((member) => member.name?.getText() ?? '');
    const kind = /kind: '([a-z-]+)'/.exec(choice.getText())?.[1] ?? '';
    return [kind, fields.filter((field) => field !== 'kind')];
  });
}

/** Names without their arguments. */
const bare = (names: readonly string[]) => names.map((name) => name.replace(/\(.*$/, ''));

/** The names in the first cells of the table whose heading begins so. */
function namesUnder(section: string, heading: string): string[] {
  const text = sectionOf(PAGE, section);
  const start = text.indexOf(`| ${heading}`);
  assert.ok(start >= 0, heading);
  const end = text.indexOf('\n\n', start);
  return bare(namesIn(text.slice(start, end < 0 ? undefined : end)));
}

describe('the guide to policies', () => {
  it('describes all that a policy sees', () => {
    const seen = '## What it sees';
    const same = (found: string[], expected: string[]) => {
      assert.deepEqual(found.sort(), expected.sort());
    };
    same(namesUnder(seen, 'of the view'), membersOf('sim/view.ts', 'View'));
    same(namesUnder(seen, 'of a job'), membersOf('sim/job-view.ts', 'JobView'));
    same(namesUnder(seen, 'of the cluster'), clusterMembers());
  });

  it('describes all that a policy may decide, with the fields', () => {
    const rows = tableRows(sectionOf(PAGE, '## What it may decide'));
    assert.deepEqual(
      rows.map(([kind = '', fields = '']) => [codesIn(kind)[0], codesIn(fields)]),
      decisions(),
    );
  });

  it('names messages that the program has', () => {
    const sources = [
      'policies/plugin.ts',
      'policies/predictor.ts',
      'sim/placement-rules.ts',
      'sim/apply.ts',
      'sim/live-job-view.ts',
      'sim/simulate.ts',
      'harness/user-module.ts',
      'harness/failure.ts',
    ];
    const program = sources
      .map((file) => readFileSync(path.join(ROOT, file), 'utf8').replace(/\$\{[^}]*\}/g, '...'))
      .join('\n');
    for (const message of namesIn(sectionOf(PAGE, '## Errors'))) {
      const words = message.split('...').map((part) => part.trim().replace(/^start of job$/, ''));
      for (const part of words.flatMap((text) => text.split('refused:'))) {
        assert.ok(program.includes(part.trim()), `'${part}' of '${message}'`);
      }
    }
  });

  it('has an example that does what it says, through the command line', async function () {
    this.timeout(60_000);
    const block = blocksOf(PAGE).find(({ words }) => words.file === 'least-energy.ts');
    assert.ok(block !== undefined);
    assert.ok(block.text.trimEnd().split('\n').length <= 36, 'about 30 lines');
    const folder = mkdtempSync(path.join(tmpdir(), 'heshare-docs-'));
    try {
      const policy = path.join(folder, 'least-energy.ts');
      writeFileSync(policy, block.text);
      const options = ['--jobs', '60', '--seeds', '1', '--workers', '0', '--out', folder];
      const policies = `fifo-fit:types=first,${policy},${policy}:waitS=1000000`;
      const { code, stdout, stderr } = await heshare(
        ...['compare', '--policy', policies, '--json', '--quiet', ...options],
      );
      assert.equal(code, 0, stderr);
      const { runs, jobs } = JSON.parse(stdout) as Comparison;
      assert.equal(jobs.done, 180);
      const perJobJ = runs.map(({ summary }) => summary.energyJ.perJobMean);
      const [first = 0, waiting = 0, patient = 0] = perJobJ;
      assert.ok(waiting < first && patient <= waiting, perJobJ.join(', '));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
