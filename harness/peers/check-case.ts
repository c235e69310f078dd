import { failureOf } from '../failure.ts';
import type { Peer, PeerCase, PeerRow, ReplayResult } from './peer.ts';
import { replayRequest } from './request.ts';

/** A figure of a summary, ours and as recorded. */
export interface ComparedNumber {
  readonly name: string;
  readonly ours: number;
  readonly theirs: number;
}

/** What came of replaying a recorded case. */
export interface CaseOutcome {
  readonly peer: string;
  readonly name: string;
  readonly policy: string;
  /** Rows recorded, and how many of them have no equal among ours. */
  readonly rows: number;
  readonly rowsDiffering: number;
  readonly figures: readonly ComparedNumber[];
  /** Largest relative difference of a number; Infinity where a word or the number of rows differs. */
  readonly worst: number;
  /** Largest that is allowed: 0 for equal, null where the case is only shown. */
  readonly tolerance: number | null;
  readonly equal: boolean;
  readonly note: string;
  /** Why the replay ended without a result; null where it has one. */
  readonly error: string | null;
}

/** Differences of floating-point sums are no differences: a recorded mean is one sum over a count. */
const SUM_ERROR = 1e-12;

type Cell = PeerRow[string];

function compareCells(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function relativeDifference(ours: number, theirs: number): number {
  if (ours === theirs) return 0;
  return Math.abs(ours - theirs) / Math.max(Math.abs(theirs), Number.MIN_VALUE);
}

function cellDifference(ours: Cell, theirs: Cell): number {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    return relativeDifference(ours, theirs);
  }
  return ours === theirs ? 0 : Infinity;
}

function tuplesOf(rows: readonly PeerRow[], columns: readonly string[]): Cell[][] {
  const tuples = rows.map((row) => columns.map((column) => row[column] ?? null));
  return tuples.sort((a, b) => {
    for (let i = 0; i < a.length; i += 1) {
      const order = compareCells(a[i] as Cell, b[i] as Cell);
      if (order !== 0) return order;
    }
    return 0;
  });
}

/** Rows as multisets of what was recorded. */
function compareRows(
  ours: readonly PeerRow[],
  theirs: readonly PeerRow[],
  columns: readonly string[],
): { readonly differing: number; readonly worst: number } {
  if (columns.length === 0) return { differing: 0, worst: 0 };
  if (ours.length !== theirs.length) return { differing: theirs.length, worst: Infinity };
  const left = tuplesOf(ours, columns);
  const right = tuplesOf(theirs, columns);
  let differing = 0;
  let worst = 0;
  left.forEach((tuple, i) => {
    const differences = tuple.map((cell, j) => cellDifference(cell, right[i]?.[j] ?? null));
    const largest = Math.max(...differences);
    if (largest > 0) differing += 1;
    worst = Math.max(worst, largest);
  });
  return { differing, worst };
}

function compareFigures(
  { summary, decimals }: PeerCase['expected'],
  ours: ReplayResult['summary'],
): { readonly figures: readonly ComparedNumber[]; readonly worst: number } {
  let worst = 0;
  const figures = Object.entries(summary).map(([name, theirs]) => {
    const found = ours[name] ?? Number.NaN;
    const value = decimals === undefined ? found : Number(found.toFixed(decimals));
    const difference = Number.isNaN(value) ? Infinity : relativeDifference(value, theirs);
    if (difference > SUM_ERROR) worst = Math.max(worst, difference);
    return { name, ours: value, theirs };
  });
  return { figures, worst };
}

/**
 * Replays a recorded case and compares; what fails is an outcome, too.
 * @param dataFolder of downloaded data, for inputs that are not recorded with the case
 */
export async function checkCase(
  peer: Peer,
  recorded: PeerCase,
  dataFolder: string | null = null,
): Promise<CaseOutcome> {
  const { name, policy, tolerance, note, expected } = recorded;
  const base = { peer: peer.name, name, policy, rows: expected.rows.length, tolerance, note };
  try {
    const result = await peer.replay(replayRequest(peer, recorded, dataFolder));
    const rows = compareRows(result.jobs, expected.rows, expected.columns);
    const { figures, worst } = compareFigures(expected, result.summary);
    const largest = Math.max(worst, rows.worst);
    return {
      ...base,
      rowsDiffering: rows.differing,
      figures,
      worst: largest,
      equal: largest <= (tolerance ?? Infinity),
      error: null,
    };
  } catch (error) {
    const { message } = failureOf(error);
    const rowsDiffering = expected.rows.length;
    return { ...base, rowsDiffering, figures: [], worst: Infinity, equal: false, error: message };
  }
}
