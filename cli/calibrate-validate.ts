import type { Command } from 'commander';
import { agrees } from '../calibration/literature/reproduced.ts';
import { loadShippedProfiles } from '../calibration/profiles.ts';
import { meetsGoal } from '../calibration/validate/scheme.ts';
import {
  LITERATURE,
  literatureCells,
  runSchemes,
  SCHEMES,
  type Validation,
} from '../calibration/validate/schemes.ts';
import { plainTable } from '../calibration/validate/table.ts';
import { readableJson } from '../harness/canonical.ts';
import { InputError } from '../sim/errors.ts';
import { columns } from './common.ts';
import type { Io } from './io.ts';

interface ValidateFlags {
  readonly data?: string;
  readonly json?: true;
  readonly quiet?: true;
}

/** Goals that are missed, as `scheme: line`. */
export function missedGoals({ schemes, literature }: Validation): string[] {
  return [
    ...schemes.flatMap(({ name, goal, rows }) =>
      rows.filter((row) => meetsGoal(row, goal) === false).map((row) => `${name}: ${row.what}`),
    ),
    ...literature.filter((row) => !agrees(row)).map((row) => `${LITERATURE}: ${row.what}`),
  ];
}

function hasGoals({ schemes, literature }: Validation): boolean {
  const rated = schemes.some(({ goal, rows }) => rows.some((row) => meetsGoal(row, goal) !== null));
  return rated || literature.length > 0;
}

function validationText(validation: Validation): string {
  const { schemes, literature, read } = validation;
  const skipped = Object.entries(read).flatMap(([name, report]) =>
    typeof report === 'string' ? [`${name} ${report}`] : [],
  );
  const missed = missedGoals(validation);
  const verdict =
    missed.length > 0
      ? ['goals missed:', ...missed.map((it) => `- ${it}`)]
      : [hasGoals(validation) ? 'every goal is met' : 'no line here has a goal'];
  return [
    ...schemes.map(plainTable),
    ...(literature.length === 0
      ? []
      : [`7. Reproduced from the literature\n${columns(literatureCells(literature))}`]),
    `${[...skipped, ...verdict].join('\n')}\n`,
  ].join('\n');
}

/** `heshare calibrate validate [SCHEME...]`: errors on held-out measurements beside naive ones. */
export function addCalibrateValidate(parent: Command, io: Io): void {
  const known = [...SCHEMES.map(({ name, about }) => `${name} (${about})`), LITERATURE];
  parent
    .command('validate [schemes...]')
    .description(`errors on held-out measurements, by scheme: ${known.join('; ')}`)
    .option('--data <dir>', 'data folder, or files of your own (default: HESHARE_DATA)')
    .option('--json', 'one JSON document on stdout, nothing else')
    .option('--quiet', 'no table')
    .action((schemes: readonly string[], flags: ValidateFlags) => {
      const data = flags.data ?? io.env.HESHARE_DATA ?? '';
      if (data === '') {
        const detail = 'expected a folder of measurements, found none; set HESHARE_DATA or --data';
        throw new InputError('--data', null, null, detail);
      }
      const validation = runSchemes(data, schemes, loadShippedProfiles().gpuTypes);
      if (flags.json === true) {
        const rated = validation.schemes.map((scheme) => ({
          ...scheme,
          rows: scheme.rows.map((row) => ({ ...row, met: meetsGoal(row, scheme.goal) })),
        }));
        const literature = validation.literature.map((row) => ({ ...row, met: agrees(row) }));
        const missed = missedGoals(validation);
        io.stdout.write(readableJson({ ...validation, schemes: rated, literature, missed }));
      } else if (flags.quiet !== true) io.stdout.write(validationText(validation));
    });
}
