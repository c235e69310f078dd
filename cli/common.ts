import { mkdirSync } from 'node:fs';
import path from 'node:path';
import Table from 'cli-table3';
import { type Command, InvalidArgumentError } from 'commander';
import { readableJson } from '../harness/canonical.ts';
import { replaceFile } from '../harness/run-directory.ts';
import type { Io } from './io.ts';
import { orSubcommand } from './unknown.ts';

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

/** A number of seconds from 1, for commander. */
export function secondsFromOne(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 1 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError(`expected a number of seconds from 1, found '${text}'.`);
}

/** Gathers the values of an option that may be given more than once. */
export function repeatable(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** What the options that every command takes mean for one command, and how it is found. */
export interface CommandHelp {
  readonly help: string;
  /** Meaning of `--out`. */
  readonly outHelp: string;
  /** Meaning of `--seed`. */
  readonly seedHelp: string;
}

/** `--seed` of the commands in which nothing is random; every command takes it all the same. */
export const NO_SEED_HELP = 'no effect here: nothing is random';

/** The help of a command that lists or shows. */
export function listHelp(help: string): CommandHelp {
  const outHelp = 'also write the JSON document to a file in this folder';
  return { help, outHelp, seedHelp: NO_SEED_HELP };
}

/**
 * A new command with the options that every command takes. `unnamed` makes it what runs where no
 * command is named, and leaves it out of the help.
 */
export function commandWith(
  parent: Command,
  nameAndArgs: string,
  { help, outHelp, seedHelp }: CommandHelp,
  unnamed = false,
): Command {
  return parent
    .command(nameAndArgs, { isDefault: unnamed, hidden: unnamed })
    .description(help)
    .option('--json', 'one JSON document on stdout, nothing else')
    .option('--quiet', 'no progress and no table')
    .option('--seed <n>', seedHelp, wholeNumber(0))
    .option('--out <dir>', outHelp);
}

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

/**
 * Adds `COMMAND list`, which is what `COMMAND` alone does, and `COMMAND show NAME`, which is what
 * `COMMAND NAME` does.
 */
export function addListing<F extends CommonFlags>(parent: Command, io: Io, listing: Listing<F>) {
  const { command, one, help, options = (same: Command) => same } = listing;
  const group = parent.command(command).description(help);
  const list = (flags: F) => {
    const [document, text] = listing.list(flags);
    present(io, flags, command, document, text);
  };
  const show = (name: string, flags: F) => {
    const [document, text] = listing.show(name, flags);
    present(io, flags, `${one.replaceAll(' ', '-')}-${name}`, document, text);
  };
  options(commandWith(group, 'list', listHelp(`list the ${command} (also without 'list')`))).action(
    list,
  );
  options(
    commandWith(group, 'show <name>', listHelp(`show one ${one} (also without 'show')`)),
  ).action(show);
  options(commandWith(group, `${command} [name]`, listHelp(help), true)).action(
    async (name: string | undefined, flags: F) => {
      if (name === undefined) list(flags);
      else {
        await orSubcommand(command, ['list', 'show'], name, () => {
          show(name, flags);
        });
      }
    },
  );
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
