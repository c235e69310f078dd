/**
 * `npm run docs [-- --figure]`: writes the parts of the documentation that follow from the program:
 * docs/policies.md, the tables of docs/peers.md, the tables of docs/validation.md (some need HESHARE_DATA), the table of
 * docs/performance.md (from bench/results.json, where there is one), and with `--figure` the picture of
 * the README, which takes a default `heshare compare`.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../cli/main.ts';
import type { Peer } from '../harness/peers/peer.ts';
import { PEERS } from '../harness/peers/registry.ts';
import type { Faithfulness, PolicyDefinition, PolicyOption } from '../policies/policy.ts';
import { POLICIES } from '../policies/registry.ts';
import { DATA_FOLDER, ROOT } from '../test/docs/data.ts';
import { VALIDATION_TABLES } from '../test/docs/validation-tables.ts';

const BENCH_START = '<!-- bench table -->';
const BENCH_END = '<!-- end of bench table -->';

/** A line of bench/results.json. */
export interface BenchResult {
  readonly name: string;
  readonly jobs: number;
  readonly cpuS: number;
  readonly jobsPerCpuS: number;
  readonly peakMib: number;
  readonly decisionP99Ms: number | null;
}

const FAITHFULNESS: Readonly<Record<Faithfulness, string>> = {
  exact: 'takes the same decisions as the original, which recorded outputs show',
  port: 'follows the released rules of the original',
  like: 'follows the description in the paper; the original is not public or differs',
  own: 'ours, from a definition or an idea',
};

const INTRODUCTION = `# Policies

Written by \`npm run docs\` from the registry (\`policies/registry.ts\`); do not edit by hand.

All policies are here by name, with their rule, their source, and every option. An option is given as
\`name:option=value,option=value\` on the command line, or under \`options\` in an experiment file
([experiments.md](experiments.md)).

\`\`\`sh
heshare policies
heshare policies show heshare
\`\`\`

HeShare itself is a **reconstruction**: only the abstract of its paper is public. Every value that the
abstract does not state is an option whose source is \`assumed\`.`;

const TOLD = `## What a policy is told

| level | of durations | of profiles (speeds and powers) |
| --- | --- | --- |
| \`none\` | nothing | nothing |
| \`estimate\` | the duration times a seeded lognormal error | |
| \`oracle\` | the duration itself | |
| \`solo\` | | each workload alone on each GPU type, at each clock and share |
| \`pairs\` | | also two jobs on one GPU, with measured pairs where there are any |
| \`all\` | | everything that the simulation itself knows |

\`profileNoise\` may be given with any policy: the standard deviation of the logarithm of a seeded error
on the speeds and powers that it is told. It is no option of the policy, so it is not listed below.`;

/** Text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Rows as a table; the first one is its heading. */
export function table(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

function allowed({ choices, min, max, default: usual }: PolicyOption): string {
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (typeof usual === 'boolean') return '`true`, `false`';
  if (min === undefined && max === undefined) return 'any';
  if (max === undefined) return `from ${min}`;
  return min === undefined ? `to ${max}` : `${min} to ${max}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function policySection(policy: PolicyDefinition): string {
  const { name, title, source, faithfulness, checkedBy, duration, profile, options } = policy;
  const facts = table([
    ['what', 'value'],
    ['source', source],
    ['faithfulness', `\`${faithfulness}\`: ${FAITHFULNESS[faithfulness]}`],
    ['checked by', checkedBy],
    ['told', `durations \`${duration}\`, profiles \`${profile}\``],
  ]);
  const rows = options.map((option) => [
    `\`${option.name}\``,
    `\`${String(option.default)}\``,
    allowed(option),
    option.description,
    option.source,
  ]);
  const list =
    rows.length === 0
      ? 'No options.'
      : table([['option', 'default', 'allowed', 'meaning', 'source'], ...rows]);
  return `## ${name}\n\n${sentence(title)}\n\n${facts}\n\n${list}`;
}

/** docs/policies.md for these policies. */
export function policiesPage(policies: readonly PolicyDefinition[]): string {
  const overview = table([
    ['policy', 'is', 'told durations', 'told profiles', 'rule'],
    ...policies.map(({ name, faithfulness, duration, profile, title }) => [
      `[${name}](#${name})`,
      `\`${faithfulness}\``,
      `\`${duration}\``,
      `\`${profile}\``,
      title,
    ]),
  ]);
  const legend = table([
    ['is', 'meaning'],
    ...Object.entries(FAITHFULNESS).map(([word, meaning]) => [`\`${word}\``, meaning]),
  ]);
  return `${[INTRODUCTION, overview, legend, TOLD, ...policies.map(policySection)].join('\n\n')}\n`;
}

