import { InputError, nearest } from '../../sim/errors.ts';
import { CANONICAL_CSV } from './canonical-csv.ts';
import { missingColumn } from './csv.ts';
import { GAVEL } from './gavel.ts';
import { GPULET_CONSTANTS, GPULET_UTIL } from './gpulet.ts';
import { HKBU_GRID } from './hkbu-grid.ts';
import { HKBU_PROFILE } from './hkbu-profile.ts';
import { IGNITER_PAIRS, IGNITER_SOLO } from './igniter.ts';
import { IGNITER_PROFILE } from './igniter-profile.ts';
import type { FileHead, MeasurementFormat } from './importer.ts';
import { LUCID_PAIRS, LUCID_SOLO } from './lucid.ts';
import { MISO_MIG, MISO_POWER } from './miso.ts';
import { quoted } from './quantity.ts';
import { SIA } from './sia.ts';
import { V100_CLOCKS } from './v100-clocks.ts';
import { ZEUS } from './zeus.ts';

/** Every format of measurement files, by name. */
export const MEASUREMENT_FORMATS: ReadonlyMap<string, MeasurementFormat> = new Map(
  [
    ...[ZEUS, V100_CLOCKS, HKBU_GRID, HKBU_PROFILE, IGNITER_SOLO, IGNITER_PAIRS, IGNITER_PROFILE],
    ...[GAVEL, LUCID_SOLO, LUCID_PAIRS, MISO_MIG, MISO_POWER, SIA],
    ...[GPULET_UTIL, GPULET_CONSTANTS, CANONICAL_CSV],
  ].map((format) => [format.name, format]),
);

/** Part of a format's columns that a file must have to be taken for a broken one of it. */
const CLOSE = 0.5;

const names = (): string => [...MEASUREMENT_FORMATS.keys()].map(quoted).join(', ');

/** The format of a file by its content, or null. @throws {InputError} when it could be two */
export function detectFormat(head: FileHead): MeasurementFormat | null {
  const [match, ...more] = [...MEASUREMENT_FORMATS.values()].filter((it) => it.detect(head));
  if (match === undefined) return null;
  if (more.length === 0) return match;
  const both = [match, ...more].map(({ name }) => quoted(name)).join(' and ');
  throw new InputError(head.path, 1, null, `could be ${both}; name the format`);
}

/** The error for a file in no known format; says what is missing for the closest one. */
export function unknownFormat({ path, header }: FileHead): InputError {
  let closest: MeasurementFormat | null = null;
  let closestPart = 0;
  for (const format of MEASUREMENT_FORMATS.values()) {
    const { columns } = format;
    const part = columns.filter((name) => header.includes(name)).length / columns.length;
    if (!(part > closestPart)) continue;
    closest = format;
    closestPart = part;
  }
  const missing = closest?.columns.find((name) => !header.includes(name));
  if (closest !== null && missing !== undefined && closestPart >= CLOSE) {
    return missingColumn(path, missing, header, ` (closest format: ${quoted(closest.name)})`);
  }
  const first = header.join(',');
  const found = first.trim() === '' ? 'nothing' : `a file that begins with ${quoted(first)}`;
  return new InputError(path, 1, 1, `expected a known format, found ${found}; known: ${names()}`);
}

/** The format of a name. @throws {InputError} with what was perhaps meant */
export function formatNamed(name: string, place: string): MeasurementFormat {
  const format = MEASUREMENT_FORMATS.get(name);
  if (format !== undefined) return format;
  const near = nearest(name, [...MEASUREMENT_FORMATS.keys(), 'auto']);
  const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
  const detail = `unknown format ${quoted(name)}, known: 'auto', ${names()}${hint}`;
  throw new InputError(place, null, null, detail);
}
