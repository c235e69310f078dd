import { z } from 'zod';
import type {
  GpuType,
  PairMeasurement,
  Provenance,
  ProvenanceTable,
  Workload,
  WorkloadProfile,
} from '../sim/gpu/profile.ts';

const notNegative = z.number().min(0);
const positive = z.number().positive();
const fraction = z.number().min(0).max(1);
const positiveFraction = z.number().positive().max(1);
const name = z.string().min(1).max(100);

/** No limit: above what any GPU draws. Stands for a power limit that was left out. */
const NO_POWER_LIMIT_W = 1e6;
/** Reference clock of a type of which no clock is given: only ratios of clocks matter. */
const DEFAULT_CLOCK_MHZ = 1000;

export const PROVENANCE_KINDS = [
  'measured',
  'fitted',
  'datasheet',
  'transferred',
  'extrapolated',
  'assumed',
  'user',
] as const satisfies readonly Provenance['kind'][];

const provenanceTable = z.record(
  z.string(),
  z.strictObject({
    kind: z.enum(PROVENANCE_KINDS),
    source: z.string().min(1),
    error: notNegative.optional(),
  }),
);

/** One number stands for the minimum, the default and the maximum. */
const powerLimit = z
  .union([
    positive,
    z
      .strictObject({ min: positive, default: positive, max: positive })
      .refine((limit) => limit.min <= limit.default && limit.default <= limit.max, {
        error: 'expected min <= default <= max',
      }),
  ])
  .transform((limit) =>
    typeof limit === 'number' ? { min: limit, default: limit, max: limit } : limit,
  );

const gpuInput = z.strictObject({
  name,
  memoryGib: positive,
  memoryBandwidthGBps: notNegative.default(0),
  smCount: z.int().min(1).default(1),
  referenceClockMhz: positive.optional(),
  clocksMhz: z.array(positive).min(1).max(10_000).optional(),
  referenceMemoryClockMhz: positive.default(1),
  powerLimitW: powerLimit.optional(),
  idlePowerW: notNegative,
  contextPowerW: notNegative.optional(),
  contextClockW: notNegative.default(0),
  sleepPowerW: notNegative.default(0),
  wakeS: notNegative.default(60),
  voltage: z.strictObject({ knee: positive, slope: notNegative }).default({ knee: 1, slope: 0 }),
  mpsClientLimit: z.int().min(1).default(48),
  clockTransitionS: notNegative.default(0.03),
  migSlices: z.array(positiveFraction).default([]),
  provenance: provenanceTable.optional(),
});

type GpuInput = z.output<typeof gpuInput>;
type Check<T> = z.core.$RefinementCtx<T>;

const complain = <T>(context: Check<T>, path: PropertyKey[], message: string): void => {
  context.addIssue({ code: 'custom', path, message });
};

/** Physical sense of a GPU type, on what was given: errors name the field and both values. */
function checkGpu(gpu: GpuInput, context: Check<GpuInput>): void {
  const { idlePowerW, contextPowerW, sleepPowerW, clocksMhz, referenceClockMhz } = gpu;
  if (contextPowerW !== undefined && contextPowerW < idlePowerW) {
    const found = `expected at least idlePowerW (${idlePowerW}), found ${contextPowerW}`;
    complain(context, ['contextPowerW'], found);
  }
  const contextW = contextPowerW ?? idlePowerW;
  if (contextW >= 0 && gpu.contextClockW > contextW) {
    const found = `expected at most contextPowerW (${contextW}), found ${gpu.contextClockW}`;
    complain(context, ['contextClockW'], found);
  }
  if (sleepPowerW > idlePowerW) {
    const found = `expected at most idlePowerW (${idlePowerW}), found ${sleepPowerW}`;
    complain(context, ['sleepPowerW'], found);
  }
  if (clocksMhz === undefined) return;
  clocksMhz.forEach((clock, i) => {
    const before = clocksMhz[i - 1];
    if (before !== undefined && clock <= before) {
      const found = `expected ascending clocks, found ${clock} after ${before}`;
      complain(context, ['clocksMhz', i], found);
    }
  });
  if (referenceClockMhz !== undefined && !clocksMhz.includes(referenceClockMhz)) {
    const found = `expected one of clocksMhz, found ${referenceClockMhz}`;
    complain(context, ['referenceClockMhz'], found);
  }
}

