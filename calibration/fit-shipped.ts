import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../sim/errors.ts';
import { importIgniterPairs, importIgniterSolo } from './datasets/igniter.ts';
import { importIgniterProfile } from './datasets/igniter-profile.ts';
import { importV100Clocks } from './datasets/v100-clocks.ts';
import { importZeus } from './datasets/zeus.ts';
import { clockSetWorkloads } from './shipped/clock-set.ts';
import { validateClockSet } from './shipped/clock-validation.ts';
import { checkRule, withExtrapolated } from './shipped/extrapolated.ts';
import { shippedGpus } from './shipped/gpus.ts';
import { igniterData } from './shipped/igniter-data.ts';
import { inferenceWorkloads } from './shipped/inference.ts';
import { profilesReadme, type ShippedValidation, validationTables } from './shipped/readme.ts';
import { capSweeps, clockSweeps } from './shipped/sweeps.ts';
import { ZEUS_GPUS, zeusWorkloads } from './shipped/zeus-jobs.ts';

/** The shipped files, by path under `profiles/`, and how well they do. */
export interface ShippedFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly validation: ShippedValidation;
}

/**
 * Fits all shipped profiles from the public data sets. Deterministic: the same data gives the same
 * bytes.
 *
 * @param dataFolder holds `calibration/zeus-powerlimit`, `calibration/v100-dvfs-33apps` and
 *   `calibration/igniter-v100-mps`
 * @throws {InputError} when a data set cannot be read
 */
export function fitShipped(dataFolder: string): ShippedFiles {
  const set = (name: string): string => path.join(dataFolder, 'calibration', name);
  const clockSet = clockSweeps(importV100Clocks(set('v100-dvfs-33apps')).rows);
  const igniter = igniterData(
    importIgniterSolo(set('igniter-v100-mps/solo.csv')).rows,
    importIgniterPairs(set('igniter-v100-mps/pairs.csv')).rows,
    importIgniterProfile(set('igniter-v100-mps/igniter_v100_profile.jsonl')).rows,
  );
  const zeus = new Map(
    ZEUS_GPUS.map((gpu) => [
      gpu as string,
      capSweeps(importZeus(set(`zeus-powerlimit/summary_power_${gpu.toLowerCase()}.csv`)).rows),
    ]),
  );

  const gpus = new Map(shippedGpus(clockSet, zeus).map((gpu) => [gpu.type.name, gpu]));
  const types = new Map([...gpus].map(([name, { type }]) => [name, type]));
  const v100 = types.get('V100');
  if (v100 === undefined) throw new RangeError('expected a V100 among the gpu types');
  const inference = inferenceWorkloads(igniter, clockSet, v100);
  const training = zeusWorkloads(zeus, types, inference.meanInterference);
  const workloads = [
    ...withExtrapolated(training.workloads, gpus),
    ...clockSetWorkloads(clockSet, v100, inference.meanInterference),
    ...inference.workloads,
  ];
  const validation = {
    clocks: validateClockSet(clockSet, v100),
    caps: training.validation,
    shares: inference.shares,
    pairs: inference.pairs,
    rule: checkRule(training.workloads, gpus),
  };

  const files = new Map<string, string>();
  for (const type of types.values()) files.set(`gpus/${type.name}.json`, json({ gpus: [type] }));
  for (const workload of workloads) {
    files.set(`workloads/${workload.name}.json`, json({ workloads: [workload] }));
  }
  files.set('README.md', profilesReadme(validation));
  return { files, validation };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const PROFILES_FOLDER = fileURLToPath(new URL('./profiles/', import.meta.url));

function writeShipped(dataFolder: string): void {
  const { files, validation } = fitShipped(dataFolder);
  for (const folder of ['gpus', 'workloads']) {
    const full = path.join(PROFILES_FOLDER, folder);
    mkdirSync(full, { recursive: true });
    for (const name of readdirSync(full)) {
      if (name.endsWith('.json')) rmSync(path.join(full, name));
    }
  }
  for (const [name, text] of files) writeFileSync(path.join(PROFILES_FOLDER, name), text);
  process.stdout.write(
    `${validationTables(validation)}\n\nwrote ${files.size} files to ${PROFILES_FOLDER}\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [dataFolder] = process.argv.slice(2);
  if (dataFolder === undefined) {
    process.stderr.write('usage: node --import tsx calibration/fit-shipped.ts DATA_DIR\n');
    process.exitCode = 2;
  } else {
    try {
      writeShipped(dataFolder);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 2;
    }
  }
}
