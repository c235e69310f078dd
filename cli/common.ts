import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Table from 'cli-table3';
import { type Command, InvalidArgumentError } from 'commander';
import { readableJson } from '../harness/canonical.ts';
import { replaceFile } from '../harness/run-directory.ts';
import type { Io } from './io.ts';

/** Options that every command takes. */
export interface CommonFlags {
  readonly json?: true;
  readonly quiet?: true;
  readonly seed?: number;
  readonly out?: string;
}

/** A whole number from `min`, for commander. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= min) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min}, found '${text}'.`);
  };
}

/** A number above 0, for commander. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError(`expected a number above 0, found '${text}'.`);
}

/** Gathers the values of an option that may be given more than once. */
export function repeatable(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Adds the options that every command takes. */
export function withCommonOptions(command: Command, outHelp: string): Command {
  return command
    .option('--json', 'one JSON document on stdout, nothing else')
    .option('--quiet', 'no progress and no table')
    .option('--seed <n>', 'first seed', wholeNumber(0))
    .option('--out <dir>', outHelp);
}

/** A new command with the options that every command takes. */
export function commandWith(
  parent: Command,
  nameAndArgs: string,
  help: string,
  outHelp: string,
  isDefault = false,
): Command {
  return withCommonOptions(parent.command(nameAndArgs, { isDefault }).description(help), outHelp);
}

/** Folder output of the commands that list and show. */
export const LIST_OUT_HELP = 'also write the JSON document to a file in this folder';

/**
 * Prints what a listing command found, as a document or as text, and keeps it if asked to.
 * @param name of the file below `--out`, without its extension
 */
export function present(
  io: Io,
  flags: CommonFlags,
  name: string,
  document: unknown,
  text: () => string,
): void {
  if (flags.out !== undefined) {
    mkdirSync(flags.out, { recursive: true });
    replaceFile(path.join(flags.out, `${name}.json`), readableJson(document));
  }
  if (flags.json === true) io.stdout.write(readableJson(document));
  else if (flags.quiet !== true) io.stdout.write(text());
}

/** A thing that can be listed and shown by name. */
export interface Listing<F extends CommonFlags> {
  /** Name of the command, and of the file of the list. */
  readonly command: string;
  /** What one of it is called; begins the name of its file. */
  readonly one: string;
  readonly help: string;
  readonly options?: (command: Command) => Command;
  readonly list: (flags: F) => [document: unknown, text: () => string];
  readonly show: (name: string, flags: F) => [document: unknown, text: () => string];
}

/** Adds `COMMAND list`, which is what `COMMAND` alone does, and `COMMAND show NAME`. */
export function addListing<F extends CommonFlags>(parent: Command, io: Io, listing: Listing<F>) {
  const { command, one, help, options = (same: Command) => same } = listing;
  const group = parent.command(command).description(help);
  const list = commandWith(group, 'list', `list the ${command}`, LIST_OUT_HELP, true);
  options(list).action((flags: F) => {
    const [document, text] = listing.list(flags);
    present(io, flags, command, document, text);
  });
  const show = commandWith(group, 'show <name>', `show one ${one}`, LIST_OUT_HELP);
  options(show).action((name: string, flags: F) => {
    const [document, text] = listing.show(name, flags);
    present(io, flags, `${one.replaceAll(' ', '-')}-${name}`, document, text);
  });
}

/** Rows in columns without lines; the first row is the heading. */
export function columns(rows: readonly (readonly string[])[]): string {
  const none = Object.fromEntries(
    ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
      ['', '-mid', '-left', '-right'].map((end) => [`${side}${end}`, '']),
    ),
  );
  const table = new Table({
    chars: { ...none, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
