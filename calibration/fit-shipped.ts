import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../sim/errors.ts';
import { readMeasurements } from './datasets/read-measurements.ts';
import { GAVEL_JOBS, SIA_JOBS } from './facts/similar-jobs.ts';
import { pairTableText } from './pair-table.ts';
import { clockSetWorkloads } from './shipped/clock-set.ts';
import { validateClockSet } from './shipped/clock-validation.ts';
import { checkRule, withExtrapolated } from './shipped/extrapolated.ts';
import { shippedGpus } from './shipped/gpus.ts';
import { igniterData } from './shipped/igniter-data.ts';
import { inferenceWorkloads } from './shipped/inference.ts';
import { MISO_GPU, misoWorkloads } from './shipped/miso.ts';
import { GAVEL_SOURCE, gavelPairs } from './shipped/pairs.ts';
import { profilesReadme, type ShippedValidation, validationTables } from './shipped/readme.ts';
import { ruleErrors, similarWorkloads } from './shipped/similar.ts';
import { capSweeps, clockSweeps, groups } from './shipped/sweeps.ts';
import { ZEUS_GPUS, zeusWorkloads } from './shipped/zeus-jobs.ts';
import { shippedText } from './shipped-file.ts';

/** The shipped files, by path under `profiles/`, and how well they do. */
export interface ShippedFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly validation: ShippedValidation;
}

const SIA_SOURCE = 'Sia step times (github.com/siasosp23/artifacts, commit aaf7a0d)';

/**
 * Fits all shipped profiles from the public data sets. Deterministic: the same data gives the same
 * bytes.
 *
 * @param dataFolder holds `calibration/` with the folders `zeus-powerlimit`, `v100-dvfs-33apps`,
 *   `igniter-v100-mps`, `gavel`, `sia` and `miso`
 * @throws {InputError} when a data set cannot be read
 */
export function fitShipped(dataFolder: string): ShippedFiles {
  const rowsOf = (name: string) =>
    readMeasurements([path.join(dataFolder, 'calibration', name)]).rows;
  const clockSet = clockSweeps(rowsOf('v100-dvfs-33apps'));
  const zeus = new Map(
    ZEUS_GPUS.map((gpu) => [
      gpu as string,
      capSweeps(rowsOf(`zeus-powerlimit/summary_power_${gpu.toLowerCase()}.csv`)),
    ]),
  );

  const gpus = new Map(shippedGpus(clockSet, zeus).map((gpu) => [gpu.type.name, gpu]));
  const types = new Map([...gpus].map(([name, { type }]) => [name, type]));
  const [v100, a100] = [types.get('V100'), types.get(MISO_GPU)];
  if (v100 === undefined || a100 === undefined) throw new RangeError('expected a V100 and an A100');
  const inference = inferenceWorkloads(
    igniterData(
      rowsOf('igniter-v100-mps/solo.csv'),
      rowsOf('igniter-v100-mps/pairs.csv'),
      rowsOf('igniter-v100-mps/igniter_v100_profile.jsonl'),
    ),
    clockSet,
    v100,
  );
  const training = zeusWorkloads(zeus, types, inference.meanInterference);
  const rules = ruleErrors(training.workloads, gpus);
  const from = {
    fitted: training.workloads,
    gpus,
    interference: inference.meanInterference,
    rules,
  };
  const gavelRows = rowsOf('gavel/simulation_throughputs.json');
  const same = (name: string): [string, string] => [name, name];
  const gavel = similarWorkloads(
    {
      jobs: GAVEL_JOBS,
      rows: gavelRows,
      source: GAVEL_SOURCE,
      gpuTypes: new Map(['V100', 'P100', 'K80'].map(same)),
      stepIs: 'one step is one batch of the Gavel throughputs',
    },
    from,
  );
  const sia = similarWorkloads(
    {
      jobs: SIA_JOBS,
      rows: rowsOf('sia'),
      source: SIA_SOURCE,
      gpuTypes: new Map([...['T4', 'RTX6000', 'RTX2080Ti'].map(same), ['A100', MISO_GPU]]),
      stepIs: 'one step is one batch of the Sia step times',
    },
    from,
  );
  const miso = misoWorkloads(rowsOf('miso'), a100, inference.meanInterference);
  const sets = {
    zeus: withExtrapolated(training.workloads, gpus),
    'v100-clocks': clockSetWorkloads(clockSet, v100, inference.meanInterference),
    igniter: inference.workloads,
    gavel,
    sia,
    miso: miso.workloads,
  };
  const pairs = gavelPairs(gavelRows, GAVEL_JOBS, gavel);
  const validation: ShippedValidation = {
    clocks: validateClockSet(clockSet, v100),
    caps: training.validation,
    shares: inference.shares,
    pairs: inference.pairs,
    rule: checkRule(training.workloads, gpus),
    rules,
    miso,
    sets: Object.entries(sets).map(([name, workloads]) => ({ name, workloads })),
    measuredPairs: pairs.length,
  };

  const files = new Map<string, string>();
  for (const type of types.values()) {
    files.set(`gpus/${type.name}.json`, shippedText({ gpus: [type] }));
  }
  for (const [name, workloads] of Object.entries(sets)) {
    files.set(`workloads/${name}.json`, shippedText({ workloads }));
  }
  for (const [gpuType, mine] of groups(pairs, (pair) => pair.gpuType)) {
    files.set(`pairs/gavel-${gpuType}.json`, pairTableText(mine));
  }
  files.set('README.md', profilesReadme(validation));
  return { files, validation };
}

const PROFILES_FOLDER = fileURLToPath(new URL('./profiles/', import.meta.url));

function writeShipped(dataFolder: string): void {
  const { files, validation } = fitShipped(dataFolder);
  for (const folder of ['gpus', 'workloads', 'pairs']) {
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
