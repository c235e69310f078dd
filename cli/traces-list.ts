import { ASSIGNMENT_RULES } from '../traces/assign/assign.ts';
import { CATALOG, type CatalogEntry } from '../traces/catalog/index.ts';
import { FORMATS } from '../traces/formats.ts';
import { GENERATORS } from '../traces/synth/index.ts';
import { byteText } from './byte-progress.ts';
import { columns } from './common.ts';

/** What `heshare traces list --json` prints: all that traces can be read from, made of and given. */
export function listing() {
  return {
    catalog: CATALOG,
    formats: [...FORMATS.values()].map(({ name, title, columns: needed, settings }) => ({
      name,
      title,
      columns: needed,
      settings,
    })),
    generators: [...GENERATORS.values()].map(({ name, title, settings }) => ({
      name,
      title,
      settings,
    })),
    assignmentRules: [...ASSIGNMENT_RULES.values()].map(({ name, title }) => ({ name, title })),
  };
}

/** Size of all files of an entry, as far as it is known. */
function sizeText({ files }: CatalogEntry): string {
  const known = files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const partly = files.some(({ bytes }) => bytes === null);
  if (known === 0) return 'not stated';
  return `${partly ? 'over ' : ''}${byteText(known)}`;
}

function verifiedText({ files }: CatalogEntry): string {
  const verified = files.filter(({ sha256 }) => sha256 !== null).length;
  return verified === files.length ? 'all' : `${verified} of ${files.length}`;
}

function catalogRows(): string[][] {
  return CATALOG.map((entry) => [
    entry.name,
    entry.title,
    entry.format,
    sizeText(entry),
    verifiedText(entry),
    entry.licence,
    entry.cite,
  ]);
}

/** The listing for a person to read. */
export function listText(): string {
  const { formats, assignmentRules, generators } = listing();
  const rows = formats.map(({ name, title, columns: needed }) => [name, title, needed.join(', ')]);
  const settingsOf = (listed: typeof formats | typeof generators) =>
    listed.flatMap((each) => each.settings.map(({ name, meaning }) => [each.name, name, meaning]));
  const catalogHead = ['trace', 'what it is', 'format', 'size', 'checksums', 'licence', 'cite'];
  return [
    columns([catalogHead, ...catalogRows()]),
    'heshare traces fetch TRACE fetches one\n',
    columns([['format', 'what it is', 'columns it must have'], ...rows]),
    columns([['format', 'option', 'meaning'], ...settingsOf(formats)]),
    columns([
      ['rule (--assign)', 'gives jobs their models'],
      ...assignmentRules.map(({ name, title }) => [name, title]),
    ]),
    columns([
      ['generator (--synth)', 'makes jobs like'],
      ...generators.map(({ name, title }) => [name, title]),
    ]),
    columns([['generator', 'option', 'meaning'], ...settingsOf(generators)]),
  ].join('\n');
}
