import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkRecorded } from '../../harness/peers/recorded-cases.ts';
import { PEERS } from '../../harness/peers/registry.ts';
import { studentTCritical } from '../../harness/student-t.ts';
import type { Decision } from '../../sim/decisions.ts';
import { DEFAULT_SIMULATION_OPTIONS } from '../../sim/options.ts';
import type { Summary } from '../../sim/result.ts';
import { simulate } from '../../sim/simulate.ts';
import type { View } from '../../sim/view.ts';
import { type ServiceLaw, synthesize, synthQueue } from '../../traces/synth/index.ts';
import { policyOn } from '../policies/schedule.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { firstPhillyJobs, ROOT } from './data.ts';

/** A table of docs/validation.md: the first row is its heading. */
export type Rows = readonly (readonly string[])[];

/** Computes the rows of a table of docs/validation.md. */
export interface ValidationTable {
  readonly needsData: boolean;
  rows(): Rows | Promise<Rows>;
}

const thousands = (value: number): string => Math.round(value).toLocaleString('en-US');

// Queueing theory.

const REPLICATIONS = 10;
const QUEUE_JOBS = 8000;
const FLAT = profileSet(
  [flatGpu({ idlePowerW: 50 })],
  [flatProfile({ memoryGib: 0, power: { memoryW: 0, coreW: 250 } })],
);

interface Queue {
  readonly name: string;
  readonly figure: string;
  readonly gpus: number;
  readonly load: number;
  readonly service: ServiceLaw;
  readonly theoryS: number;
  readonly of: (summary: Summary) => number;
}

/** Mean wait of M/M/c with a mean service time of 1 s, by Erlang's second formula. */
function erlangWaitS(c: number, load: number): number {
  let term = 1;
  let sum = 0;
  for (let k = 0; k < c; k += 1) {
    sum += term;
    term *= (c * load) / (k + 1);
  }
  const waiting = term / (1 - load);
  return waiting / (sum + waiting) / (c * (1 - load));
}

const wait = ({ queueS }: Summary): number => queueS.mean;
const EXPONENTIAL: ServiceLaw = { kind: 'exponential', meanS: 1 };
const QUEUES: readonly Queue[] = [
  {
    name: 'M/M/1',
    figure: 'mean wait',
    gpus: 1,
    load: 0.5,
    service: EXPONENTIAL,
    theoryS: erlangWaitS(1, 0.5),
    of: wait,
  },
  {
    name: 'M/M/4',
    figure: 'mean wait',
    gpus: 4,
    load: 0.7,
    service: EXPONENTIAL,
    theoryS: erlangWaitS(4, 0.7),
    of: wait,
  },
  {
    name: 'M/D/1',
    figure: 'mean wait',
    gpus: 1,
    load: 0.5,
    service: { kind: 'deterministic', meanS: 1 },
    theoryS: 0.5,
    of: wait,
  },
  {
    name: 'M/G/1-PS, lognormal service',
    figure: 'mean time in the system',
    gpus: 1,
    load: 0.5,
    service: { kind: 'lognormal', meanS: 1, variation: 1.5 },
    theoryS: 2,
    of: ({ jctS }) => jctS.mean,
  },
];

/** Every job joins GPU 0 at once and the GPU alternates between them. */
const processorSharing = {
  name: 'processor-sharing',
  information: { duration: 'none', durationNoise: 0 },
  mode: 'time-slice',
  *decide(view: View): Generator<Decision> {
    for (const waiting of view.queue) yield { kind: 'start', job: waiting, gpus: [0] };
  },
} as const;

function simulateQueue(queue: Queue, replication: number): number {
  const jobs = synthQueue({
    arrivalRatePerS: queue.load * queue.gpus,
    service: queue.service,
    jobs: QUEUE_JOBS,
    seed: `${queue.name} ${replication}`,
    workload: 'flat',
    referenceGpu: 'flat',
  });
  const world = worldOf({
    jobs,
    cluster: clusterOf({ nodes: queue.gpus }),
    profiles: FLAT,
    options: { paranoid: false, switchingLoss: 0 },
  });
  const shared = queue.name.includes('PS');
  return queue.of(simulate(world, shared ? processorSharing : policyOn(world, 'fifo')).summary);
}

function queueing(): Rows {
  const rows = QUEUES.map((queue) => {
    const values = Array.from({ length: REPLICATIONS }, (_, i) => simulateQueue(queue, i + 1));
    const mean = values.reduce((sum, value) => sum + value, 0) / REPLICATIONS;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const deviation = Math.sqrt(squares / (REPLICATIONS - 1) / REPLICATIONS);
    const half = studentTCritical(0.95, REPLICATIONS - 1) * deviation;
    return [
      queue.name,
      String(queue.load),
      queue.figure,
      `${queue.theoryS.toFixed(3)} s`,
      `${mean.toFixed(3)} ± ${half.toFixed(3)} s`,
    ];
  });
  return [['queue', 'load', 'figure', 'theory', 'here, 95 % interval'], ...rows];
}

// Other simulators.

