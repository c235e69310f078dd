import { existsSync } from 'node:fs';
import path from 'node:path';
import { InputError, nearest } from '../../sim/errors.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import { readMeasurements } from '../datasets/read-measurements.ts';
import {
  agrees,
  type LiteratureRow,
  reproduceGenerated,
  reproduceMeasured,
} from '../literature/reproduced.ts';
import type { MeasurementReport, MeasurementTable } from '../measurement.ts';
import { validateCaps } from './caps.ts';
import { validateClocks } from './clocks.ts';
import { validateGrids } from './grids.ts';
import type { SchemeResult } from './scheme.ts';
import { validateSharing } from './sharing.ts';
import { validateThroughputPower } from './throughput-power.ts';
import { validateTrainingPairs } from './training-pairs.ts';

/** A scheme by the name that the command line takes, with the public sets that it is for. */
interface NamedScheme {
  readonly name: string;
  readonly about: string;
  /** Files or folders below `calibration/` of the data folder. */
  readonly sets: readonly string[];
  readonly run: (table: MeasurementTable, gpuTypes: readonly GpuType[]) => SchemeResult;
}

const IGNITER = ['igniter-v100-mps'];

/** The held-out schemes. */
export const SCHEMES: readonly NamedScheme[] = [
  {
    name: 'clocks',
    about: 'locked core clocks, alternate ones held out',
    sets: ['v100-dvfs-33apps', 'hkbu-nv-dvfs/v100-dvfs-real-profile.csv'],
    run: (table) => validateClocks(table),
  },
  {
    name: 'grids',
    about: 'grids of core and memory clocks, half of each held out',
    sets: ['hkbu-gpu-dvfs-job-schedule'],
    run: (table) => validateGrids(table),
  },
  {
    name: 'caps',
    about: 'power caps',
    sets: ['zeus-powerlimit'],
    run: (table) => validateCaps(table),
  },
  {
    name: 'shares',
    about: 'unseen MPS shares, unseen pairs, power of jobs together',
    sets: IGNITER,
    run: (table, gpuTypes) => validateSharing(table, { gpuTypes }),
  },
  {
    name: 'pairs',
    about: 'unseen pairs of training jobs, unseen models',
    sets: ['gavel/simulation_throughputs.json', 'lucid'],
    run: (table) => validateTrainingPairs(table),
  },
  {
    name: 'power',
    about: 'power at unseen shares from throughput',
    sets: IGNITER,
    run: (table, gpuTypes) => validateThroughputPower(table, { gpuTypes }),
  },
];

/** Name of the figures that are reproduced from the literature, among those of the schemes. */
export const LITERATURE = 'literature';

/** What `calibrate validate` found. */
export interface Validation {
  readonly schemes: readonly SchemeResult[];
  readonly literature: readonly LiteratureRow[];
  /** By scheme: what was read for it; or why it did not run. */
  readonly read: Readonly<Record<string, MeasurementReport | string>>;
}

/**
 * Runs schemes by name, all when none is given. A folder with the public sets (`calibration/` in it)
 * gives each scheme its own sets; any other file or folder goes to every scheme as one table.
 *
 * @param data folder or file of measurements
 * @throws {InputError} for an unknown scheme, or where there is nothing to read
 */
export function runSchemes(
  data: string,
  names: readonly string[],
  gpuTypes: readonly GpuType[],
): Validation {
  const known = [...SCHEMES.map(({ name }) => name), LITERATURE];
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    const hint = near === null ? '' : `; did you mean '${near}'?`;
    const detail = `unknown scheme '${name}', known: ${known.join(', ')}${hint}`;
    throw new InputError('calibrate validate', null, null, detail);
  }
  const wanted = (name: string): boolean => names.length === 0 || names.includes(name);
  if (!existsSync(data)) throw new InputError(data, null, null, 'no such file or folder');
  const root = path.join(data, 'calibration');
  const isPublic = existsSync(root);
  const own = isPublic ? null : readMeasurements([data]);
  const schemes: SchemeResult[] = [];
  const read: Record<string, MeasurementReport | string> = {};
  for (const { name, sets, run } of SCHEMES) {
    if (!wanted(name)) continue;
    const files = sets.map((set) => path.join(root, set)).filter((file) => existsSync(file));
    if (isPublic && files.length === 0) {
      read[name] = `not run: the data folder has no calibration/${sets.join(', ')}`;
      continue;
    }
    const table = own ?? readMeasurements(files);
    const result = run(table, gpuTypes);
    read[name] = table.report;
    if (result.rows.length > 0) schemes.push(result);
    else read[name] = 'not run: the files hold nothing that it can hold out';
  }
  return { schemes, literature: wanted(LITERATURE) ? literatureRows(root) : [], read };
}

function literatureRows(root: string): LiteratureRow[] {
  const clocks = path.join(root, 'v100-dvfs-33apps');
  return [
    ...reproduceGenerated(),
    ...(existsSync(clocks) ? reproduceMeasured(readMeasurements([clocks])) : []),
  ];
}

const points = (value: number): string => `${Number(value.toFixed(2))} %`;

/** Cells of the table of reproduced figures; the first row is the heading. */
export function literatureCells(rows: readonly LiteratureRow[]): string[][] {
  const head = ['what', 'source', 'published', 'here', 'within', 'met'];
  return [
    head,
    ...rows.map((row) => [
      row.what,
      row.source,
      points(row.published),
      points(row.here),
      `${row.within} points`,
      agrees(row) ? 'yes' : 'no',
    ]),
  ];
}
