import { mean } from '../fit/errors.ts';
import type { ClockErrors, ClockValidation } from './clock-validation.ts';
import type { RuleCheck } from './extrapolated.ts';
import type { PairValidation, ShareValidation } from './inference.ts';
import type { MisoResult } from './miso.ts';
import type { ShippedWorkload } from './profile.ts';
import type { RuleErrors } from './similar.ts';
import type { CapValidation } from './zeus-jobs.ts';

/** All that was validated when the shipped profiles were fitted. */
export interface ShippedValidation {
  readonly clocks: ClockValidation;
  readonly caps: readonly CapValidation[];
  readonly shares: readonly ShareValidation[];
  readonly pairs: PairValidation;
  readonly rule: readonly RuleCheck[];
  readonly rules: RuleErrors;
  readonly miso: MisoResult;
  readonly sets: readonly {
    readonly name: string;
    readonly workloads: readonly ShippedWorkload[];
  }[];
  /** Pairs whose measured speeds are shipped. */
  readonly measuredPairs: number;
}

const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
const both = (error: { readonly timeMape: number; readonly powerMape: number }): string =>
  `${percent(error.timeMape)} / ${percent(error.powerMape)}`;

/** The error tables of the shipped profiles, as Markdown. Means of absolute relative errors. */
export function validationTables(validation: ShippedValidation): string {
  return [
    clockTable(validation.clocks),
    capTable(validation.caps),
    shareTable(validation.shares, validation.pairs),
    ruleTable(validation.rule),
    setsSection(validation),
  ].join('\n\n');
}

/** The page beside the shipped profiles: what they are, how good they are, what they do not know. */
export function profilesReadme(validation: ShippedValidation): string {
  return `${INTRODUCTION}\n\n${validationTables(validation)}\n\n${LIMITS}\n`;
}

const INTRODUCTION = `# Shipped profiles

Written by \`node --import tsx calibration/fit-shipped.ts DATA_DIR\`; do not edit by hand. The files hold
fitted coefficients and facts, each with its provenance; none holds rows of a data set. The sets:

- V100 clock set: github.com/zyjopensource/GPU-DVFS-Dataset (25 applications, locked core clocks).
- Zeus power-limit traces: github.com/ml-energy/zeus, Apache-2.0 (six training jobs on three GPU types).
- iGniter V100 profiles: github.com/icloud-ecnu/igniter (four TensorRT models under MPS, co-run pairs).
- Gavel throughputs: github.com/stanford-futuredata/gavel, MIT (26 training jobs alone and in pairs).
- MISO: github.com/boringlee24/socc22-miso, MIT (training jobs on MIG slices of an A100, with power).
- Sia step times: github.com/siasosp23/artifacts (six training jobs on four GPU types).

All errors are means of absolute relative errors (MAPE).`;

const LIMITS = `## What the data does not pin

- The voltage curve is one of many that predict power equally well: knee and slope trade off. On the
  V100 it is fitted together with the part of the context level that follows the clock; left free, the
  curve has its knee at 0.72. No other type has clock data; they carry the free one.
- That choice, and the weights of the weak priors on caps, were made with the Zeus errors in view: held-out
  rows were kept from each fit, not from the choice of model, so that the A40's errors above are kind.
- The context level of the V100 is iGniter's 53.5 W at 1530 MHz, on an SXM2 card. Running workloads draw
  less at low clocks in the V100 clock set, so a part of it must follow the clock; the rows only say
  at least how much, and the level without a context (30 W) how much at most. On the other types that part
  is not known and taken as 0.
- The Zeus V100 is a PCIe card whose clock ends at 1380 MHz; above, its profiles are extrapolated. With a
  context it draws less than the SXM2 card: the recommender that hardly uses the GPU reads 38 W there,
  and no profile can put it below the shipped type's context. Its power error on the V100 is that
  difference between cards.
- The Zeus powers are epoch averages, and a cap binds on peaks: the average stays below it, by job, at
  70 to 99 % (eta, shipped as \`capFraction\`). Where no cap binds it is taken as 1.
- Locked clocks and caps cannot tell host time from the memory floor. Host time is carried over from
  GPU utilisations of other sets.
- Training jobs have no share and no pair data: their core time is taken to scale with the SM share,
  and their interference is the mean of the iGniter pairs.
- The iGniter pairs form two groups that no pair joins; the scale between their aggressiveness is a
  prior's, and no pair of models can be held out.`;

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function clockTable({ apps, inSample, heldOut, naive }: ClockValidation): string {
  const row = (name: string, errors: ClockErrors): string[] => [
    name,
    percent(errors.meanTime),
    percent(errors.worstTime),
    percent(errors.meanPower),
    percent(errors.worstPower),
  ];
  const rows = [
    row('model, all clocks, in sample', inSample),
    row('model, alternate clocks held out', heldOut),
    row('naive, alternate clocks held out', naive),
  ];
  const header = ['predictor', 'time', 'worst application', 'power', 'worst application'];
  return `## Clocks: V100, ${apps} applications

Voltage curve and applications fitted on 7 of the 13 clocks (both ends among them), asked for the 6 in
between. Naive: power linear in the clock, time inverse to it.

${table(header, rows)}`;
}