/** Recorded of SimGrid 3.32 with its host energy plug-in: megawatt hours by number of jobs. */
const SIMGRID_MWH: readonly (readonly [jobs: number, energyMwh: number])[] = [
  [1000, 70.3],
  [5000, 87.5],
  [10_000, 106.1],
  [50_000, 199.7],
  [82_247, 311.4],
];
const SIMGRID_JCT_S = 103_998;

async function simgrid(): Promise<Rows> {
  const rows: string[][] = [];
  for (const [count, energyMwh] of SIMGRID_MWH) {
    const jobs = await firstPhillyJobs(count);
    const world = {
      jobs,
      cluster: clusterOf({ gpusPerNode: 8, nodes: 64 }),
      profiles: profileSet(
        [flatGpu({ idlePowerW: 50, contextPowerW: 50 })],
        [flatProfile({ power: { memoryW: 0, coreW: 250 } })],
      ),
      options: DEFAULT_SIMULATION_OPTIONS,
      seed: 1,
    };
    const { energyJ, jctS } = simulate(world, policyOn(world, 'fifo')).summary;
    const oursMwh = (energyJ.total / 3.6e9).toFixed(1);
    rows.push([`energy, ${thousands(count)} jobs`, `${energyMwh} MWh`, `${oursMwh} MWh`]);
    if (count !== 1000) continue;
    const [theirs, ours] = [thousands(SIMGRID_JCT_S), thousands(jctS.mean)];
    rows.push([`mean JCT, ${thousands(count)} jobs`, `${theirs} s`, `${ours} s`]);
  }
  return [['figure', 'SimGrid', 'here'], ...rows];
}

// Recorded outputs of other simulators.

async function peers(): Promise<Rows> {
  const folder = process.env.HESHARE_DATA ?? '';
  const outcomes = await checkRecorded(PEERS, path.join(folder, 'peer-cases'), folder);
  const exact = outcomes.filter(({ tolerance }) => tolerance === 0);
  const rows = exact.map(({ peer, name, rows: recorded, rowsDiffering }) => [
    `\`${peer}\``,
    name,
    `${recorded - rowsDiffering} of ${recorded}`,
  ]);
  return [['simulator', 'recorded case', 'rows that are equal'], ...rows];
}

// What the fits of the shipped profiles report.

/** The table behind a heading of calibration/profiles/README.md. */
function calibrationTable(heading: string, keep: (cells: readonly string[]) => boolean): Rows {
  const page = readFileSync(path.join(ROOT, 'calibration/profiles/README.md'), 'utf8');
  const start = page.indexOf(`## ${heading}`);
  if (start < 0) throw new RangeError(`calibration/profiles/README.md has no '## ${heading}'`);
  const lines = page.slice(start).split('\n').slice(1);
  const end = lines.findIndex((line) => line.startsWith('## '));
  const section = end < 0 ? lines : lines.slice(0, end);
  const cells = section
    .filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [head = [], ...rows] = cells;
  return [head, ...rows.filter(keep)];
}

/** Columns that hold something in every row. */
function withoutEmptyColumns(rows: Rows): Rows {
  const [head = [], ...body] = rows;
  const kept = head.map((_, i) => body.some((cells) => cells[i] !== ''));
  return rows.map((cells) => cells.filter((_, i) => kept[i]));
}

// The generator and the published trace.

/** Largest distance between two empirical distribution functions (Kolmogorov-Smirnov). */
function distance(a: readonly number[], b: readonly number[]): number {
  const [left, right] = [a.toSorted((x, y) => x - y), b.toSorted((x, y) => x - y)];
  let [i, j, largest] = [0, 0, 0];
  while (i < left.length && j < right.length) {
    const x = Math.min(left[i] ?? 0, right[j] ?? 0);
    while (left[i] === x) i += 1;
    while (right[j] === x) j += 1;
    largest = Math.max(largest, Math.abs(i / left.length - j / right.length));
  }
  return largest;
}

async function generator(): Promise<Rows> {
  const real = await firstPhillyJobs(82_247);
  const rows = [1, 2, 3].map((seed) => {
    const { jobs } = synthesize('philly', { jobs: real.length, seed });
    const durations = distance(
      real.map(({ durationS }) => Math.log(durationS)),
      jobs.map(({ durationS }) => Math.log(durationS)),
    );
    const gangs = distance(
      real.map(({ gpuCount }) => gpuCount),
      jobs.map(({ gpuCount }) => gpuCount),
    );
    return [String(seed), durations.toFixed(3), gangs.toFixed(4)];
  });
  return [['seed', 'logarithm of the run time', 'gang size'], ...rows];
}

/** The tables of docs/validation.md, by name. */
export const VALIDATION_TABLES: Readonly<Record<string, ValidationTable>> = {
  queueing: { needsData: false, rows: queueing },
  simgrid: { needsData: true, rows: simgrid },
  peers: { needsData: true, rows: peers },
  clocks: { needsData: false, rows: () => calibrationTable('Clocks', () => true) },
  caps: {
    needsData: false,
    rows: () =>
      withoutEmptyColumns(
        calibrationTable('Power caps', ([first = '']) => first === '**mean**'),
      ).map((cells) => cells.slice(1)),
  },
  shares: { needsData: false, rows: () => calibrationTable('MPS shares', () => true) },
  generator: { needsData: true, rows: generator },
};
