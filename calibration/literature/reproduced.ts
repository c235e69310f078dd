import { randomStream } from '../../sim/random.ts';
import type { MeasurementTable } from '../measurement.ts';
import { IGNITER_EXAMPLE, IGNITER_V100, provision } from './igniter.ts';
import { scheduleOffline } from './mei-offline.ts';
import { drawTask, type MeiTask, meanSavings, NARROW, WIDE } from './mei-tasks.ts';
import { optimalClocks } from './optimal-clock.ts';

/** A published figure beside what our own code gives, both in percent. */
export interface LiteratureRow {
  readonly what: string;
  readonly source: string;
  readonly published: number;
  readonly here: number;
  /** Difference that the goal allows, in points. */
  readonly within: number;
}

/** True where the figure is within what its goal allows. */
export function agrees({ published, here, within }: LiteratureRow): boolean {
  return Math.abs(published - here) <= within + 1e-9;
}

export interface LiteratureOptions {
  readonly seed: number | string;
  /** Tasks of the mean savings. */
  readonly tasks: number;
  /** Sets of the offline table, and tasks of a set: 1.6 times 2,048 GPUs. */
  readonly sets: number;
  readonly tasksOfSet: number;
}

const DEFAULTS: LiteratureOptions = { seed: 1, tasks: 8000, sets: 4, tasksOfSet: 3276 };

const MEI = 'Mei, Wang and Chu, arXiv 2104.00486';

/** Offline savings by GPUs of a node, from the recorded results: all at theta 0.9. */
const OFFLINE = [
  { gpusPerNode: 2, published: 31.7 },
  { gpusPerNode: 4, published: 29.5 },
  { gpusPerNode: 8, published: 27 },
  { gpusPerNode: 16, published: 24 },
] as const;

const THETA = 0.9;

/** Figures that follow from generators and constants alone: Mei, Wang and Chu; iGniter's example. */
export function reproduceGenerated(options: Partial<LiteratureOptions> = {}): LiteratureRow[] {
  const { seed, tasks, sets, tasksOfSet } = { ...DEFAULTS, ...options };
  const drawn = draw(seed, 'savings', tasks);
  const offline = Array.from({ length: sets }, (_, i) => draw(seed, `offline ${i}`, tasksOfSet));
  const placed = provision(IGNITER_EXAMPLE, IGNITER_V100);
  return [
    ...[
      { name: 'wide', range: WIDE, published: 33.8 },
      { name: 'narrow', range: NARROW, published: 22.5 },
    ].map(({ name, range, published }) => ({
      what: `mean energy saving of a task, ${name} interval`,
      source: MEI,
      published,
      here: 100 * meanSavings(drawn, range).saving,
      within: 0.5,
    })),
    ...OFFLINE.map(({ gpusPerNode, published }) => ({
      what: `offline EDL with theta ${THETA}, saving over EDL without DVFS, ${gpusPerNode} GPUs a node`,
      source: MEI,
      published,
      here: 100 * offlineSaving(offline, gpusPerNode, THETA),
      within: 1,
    })),
    ...[10, 30, 37.5].map((published, i) => {
      const { model } = IGNITER_EXAMPLE[i] ?? { model: { name: '' } };
      const placement = placed[0]?.find(({ workload }) => workload.model.name === model.name);
      return {
        what: `share of ${model.name} in the provisioning example`,
        source: 'iGniter, TPDS 2023',
        published,
        here: placed.length === 1 ? (placement?.share ?? 0) : 0,
        within: 0,
      };
    }),
  ];
}

/** Figures from measurements: the energy-optimal clocks of the V100 clock set. */
export function reproduceMeasured(table: MeasurementTable): LiteratureRow[] {
  const source = 'GPU-DVFS-Dataset, V100; published for 33 applications';
  const free = optimalClocks(table);
  const bound = optimalClocks(table, 0.05);
  const saving = (clocks: readonly { readonly saving: number }[]): number =>
    (100 * clocks.reduce((sum, clock) => sum + clock.saving, 0)) / clocks.length;
  const count = `${free.length} applications`;
  return [
    {
      what: `mean saving at the energy-optimal clock, ${count}`,
      source,
      published: 30,
      here: saving(free),
      within: 1,
    },
    {
      what: `the same at most 5 % slower, ${count}`,
      source,
      published: 21,
      here: saving(bound),
      within: 1,
    },
  ];
}

/** Mean saving of EDL with clocks over EDL without, over sets of tasks. */
export function offlineSaving(
  sets: readonly (readonly MeiTask[])[],
  gpusPerNode: number,
  theta: number,
): number {
  const savings = sets.map((tasks) => {
    const off = scheduleOffline(tasks, { gpusPerNode, range: null }).totalJ;
    return 1 - scheduleOffline(tasks, { gpusPerNode, range: WIDE, theta }).totalJ / off;
  });
  return savings.reduce((sum, saving) => sum + saving, 0) / savings.length;
}

function draw(seed: number | string, purpose: string, count: number): MeiTask[] {
  const random = randomStream(seed, `mei ${purpose}`);
  return Array.from({ length: count }, () => drawTask(random));
}

/** The rows as a Markdown table. */
export function literatureTable(rows: readonly LiteratureRow[]): string {
  const number = (value: number): string => `${Number(value.toFixed(2))} %`;
  return `${[
    '| figure | source | published | here | within | met |',
    '| --- | --- | ---: | ---: | ---: | --- |',
    ...rows.map((row) => {
      const within = row.within === 0 ? 'exactly' : `${row.within} points`;
      const cells = [row.what, row.source, number(row.published), number(row.here), within];
      return `| ${[...cells, agrees(row) ? 'yes' : 'no'].join(' | ')} |`;
    }),
  ].join('\n')}\n`;
}
