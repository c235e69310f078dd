import { z } from 'zod';
import { DEFAULT_SIMULATION_OPTIONS, type SimulationOptions } from '../sim/options.ts';
import { NUMBER_WORDS } from './canonical.ts';

/** JSON and shells cannot say infinity; YAML says `.inf`. The word `Infinity` means it everywhere. */
function withInfinity(value: unknown): unknown {
  return typeof value === 'string' && value in NUMBER_WORDS ? NUMBER_WORDS[value] : value;
}

function isNumber(value: unknown, min: number): value is number {
  return typeof value === 'number' && value >= min;
}

/** A number of at least `min`, infinity included. */
function atLeast(min: number) {
  return z.preprocess(
    withInfinity,
    z.custom<number>((value) => isNumber(value, min), {
      error: (issue) =>
        `expected a number of at least ${min}, found ${JSON.stringify(issue.input)}`,
    }),
  );
}

const cost = z.custom<'profile' | number>(
  (value) => value === 'profile' || (isNumber(value, 0) && value < Number.POSITIVE_INFINITY),
  {
    error: (issue) =>
      `expected 'profile' or a number of seconds from 0, found ${JSON.stringify(issue.input)}`,
  },
);

const rate = z
  .strictObject({
    startsS: z.array(z.number()).min(1),
    values: z.array(z.number().min(0)).min(1),
  })
  .refine(({ startsS, values }) => startsS.length === values.length, {
    error: 'startsS and values must be equally long',
  })
  .refine(({ startsS }) => startsS.every((at, i) => i === 0 || at > (startsS[i - 1] as number)), {
    error: 'startsS must be ascending',
  });

/** A flat rate may be given as one number. */
const rateSeries = z.preprocess(
  (value) => (typeof value === 'number' ? { startsS: [0], values: [value] } : value),
  rate,
);

/** Options of the simulated world as an experiment gives them: all may be left out. */
export const simulationSchema = z.strictObject({
  costs: z
    .strictObject({ start: cost, restart: cost, checkpoint: cost, clockTransition: cost })
    .partial()
    .optional(),
  checkpointIntervalS: atLeast(1).optional(),
  failures: z
    .strictObject({
      gpuMtbfS: atLeast(1),
      gpuRepairS: atLeast(0),
      nodeMtbfS: atLeast(1),
      nodeRepairS: atLeast(0),
      clientMtbfS: atLeast(1),
      maxFailures: atLeast(0),
    })
    .partial()
    .optional(),
  switchingLoss: z.number().min(0).lt(1).optional(),
  contextHoldS: atLeast(0).optional(),
  hostPowerW: z.number().min(0).optional(),
  measure: z
    .strictObject({ fromS: z.number().min(0), toS: atLeast(0) })
    .refine(({ fromS, toS }) => toS > fromS, { error: 'toS must be after fromS' })
    .nullable()
    .optional(),
  pricePerKwh: rateSeries.optional(),
  carbonGramPerKwh: rateSeries.optional(),
  paranoid: z.boolean().optional(),
});

/** Simulation options, partly given. */
export type SimulationGiven = z.infer<typeof simulationSchema>;

function defined<T extends object>(given: T): Partial<T> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

/** All simulation options, defaults filled in. */
export function completeSimulation(given: SimulationGiven): SimulationOptions {
  const { costs, failures, ...rest } = given;
  const base = DEFAULT_SIMULATION_OPTIONS;
  return {
    ...base,
    ...(defined(rest) as Partial<SimulationOptions>),
    costs: { ...base.costs, ...(defined(costs ?? {}) as Partial<SimulationOptions['costs']>) },
    failures: {
      ...base.failures,
      ...(defined(failures ?? {}) as Partial<SimulationOptions['failures']>),
    },
  };
}
