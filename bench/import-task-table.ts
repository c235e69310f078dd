/**
 * `node --import tsx bench/import-task-table.ts [--rows N] [--dist FOLDER] [--keep FOLDER]`: what it takes
 * to import a table of 1.2 million PAI tasks, alone and joined with its jobs, anew and from the cache.
 * The tables are made here, the same ones every time, and imported by the built package in a process of
 * its own with the memory limits that Node has by itself. Never a test: machines differ and are shared.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { randomStream } from '../sim/random.ts';

interface Result {
  readonly name: string;
  readonly rows: number;
  readonly jobs: number;
  readonly wallS: number;
  readonly cpuS: number;
  readonly peakMib: number;
}

function option(name: string, usual: string): string {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : (process.argv[at + 1] ?? usual);
}

function measure(name: string, dist: string, file: string, cache: string): Result {
  process.stderr.write(`${name} ...\n`);
  const script = fileURLToPath(new URL('./import-once.mjs', import.meta.url));
  const child = spawnSync(process.execPath, [script, dist, file, cache], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error(`${name} failed`);
  return { name, ...(JSON.parse(child.stdout) as Omit<Result, 'name'>) };
}

/** Roles of tasks, GPU types and percent of a GPU, the frequent ones several times. */
const ROLES = [
  'tensorflow',
  'worker',
  'worker',
  'ps',
  'PyTorchWorker',
  'xComputeWorker',
  'evaluator',
];
const TYPES = ['MISC', 'MISC', 'T4', 'P100', 'V100', 'V100M32', ''];
const PERCENT = ['25.0', '50.0', '100.0', '100.0', '100.0', '10.0', '5.0', '200.0', '800.0'];
const STATES = ['Terminated', 'Terminated', 'Terminated', 'Failed', 'Running'];
/** Parts of the rows without a GPU and without an end, as in the trace. */
const NO_GPU = 223_965 / 1_261_050;
const NO_END = 0.28;
const SPAN_S = 6_000_000;
const FIRST_S = 494_319;
const BUFFER_CHARACTERS = 1 << 20;

/** Writes lines to a file in pieces. */
class LineWriter {
  readonly #file: number;
  #text = '';

  constructor(file: string) {
    this.#file = openSync(file, 'w');
  }

  write(line: string): void {
    this.#text += line;
    if (this.#text.length > BUFFER_CHARACTERS) this.flush();
  }

  flush(): void {
    writeSync(this.#file, this.#text);
    this.#text = '';
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** Makes a task table of so many rows and the table of its jobs: 1.2 tasks a job, as in the trace. */
function makeTables(folder: string, rows: number): void {
  const random = randomStream(1, 'task table');
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? '';
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const tasks = new LineWriter(path.join(folder, 'pai_task_table.csv'));
  const jobs = new LineWriter(path.join(folder, 'pai_job_table.csv'));
  for (let row = 0; row < rows; ) {
    const job = word() + word() + word();
    const startS = FIRST_S + Math.floor(random() * SPAN_S);
    const status = pick(STATES);
    let endS = startS;
    const size = random() < 0.8 ? 1 : 2;
    for (let task = 0; task < size && row < rows; task += 1) {
      // Most run for minutes, some for days.
      const durationS = Math.floor(10 ** (1 + 4 * random()));
      const end = random() < NO_END ? '' : `${startS + durationS}.0`;
      const gpu = random() < NO_GPU ? '' : pick(PERCENT);
      const role = task === 0 ? pick(ROLES) : 'ps2';
      const instances = random() < 0.9 ? 1 : Math.ceil(random() * 64);
      tasks.write(
        `${job},${role},${instances}.0,${status},${startS}.0,${end},600.0,29.296875,${gpu},${pick(TYPES)}\n`,
      );
      endS = Math.max(endS, startS + durationS);
      row += 1;
    }
    jobs.write(
      `${job},${word()}${word()}${word()}${word()},user${Math.floor(1300 * random() ** 2)},${status},${startS}.0,${endS}.0\n`,
    );
  }
  tasks.close();
  jobs.close();
}

function bench(): void {
  const rows = Number(option('--rows', '1200000'));
  const dist = path.resolve(option('--dist', path.resolve(import.meta.dirname, '../dist')));
  const kept = option('--keep', '');
  const folder = kept === '' ? mkdtempSync(path.join(tmpdir(), 'heshare-bench-')) : kept;
  try {
    const [joined, alone, cache] = ['joined', 'alone', 'cache'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    for (const each of [joined, alone, cache]) mkdirSync(each, { recursive: true });
    makeTables(joined, rows);
    const [both, one] = [joined, alone].map((each) => path.join(each, 'pai_task_table.csv')) as [
      string,
      string,
    ];
    copyFileSync(both, one);
    const results = [
      measure('task table', dist, one, cache),
      measure('task table, from the cache', dist, one, cache),
      measure('tasks and jobs', dist, both, cache),
      measure('tasks and jobs, from the cache', dist, both, cache),
    ];
    const table = new Table({
      head: ['import', 'rows', 'jobs', 'wall s', 'CPU s', 'rows a second', 'peak MiB'],
      style: { head: [], border: [] },
    });
    for (const { name, rows: read, jobs, wallS, cpuS, peakMib } of results) {
      const speed = Math.round(read / wallS);
      table.push([name, read, jobs, wallS.toFixed(2), cpuS.toFixed(2), speed, Math.round(peakMib)]);
    }
    const megabytes = Math.round(statSync(one).size / 1e6);
    console.log(`${table.toString()}\nthe task table has ${megabytes} MB`);
    console.log(JSON.stringify(results, null, 2));
  } finally {
    if (kept === '') rmSync(folder, { recursive: true, force: true });
  }
}

bench();