/** The rows that `npm run bench` printed, as a table. */
export function benchTable(results: readonly BenchResult[]): string {
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
  return table([
    ['case', 'jobs', 'CPU s', 'jobs per CPU s', 'peak MiB', 'decision p99 ms'],
    ...results.map(({ name, jobs, cpuS, jobsPerCpuS, peakMib, decisionP99Ms }) => [
      name,
      whole(jobs),
      cpuS.toFixed(2),
      whole(jobsPerCpuS),
      whole(peakMib),
      decisionP99Ms === null ? '' : decisionP99Ms.toFixed(3),
    ]),
  ]);
}

/** A page with what stands between two marks replaced. */
function replaceBetween(page: string, from: string, to: string, text: string): string {
  const start = page.indexOf(from);
  const end = page.indexOf(to, start);
  if (start < 0 || end < 0) throw new RangeError(`expected ${from} ... ${to}`);
  return `${page.slice(0, start + from.length)}\n\n${text}\n\n${page.slice(end)}`;
}

/** docs/performance.md with the bench results, or as it is where there are none. */
export function withBenchTable(page: string, results: readonly BenchResult[] | null): string {
  return results === null
    ? page
    : replaceBetween(page, BENCH_START, BENCH_END, benchTable(results));
}

/** Policies, inputs and settings of a peer, and the columns of its rows. */
function peerTables({ policies, inputs, settings, columns }: Peer): string {
  const code = (text: string): string => `\`${text}\``;
  const rules = policies.map(({ name, title, engine }) => [
    code(name),
    title,
    engine === null ? '' : code(engine),
  ]);
  const given = inputs.map(({ name, format, default: usual }) => {
    const otherwise = usual === '' ? 'none' : usual;
    return [code(name), otherwise === undefined ? 'must be given' : code(otherwise), format];
  });
  const set = settings.map(({ name, default: usual, description }) => [
    code(name),
    code(String(usual)),
    description,
  ]);
  return [
    table([['policy', 'rule', 'policy of the engine with this rule'], ...rules]),
    table([['input or setting', 'default', 'meaning'], ...given, ...set]),
    `Columns of \`jobs.csv\`: ${columns.map(code).join(', ')}.`,
  ].join('\n\n');
}

/** docs/peers.md with the tables of all peers. @throws {RangeError} where one has no place in it */
export function withPeerTables(page: string, peers: readonly Peer[] = PEERS): string {
  let result = page;
  for (const peer of peers) {
    const text = peerTables(peer);
    result = replaceBetween(result, `<!-- peer: ${peer.name} -->`, '<!-- end of peer -->', text);
  }
  return result;
}

/** docs/validation.md with its tables computed anew, but for those whose data is not at hand. */
async function withFigures(page: string): Promise<string> {
  let result = page;
  for (const [name, validation] of Object.entries(VALIDATION_TABLES)) {
    if (validation.needsData && DATA_FOLDER === null) continue;
    const text = table(await validation.rows());
    result = replaceBetween(result, `<!-- figures: ${name} -->`, '<!-- end of figures -->', text);
  }
  return result;
}

/** What bench/results.json holds, or null. */
export function benchResults(): readonly BenchResult[] | null {
  const file = path.join(ROOT, 'bench/results.json');
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as readonly BenchResult[])
    : null;
}

/** Runs the default comparison and keeps its picture. */
async function drawFigure(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'heshare-docs-'));
  try {
    const code = await main(['compare', '--quiet', '--out', folder]);
    if (code !== 0) throw new Error(`compare ended with exit code ${code}`);
    mkdirSync(path.join(ROOT, 'docs/images'), { recursive: true });
    copyFileSync(
      path.join(folder, 'comparison.png'),
      path.join(ROOT, 'docs/images/comparison.png'),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a page, changes it and writes it back. */
async function rewrite(file: string, change: (page: string) => string | Promise<string>) {
  const full = path.join(ROOT, 'docs', file);
  const page = existsSync(full) ? readFileSync(full, 'utf8') : '';
  writeFileSync(full, await change(page));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await rewrite('policies.md', () => policiesPage(POLICIES));
  await rewrite('peers.md', (page) => withPeerTables(page));
  await rewrite('performance.md', (page) => withBenchTable(page, benchResults()));
  await rewrite('validation.md', withFigures);
  if (process.argv.includes('--figure')) await drawFigure();
}
