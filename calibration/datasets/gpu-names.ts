import path from 'node:path';
import { InputError } from '../../sim/errors.ts';
import { quoted } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

/** GPU types whose names are known from a file or folder name. */
const NAMES = [
  ...['K40', 'K80', 'M40', 'M60', 'P4', 'P40', 'P100', 'V100', 'T4', 'A2', 'A10', 'A10G', 'A16'],
  ...['A30', 'A40', 'A100', 'A100-40', 'A100-80', 'A800', 'H100', 'H200', 'H800', 'B100', 'B200'],
  ...['L4', 'L40', 'L40S', 'GTX980', 'GTX1080', 'GTX1080Ti', 'TitanX', 'TitanXp', 'TitanV'],
  ...['RTX2060', 'RTX2060S', 'RTX2070', 'RTX2070S', 'RTX2080', 'RTX2080S', 'RTX2080Ti'],
  ...['RTX3060', 'RTX3070', 'RTX3070Ti', 'RTX3080', 'RTX3080Ti', 'RTX3090', 'RTX3090Ti'],
  ...['RTX4070', 'RTX4080', 'RTX4090', 'RTX5080', 'RTX5090', 'RTX4000', 'RTX5000', 'RTX6000'],
  ...['RTX8000', 'A4000', 'A5000', 'A6000', 'TitanRTX'],
];

const compact = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const KNOWN = new Map(
  NAMES.flatMap((name): [string, string][] => {
    const key = compact(name);
    const names: [string, string][] = [[key, name]];
    const bare = /^(?:gtx|rtx)(\d.*)$/.exec(key)?.[1];
    // A round number alone may be anything: 4000 is also a clock.
    if (bare !== undefined && !bare.endsWith('000')) names.push([bare, name]);
    for (const maker of ['tesla', 'quadro', 'nvidia']) names.push([`${maker}${key}`, name]);
    if (key.startsWith('rtx')) names.push([key.replace('rtx', 'gtx'), name]);
    if (key.endsWith('s') && /\ds$/.test(key)) names.push([`${key}uper`, name]);
    if (/^a100\d+$/.test(key)) names.push([`${key}gb`, name]);
    return names;
  }),
);

/** Most parts of a file name that together make one GPU name, as in `rtx-2080-ti`. */
const LONGEST = 3;

/** The usual spelling of a GPU type (`gtx1080ti` is `GTX1080Ti`); an unknown one stays as it is. */
export function canonicalGpuName(name: string): string {
  return KNOWN.get(compact(name)) ?? name.trim();
}

/** The GPU type that a file or folder name holds, or null. */
export function gpuNameIn(name: string): string | null {
  const parts = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== '');
  for (let length = LONGEST; length > 0; length -= 1) {
    for (let i = 0; i + length <= parts.length; i += 1) {
      const known = KNOWN.get(parts.slice(i, i + length).join(''));
      if (known !== undefined) return known;
    }
  }
  return null;
}

/**
 * GPU type of a file: the option, else its name, else its folder's, else the only type of the set.
 *
 * @throws {InputError} when nothing tells
 */
export function gpuTypeOf(builder: TableBuilder, file: string, onlyType?: string): string {
  const given = builder.given('gpu');
  if (given != null) return canonicalGpuName(given);
  const name = path.basename(file);
  const folder = path.basename(path.dirname(path.resolve(file)));
  const inName = gpuNameIn(name.replace(/\.[^.]*$/, ''));
  if (inName !== null && onlyType?.startsWith(`${inName}-`) !== true) {
    builder.assume(`gpu type ${inName} by the name of ${name}`);
    return inName;
  }
  const inFolder = gpuNameIn(folder);
  if (inName === null && inFolder !== null) {
    builder.assume(`gpu type ${inFolder} by the folder ${folder} of ${name}`);
    return inFolder;
  }
  if (onlyType !== undefined) {
    builder.assume(`gpu type ${onlyType} of ${name}, the only one of its set`);
    return onlyType;
  }
  const detail = `expected a gpu type in the file name ${quoted(name)} or as option gpu, found none`;
  throw new InputError(file, null, null, detail);
}
