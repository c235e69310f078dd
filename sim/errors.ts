/**
 * Bad input from a user: a file, an option, a name. The command line ends with exit code 2 on it.
 * The message reads `file:line:col detail`; `detail` says what was found and what was expected.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly detail: string;

  constructor(file: string, line: number | null, column: number | null, detail: string) {
    const place = [file, line, column].filter((part) => part !== null).join(':');
    super(`${place} ${detail}`);
    this.file = file;
    this.line = line;
    this.column = column;
    this.detail = detail;
  }
}

/** An invariant of the simulation broke: a fault of the simulator. Exit code 3. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** A policy took an impossible decision. The message names the policy, the job and the rule. */
export class DecisionError extends Error {
  override readonly name = 'DecisionError';
}

/** Levenshtein distance, with a transposition of neighbours counted once. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i += 1) {
    const row: number[] = [i];
    for (let j = 1; j <= b.length; j += 1) {
      if (i === 0) {
        row.push(j);
        continue;
      }
      const above = rows[i - 1] as number[];
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(
        (above[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (above[j - 1] as number) + same,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, ((rows[i - 2] as number[])[j - 2] as number) + 1);
      }
      row.push(best);
    }
    rows.push(row);
  }
  return (rows[a.length] as number[])[b.length] as number;
}

/** The candidate closest to `word`, or null when none is near enough to be a slip of the pen. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}
