import type { Command } from 'commander';
import { EXIT } from '../harness/failure.ts';
import { CATALOG, type CatalogEntry } from '../traces/catalog/index.ts';
import type { FetchedFile, FetchReport } from '../traces/fetch/fetch.ts';
import { byteText, startByteProgress } from './byte-progress.ts';
import {
  type CommonFlags,
  columns,
  commandWith,
  NO_SEED_HELP,
  present,
  wholeNumber,
} from './common.ts';
import type { Io } from './io.ts';
import { named } from './unknown.ts';

interface FetchFlags extends CommonFlags {
  readonly baseUrl?: string;
  readonly tries?: number;
}

/** Where traces go unless told otherwise. */
const OUTPUT = 'traces';

function checkText({ verified, sha256 }: FetchedFile): string {
  return verified ? 'checksum as published' : `no checksum is published; sha256 ${sha256}`;
}

/** The file to read the trace by, among all that are there now. */
function mainFile({ main }: CatalogEntry, { files, folder }: FetchReport): string {
  const paths = files.flatMap(({ path, unpacked }) => [path, ...unpacked.map((file) => file.path)]);
  return paths.find((path) => path === main || path.endsWith(`/${main}`)) ?? folder;
}

function reportText(entry: CatalogEntry, report: FetchReport): string {
  const { files, licence, cite } = report;
  const rows = files.flatMap((file) => [
    [file.path, byteText(file.bytes), file.state, checkText(file)],
    ...file.unpacked.map(({ path, bytes, verified }) => [
      path,
      byteText(bytes),
      'unpacked',
      verified ? 'checksum as published' : '',
    ]),
  ]);
  const facts = [
    ['licence', licence],
    ['cite', cite],
    ['from', entry.source],
    ...(entry.note === null ? [] : [['note', entry.note]]),
    ['read it with', `heshare traces info ${mainFile(entry, report)}`],
  ];
  return `${columns([['file', 'size', 'is', 'verified'], ...rows])}\n${columns(facts)}`;
}

/** `heshare traces fetch NAME`. */
export function addTracesFetch(group: Command, io: Io, exit: (code: number) => void): void {
  commandWith(group, 'fetch <name>', {
    help: "fetch a public trace (see 'traces list'), verify it and unpack it",
    outHelp: `folder in which the trace gets its own (default: ${OUTPUT}/)`,
    seedHelp: NO_SEED_HELP,
  })
    .option('--base-url <url>', 'a mirror that has the files, by their names, below this address')
    .option('--tries <n>', 'tries of a file without progress (default: 6)', wholeNumber(1))
    .action(async (name: string, flags: FetchFlags) => {
      const entry = named('trace', CATALOG, name);
      const { out = OUTPUT, baseUrl = null, tries, ...shown } = flags;
      // Loaded for this command only: what speaks to the network takes long to load.
      const { fetchTrace } = await import('../traces/fetch/fetch.ts');
      const progress = startByteProgress(io.stderr, flags.quiet === true);
      const report = await io.interruptible(async (signal) => {
        try {
          return await fetchTrace(entry, {
            out,
            baseUrl,
            env: io.env,
            signal,
            progress,
            ...(tries === undefined ? {} : { tries }),
          });
        } catch (error) {
          if (!signal.aborted) throw error;
          return null;
        } finally {
          progress.stop();
        }
      });
      if (report === null) {
        io.stderr.write('heshare: interrupted; fetching again goes on from what there is\n');
        exit(EXIT.interrupted);
        return;
      }
      present(io, shown, `fetch-${name}`, report, () => reportText(entry, report));
    });
}
