import type { Command } from 'commander';
import { type CommonFlags, commandWith, listHelp, present } from './common.ts';
import type { Io } from './io.ts';
import { addTracesFetch } from './traces-fetch.ts';
import { listing, listText } from './traces-list.ts';
import {
  keepTrace,
  presentReport,
  type ReadFlags,
  readTrace,
  withReadOptions,
} from './traces-read.ts';
import { addTracesSynth } from './traces-synth.ts';
import { orSubcommand } from './unknown.ts';

/** Folder output of the commands that make a trace. */
const TRACE_OUT_HELP = 'folder for trace.csv and report.json (default: below runs/)';
const SAMPLE_SEED_HELP = 'seed of the sample (default: 1)';

/** `heshare traces [list | FILE | info FILE | import FILE | fetch NAME | synth | fidelity]`. */
export function addTraces(parent: Command, io: Io, exit: (code: number) => void): void {
  const group = parent
    .command('traces')
    .description('trace files: formats, quality report, import to a HeShare file, generators');
  const list = (flags: CommonFlags) => {
    present(io, flags, 'traces', listing(), listText);
  };
  const info = async (file: string, flags: ReadFlags) => {
    presentReport(io, flags, await readTrace(io, file, flags));
  };
  const infoHelp = {
    ...listHelp("report what a trace file holds (also without 'info')"),
    seedHelp: SAMPLE_SEED_HELP,
  };
  commandWith(
    group,
    'list',
    listHelp("list public traces, formats, generators and rules (also without 'list')"),
  ).action(list);
  withReadOptions(commandWith(group, 'info <file>', infoHelp)).action(info);
  withReadOptions(
    commandWith(group, 'import <file>', {
      help: 'turn a trace into a HeShare trace file',
      outHelp: TRACE_OUT_HELP,
      seedHelp: SAMPLE_SEED_HELP,
    }),
  ).action(async (file: string, flags: ReadFlags) => {
    await keepTrace(io, flags, await readTrace(io, file, flags));
  });
  addTracesFetch(group, io, exit);
  addTracesSynth(group, io, TRACE_OUT_HELP);
  withReadOptions(
    commandWith(group, 'traces [file]', { ...infoHelp, help: group.description() }, true),
  ).action(async (file: string | undefined, flags: ReadFlags) => {
    if (file === undefined) list(flags);
    else {
      const subcommands = ['list', 'info', 'import', 'fetch', 'synth', 'fidelity'];
      await orSubcommand('traces', subcommands, file, () => info(file, flags));
    }
  });
}