function completeGpu(gpu: GpuInput, source: string): GpuType {
  const clocksMhz = gpu.clocksMhz ?? [gpu.referenceClockMhz ?? DEFAULT_CLOCK_MHZ];
  return {
    ...gpu,
    clocksMhz,
    referenceClockMhz: gpu.referenceClockMhz ?? clocksMhz.at(-1) ?? DEFAULT_CLOCK_MHZ,
    powerLimitW: gpu.powerLimitW ?? {
      min: NO_POWER_LIMIT_W,
      default: NO_POWER_LIMIT_W,
      max: NO_POWER_LIMIT_W,
    },
    contextPowerW: gpu.contextPowerW ?? gpu.idlePowerW,
    provenance: completeProvenance(gpu.provenance, source),
  };
}

const profileInput = z.strictObject({
  time: z
    .strictObject({
      hostS: notNegative.default(0),
      memoryS: notNegative.default(0),
      coreS: notNegative.default(0),
      q: z.number().min(1).max(100).default(1),
    })
    .refine((time) => time.hostS + time.memoryS + time.coreS > 0, {
      error: 'expected a step that takes time, found hostS, memoryS and coreS all 0',
    }),
  power: z.strictObject({ memoryW: notNegative.default(0), coreW: notNegative.default(0) }),
  capFraction: positiveFraction.default(1),
  memoryGib: notNegative.default(0),
  smDemand: positiveFraction.default(1),
  bandwidthDemand: fraction.default(0),
  interference: z
    .strictObject({
      sensitivity: notNegative.default(0),
      aggressiveness: notNegative.default(0),
    })
    .default({ sensitivity: 0, aggressiveness: 0 }),
  startS: notNegative.default(0),
  restartS: notNegative.default(0),
  checkpointS: notNegative.default(0),
  scaling: z
    .strictObject({
      withinNode: positiveFraction.default(1),
      acrossNodes: positiveFraction.default(1),
    })
    .default({ withinNode: 1, acrossNodes: 1 }),
  provenance: provenanceTable.optional(),
  fitError: z
    .strictObject({
      timeMape: notNegative.nullable(),
      powerMape: notNegative.nullable(),
      points: z.int().min(1),
    })
    .nullable()
    .default(null),
});

const workloadInput = z.strictObject({
  name,
  kind: z.enum(['training', 'inference']).default('training'),
  batchSize: z.int().min(1).default(1),
  description: z.string().default(''),
  onGpu: z.record(name, profileInput).refine((onGpu) => Object.keys(onGpu).length > 0, {
    error: 'expected a profile for at least one gpu type, found none',
  }),
});

function completeWorkload(input: z.output<typeof workloadInput>, source: string): Workload {
  const onGpu: Record<string, WorkloadProfile> = {};
  for (const [gpuType, profile] of Object.entries(input.onGpu)) {
    onGpu[gpuType] = {
      workload: input.name,
      gpuType,
      ...profile,
      provenance: completeProvenance(profile.provenance, source),
    };
  }
  return { ...input, onGpu };
}

const pair = z.strictObject({
  gpuType: name,
  workloads: z.tuple([name, name]),
  speeds: z.tuple([positive, positive]),
  source: z.string().min(1).optional(),
});

function completeProvenance(given: ProvenanceTable | undefined, source: string): ProvenanceTable {
  return { '*': { kind: 'user', source }, ...given };
}

/** Marks the second of two equal names; the position says which. */
function checkNames<T extends { readonly name: string }>(items: T[], context: Check<T[]>): void {
  const seen = new Set<string>();
  items.forEach((item, i) => {
    if (seen.has(item.name)) complain(context, [i, 'name'], `duplicate name '${item.name}'`);
    seen.add(item.name);
  });
}

/**
 * The schema of a profile file: `gpus`, `workloads` and `pairs`, each optional. Everything that is
 * left out gets its default, so that what comes out is what the simulator takes.
 *
 * @param source provenance of the values of which the file does not say where they come from
 */
export function profileFileSchema(source: string) {
  const gpu = gpuInput.superRefine(checkGpu).transform((input) => completeGpu(input, source));
  const workload = workloadInput.transform((input) => completeWorkload(input, source));
  const measured = pair.transform(
    (input): PairMeasurement => ({ ...input, source: input.source ?? source }),
  );
  return z.strictObject({
    gpus: z.array(gpu).superRefine(checkNames).default([]),
    workloads: z.array(workload).superRefine(checkNames).default([]),
    pairs: z.array(measured).default([]),
  });
}