function capTable(caps: readonly CapValidation[]): string {
  const cells = (rows: readonly CapValidation[]): string[] =>
    (['inSample', 'heldOut', 'lowestHeldOut', 'simulated'] as const).map((column) =>
      both({
        timeMape: mean(rows.map((row) => row[column].timeMape)),
        powerMape: mean(rows.map((row) => row[column].powerMape)),
      }),
    );
  const gpus = [...new Set(caps.map(({ gpuType }) => gpuType))];
  const means = gpus.map((gpu) => {
    const rows = caps.filter(({ gpuType }) => gpuType === gpu);
    return ['**mean**', gpu, '', ...cells(rows)];
  });
  const single = caps.map((row) => [
    row.job,
    row.gpuType,
    row.bound ? row.eta.toFixed(3) : 'no cap binds',
    ...cells([row]),
  ]);
  const header = [
    'job',
    'GPU',
    'eta',
    'in sample',
    'inner caps held out',
    'lowest cap held out',
    'as simulated',
  ];
  return `## Power caps: Zeus training jobs

Time / power. Held out: each cap between the lowest and the highest in turn; then the lowest, which is
extrapolation. As simulated: the shipped profile in the simulator, whose \`capFraction\` is eta.

${table(header, [...means, ...single])}`;
}

function shareTable(shares: readonly ShareValidation[], pairs: PairValidation): string {
  const rows = shares.map(({ model, inSample, heldOut, power }) => [
    model,
    percent(inSample),
    percent(heldOut),
    percent(power),
  ]);
  const header = ['model', 'latency', 'latency at unseen shares', 'power at 10, 50, 100 %'];
  return `## MPS shares and pairs: iGniter inference on the V100

Latency over all batch sizes; unseen shares: fitted on 20, 50, 80 and 100 %, asked for 10, 40 and 60 %.

${table(header, rows)}

Slowdown of ${pairs.observations} sides of co-run pairs (mean ${pairs.measuredMean.toFixed(3)}), in sample:
simulator ${percent(pairs.simulated)}; without interference terms ${percent(pairs.withoutInterference)}; the mean as a constant ${percent(pairs.constant)}.`;
}

function ruleTable(rule: readonly RuleCheck[]): string {
  const rows = rule.map(({ job, gpuType, timeRatio, powerRatio }) => [
    job,
    gpuType,
    timeRatio.toFixed(2),
    powerRatio.toFixed(2),
  ]);
  const header = ['job', 'GPU', 'time, rule / fitted', 'power, rule / fitted'];
  return `## Extrapolated profiles

The Zeus jobs have profiles on all other types too, carried over from the V100 by data sheet: nothing was
measured there, and they are loaded only on request. How the same rule does where there are measurements:

${table(header, rows)}`;
}

function setsSection({ sets, rules, miso, measuredPairs }: ShippedValidation): string {
  const rows = sets.map(({ name, workloads }) => {
    const types = new Map<string, number>();
    for (const { onGpu } of workloads) {
      for (const [gpuType, profile] of Object.entries(onGpu)) {
        if (profile.provenance['*']?.kind === 'extrapolated') continue;
        types.set(gpuType, (types.get(gpuType) ?? 0) + 1);
      }
    }
    const where = [...types].map(([gpuType, count]) => `${gpuType} ${count}`);
    return [name, String(workloads.length), where.join(', ')];
  });
  return `## Sets and transfer

${table(['set', 'workloads', 'profiles by GPU type'], rows)}

- MISO: step time over slices as host time plus core time, ${percent(miso.timeMape)} in sample. Power divides
  between memory and core as a fit against the two utilisations of all ${miso.powers} points says, which predicts
  the power of points it has not seen within ${percent(miso.powerHeldOut)}; the power shipped is the measured one.
- Gavel and Sia measured no power. A job takes that of the most similar Zeus job on the same type, or where
  there is none, that job's carried over from the V100. Where there are measurements, the power of one
  job for another of its family errs by ${percent(rules.similar)}, and the power carried over by ${percent(rules.carried)}.
- The speeds of ${measuredPairs} pairs of Gavel jobs are shipped and win over the model.`;
}
