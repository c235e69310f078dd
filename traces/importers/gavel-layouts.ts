import { strictNumber } from '../csv/row.ts';
import type { GavelTable } from './gavel-throughputs.ts';

/** One of the forms that Gavel's headerless traces have had. */
export interface GavelLayout {
  readonly columns: readonly string[];
  /** The table that its step counts were made with; null where it states run times. */
  readonly throughputs: GavelTable | null;
}

const WORK = ['needs_data_dir', 'total_steps'];
const TERMS = ['priority_weight', 'SLO'];

/**
 * By number of fields: the Philly traces in Gavel's repository (`traces/msr`, 7), its older (9) and
 * current (10) parser, and Shockwave's (12). The step counts of the Philly traces are their run times
 * times the rates of `oracle_throughputs.json` on a V100, whatever the gang size: of the 9 jobs of virtual
 * cluster 23dbec, all come out as run times that Philly has, and none with the other table.
 */
const LAYOUTS: readonly GavelLayout[] = [
  {
    columns: ['job_type', 'command', 'num_steps_arg', ...WORK, 'arrival_time', 'scale_factor'],
    throughputs: 'oracle_throughputs',
  },
  {
    columns: [
      ...['job_type', 'command', 'num_steps_arg', ...WORK, 'scale_factor', ...TERMS],
      'arrival_time',
    ],
    throughputs: 'simulation_throughputs',
  },
  {
    columns: [
      ...['job_type', 'command', 'working_directory', 'num_steps_arg', ...WORK, 'scale_factor'],
      ...[...TERMS, 'arrival_time'],
    ],
    throughputs: 'simulation_throughputs',
  },
  {
    columns: [
      ...['job_type', 'command', 'working_directory', 'num_steps_arg', ...WORK, 'scale_factor'],
      ...['mode', ...TERMS, 'duration', 'arrival_time'],
    ],
    throughputs: null,
  },
];
/** `7, 9, 10, 12` */
export const FIELD_COUNTS = LAYOUTS.map(({ columns }) => columns.length).join(', ');
const TEXT = new Set(['job_type', 'command', 'working_directory', 'num_steps_arg', 'mode']);

/** The layout with as many fields as the first line has; null when there is none. */
export function layoutOf(cells: readonly string[]): GavelLayout | null {
  return LAYOUTS.find(({ columns }) => columns.length === cells.length) ?? null;
}

/** Whether the cells of the first line are what the columns of a layout hold: words or numbers. */
export function hasShape({ columns }: GavelLayout, cells: readonly string[]): boolean {
  return columns.every((name, at) => {
    const cell = cells[at] ?? '';
    return TEXT.has(name) ? cell !== '' : strictNumber(cell) !== null;
  });
}
