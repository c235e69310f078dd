import type { OptionValues, PolicyOption } from '../../policies/policy.ts';

/**
 * What a peer's own simulator reads and writes, replayed: its input formats, its rules, its clock.
 * The engine runs every policy on one physics; where a peer's clock is none (ticks, percent of a
 * pool, rounds of whole steps), a small driver around the same rule functions reproduces its
 * recorded outputs, and so proves the rules.
 */
export interface Peer {
  /** Word of the command line, and name of its folder of recorded cases. */
  readonly name: string;
  readonly title: string;
  /** Repository and commit whose behaviour is replayed, with its licence. */
  readonly source: string;
  readonly policies: readonly PeerPolicy[];
  readonly inputs: readonly PeerInput[];
  readonly settings: readonly PolicyOption[];
  /** Columns of the rows that `replay` gives, in order. */
  readonly columns: readonly string[];
  /**
   * Replays one input.
   * @throws {InputError} on a file that is missing or malformed, naming file and line
   */
  replay(request: ReplayRequest): Promise<ReplayResult>;
  /** Cases recorded from the peer's own simulator in a folder; none where it holds none. */
  recorded(folder: string): Promise<readonly PeerCase[]>;
}

/** A policy under the name that the peer gives it. */
export interface PeerPolicy {
  readonly name: string;
  /** One line: its rule, and how it differs from what its name says. */
  readonly title: string;
  /** Policy of the engine with the same rule (`name:option=value,...`), or null. */
  readonly engine: string | null;
}

/**
 * Something that a replay reads. `trace` and `cluster` are given with the options of that name, the
 * others with `--set NAME=FILE`.
 */
export interface PeerInput {
  readonly name: string;
  /** What it is, its columns and units. */
  readonly format: string;
  /** Path below the folder of downloaded data where it is found when it is not given. */
  readonly data?: string;
  /** What is taken when it is neither given nor there; without a default it must be given. */
  readonly default?: string;
}

export interface ReplayRequest {
  readonly policy: string;
  /** By name of the input: a path, or another word that its format allows. */
  readonly inputs: Readonly<Record<string, string>>;
  /** All settings, defaults filled in and checked. */
  readonly settings: OptionValues;
}

/** A line of a peer's output, by the names of its columns; null where it has no value. */
export type PeerRow = Readonly<Record<string, string | number | null>>;

/** What a replay gives, in the terms of the peer: written to `jobs.csv` and `summary.json`. */
export interface ReplayResult {
  readonly jobs: readonly PeerRow[];
  readonly summary: Readonly<Record<string, number>>;
}

/** An output recorded from the peer's own simulator, with what it was made from. */
export interface PeerCase {
  readonly peer: string;
  /** Short and unique within the peer: input, policy, set-up. */
  readonly name: string;
  readonly policy: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Settings that differ from the defaults. */
  readonly settings: Readonly<Record<string, number | string | boolean>>;
  readonly expected: PeerExpectation;
  /**
   * Largest difference allowed, relative to the recorded number: 0 for equal to the last digit that
   * was recorded, null where the peer's own output is not determined by its rule (a random draw, a
   * vertex of a linear program) and only shown.
   */
  readonly tolerance: number | null;
  /** Why it is not exact; empty where it is. */
  readonly note: string;
}

export interface PeerExpectation {
  /** Columns that were recorded; rows are compared on these, as a multiset. */
  readonly columns: readonly string[];
  readonly rows: readonly PeerRow[];
  /** Figures that were recorded, by the names in the summary of the replay. */
  readonly summary: Readonly<Record<string, number>>;
  /** Decimals to which a figure of the summary was recorded; absent where in full. */
  readonly decimals?: number;
}
