import type { FileHead } from '../csv/byte-source.ts';
import { strictNumber } from '../csv/row.ts';
import { isHeader } from './table-rows.ts';

/** Lines by which a table is recognised. */
const LINES = 20;
const NEWLINES = /\r\n|\n|\r/;
const STATUS = new Set(['Running', 'Terminated', 'Failed', 'Waiting']);
const ANONYMISED = /^[0-9a-f]{8,}$/;

/** The tables of Alibaba PAI v2020 that say something of jobs and machines, and their columns. */
export const PAI_TABLES = {
  pai_job_table: ['job_name', 'inst_id', 'user', 'status', 'start_time', 'end_time'],
  pai_task_table: [
    'job_name',
    'task_name',
    'inst_num',
    'status',
    'start_time',
    'end_time',
    'plan_cpu',
    'plan_mem',
    'plan_gpu',
    'gpu_type',
  ],
  pai_instance_table: [
    'job_name',
    'task_name',
    'inst_name',
    'worker_name',
    'inst_id',
    'status',
    'start_time',
    'end_time',
    'machine',
  ],
  pai_group_tag_table: ['inst_id', 'user', 'gpu_type_spec', 'group', 'workload'],
  pai_machine_spec: ['machine', 'gpu_type', 'cap_cpu', 'cap_mem', 'cap_gpu'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type PaiTable = keyof typeof PAI_TABLES;

const NAMES = Object.keys(PAI_TABLES) as readonly PaiTable[];

const isText = (cell: string) => cell !== '';
const isNumber = (cell: string) => strictNumber(cell) !== null;
const isTime = (cell: string) => cell === '' || isNumber(cell);
const isType = (cell: string) => !isNumber(cell);
const isStatus = (cell: string) => STATUS.has(cell);
const isAnonymised = (cell: string) => ANONYMISED.test(cell);
const isAny = () => true;

/** What the cells of a row look like, a column each. */
const SHAPES: Readonly<Record<PaiTable, readonly ((cell: string) => boolean)[]>> = {
  pai_job_table: [isText, isText, isAny, isStatus, isTime, isTime],
  pai_task_table: [
    isText,
    isText,
    isTime,
    isStatus,
    isTime,
    isTime,
    isTime,
    isTime,
    isTime,
    isType,
  ],
  pai_instance_table: [isText, isText, isAny, isAny, isAny, isStatus, isTime, isTime, isAny],
  pai_group_tag_table: [isAnonymised, isAnonymised, isType, isAny, isType],
  pai_machine_spec: [isText, isType, isNumber, isNumber, isNumber],
};

/** A table and how it was recognised. */
export interface RecognisedTable {
  readonly table: PaiTable;
  readonly reason: string;
}

/** The table that a file is by its name. */
export function tableByName(path: string): PaiTable | null {
  const file = path.replace(/^.*[/\\]/, '');
  return NAMES.find((name) => file.startsWith(name)) ?? null;
}

/** Whole lines of the head: the last may be cut off. */
function wholeLines(text: string): readonly string[] {
  const lines = text.split(NEWLINES);
  return (lines.length > 1 ? lines.slice(0, -1) : lines)
    .filter((line) => line !== '')
    .slice(0, LINES);
}

/**
 * The table that a file is, by the cells of its first lines: the tables have no header. The first line
 * and at least half of all must have the columns of the table, words and numbers where they belong.
 */
export function recogniseTable({ path, text }: FileHead): RecognisedTable | null {
  const rows = wholeLines(text).map((line) => line.split(','));
  const [first] = rows;
  if (first === undefined) return null;
  for (const table of NAMES) {
    if (isHeader(first, PAI_TABLES[table])) {
      return { table, reason: `the first line has the columns of ${table}` };
    }
    const shape = SHAPES[table];
    const fits = (cells: readonly string[]) =>
      cells.length === shape.length && cells.every((cell, at) => shape[at]?.(cell) === true);
    const fitting = rows.filter(fits);
    // A first line that does not fit may be a header, and then this is another format.
    if (!fits(first) || fitting.length * 2 < rows.length) continue;
    const status = shape.indexOf(isStatus) + 1;
    const word = status === 0 ? '' : ` with a status in the ${status}th`;
    const named = tableByName(path) === table ? '; the file is named so too' : '';
    const reason =
      `no header, and ${fitting.length} of the first ${rows.length} lines have ` +
      `${shape.length} cells${word}, as in ${table}${named}`;
    return { table, reason };
  }
  return null;
}
