import { evaluateGpu } from '../../sim/gpu/evaluate.ts';
import type { GpuType, InterferenceModel, Provenance } from '../../sim/gpu/profile.ts';
import { ZEUS_SOURCE, zeusWorkload } from '../datasets/zeus.ts';
import { assumed, transferred } from '../facts/sources.ts';
import { ZEUS_JOBS, type ZeusJobFacts } from '../facts/zeus-jobs.ts';
import { mean, meanAbsolutePercentageError } from '../fit/errors.ts';
import {
  type CapFit,
  type CapGpu,
  type CapMeasurements,
  capsBind,
  fitPowerCap,
  predictUnderCap,
  scaleToFreeRun,
} from '../fit/power-cap.ts';
import { named, type ShippedProfile, type ShippedWorkload, shippedProfile } from './profile.ts';
import type { CapSweep } from './sweeps.ts';

/** GPU types of the Zeus traces that are shipped, the best measured first. */
export const ZEUS_GPUS = ['V100', 'A40', 'P100'] as const;

/** Highest clock of the card measured, where it is not the shipped type's. */
const HIGHEST_CLOCK_MHZ: Readonly<Record<string, number>> = { V100: 1380 };

/** Mean absolute relative errors, and the points that they are over. */
export interface CapErrors {
  readonly timeMape: number;
  readonly powerMape: number;
  readonly points: number;
}

/** Errors of one job on one GPU type, as mean absolute relative errors. */
export interface CapValidation {
  readonly job: string;
  readonly gpuType: string;
  readonly eta: number;
  readonly bound: boolean;
  readonly inSample: CapErrors;
  /** Each cap between the lowest and the highest in turn left out of the fit and predicted. */
  readonly heldOut: CapErrors;
  /** The lowest cap left out and predicted from the higher ones. */
  readonly lowestHeldOut: CapErrors;
  /** As the simulator predicts from the shipped profile, whose `capFraction` is eta. */
  readonly simulated: CapErrors;
}

export interface ZeusResult {
  readonly workloads: readonly ShippedWorkload[];
  readonly validation: readonly CapValidation[];
}

type Prediction = Pick<ReturnType<typeof predictUnderCap>, 'timeS' | 'powerW'>;

/** Profiles of the training jobs of the Zeus traces, with their validation. */
export function zeusWorkloads(
  sweeps: ReadonlyMap<string, readonly CapSweep[]>,
  gpuTypes: ReadonlyMap<string, GpuType>,
  interference: readonly [InterferenceModel, Provenance],
): ZeusResult {
  const validation: CapValidation[] = [];
  const workloads = ZEUS_JOBS.map((job): ShippedWorkload => {
    const onGpu: Record<string, ShippedProfile> = {};
    let like: CapFit | null = null;
    for (const name of ZEUS_GPUS) {
      const type = gpuTypes.get(name);
      if (type === undefined) throw new RangeError(`expected gpu type '${name}'`);
      const rows = rowsOf(job, name, sweeps.get(name) ?? []);
      const gpu = capGpu(type);
      const fitted = fitJob(job, rows, gpu, like);
      // A fit without any dynamic power says nothing of how it divides.
      if (fitted.fit.power.memoryW + fitted.fit.power.coreW > 0) like ??= fitted.fit;
      const inSample = errorsOf(rows, (capW) => predictUnderCap(fitted.fit, gpu, capW));
      const profile = shippedProfile('training', job, {
        ...parts(job, name, type, fitted, interference),
        fitError: inSample,
      });
      onGpu[name] = profile;
      const simulated = errorsOf(rows, (capW) => simulate(job.name, type, gpu, profile, capW));
      const inner = rows.capsW.slice(1, -1).map((_, i) => i + 1);
      validation.push({
        job: job.name,
        gpuType: name,
        eta: fitted.fit.eta,
        bound: fitted.divide === null,
        inSample,
        heldOut: leaveOneOut(job, rows, gpu, fitted.divide, inner),
        lowestHeldOut: leaveOneOut(job, rows, gpu, fitted.divide, [0]),
        simulated,
      });
    }
    return {
      name: job.name,
      kind: 'training',
      batchSize: job.batchSize,
      description: `${job.description}; one step here is one epoch of the Zeus traces`,
      onGpu,
    };
  });
  return { workloads, validation };
}

/** The latent clocks' frame of a GPU type. */
export function capGpu(type: GpuType): CapGpu {
  const reference = type.referenceClockMhz;
  return {
    voltage: type.voltage,
    contextPowerW: type.contextPowerW,
    contextClockW: type.contextClockW,
    lowestX: (type.clocksMhz[0] ?? reference) / reference,
    highestX: (HIGHEST_CLOCK_MHZ[type.name] ?? reference) / reference,
  };
}

function rowsOf(job: ZeusJobFacts, gpu: string, sweeps: readonly CapSweep[]): CapMeasurements {
  const { dataset, network, batchSize, optimizer } = job;
  const found = sweeps.find(
    (sweep) =>
      sweep.workload === zeusWorkload(network, dataset, optimizer) && sweep.batchSize === batchSize,
  );
  if (found === undefined) throw new RangeError(`expected rows of ${job.name} on ${gpu}`);
  return { capsW: found.capsW, timeS: found.stepS, powerW: found.powerW };
}

type Division = Pick<CapFit, 'time' | 'power'>;

interface FittedJob {
  readonly fit: CapFit;
  /** What divides time and power where no cap binds; null where caps do. */
  readonly divide: Division | null;
}

function fitJob(
  job: ZeusJobFacts,
  rows: CapMeasurements,
  gpu: CapGpu,
  like: CapFit | null,
): FittedJob {
  const [hostShare] = job.hostShare;
  if (capsBind(rows)) return { fit: fitPowerCap(rows, gpu, hostShare), divide: null };
  const divide = like ?? assumedDivision(job);
  return { fit: scaleToFreeRun(rows, gpu, divide), divide };
}

function assumedDivision(job: ZeusJobFacts): Division {
  if (job.coreShare === null) throw new RangeError(`expected a core share of ${job.name}`);
  const [core] = job.coreShare;
  const [host] = job.hostShare;
  return {
    time: { hostS: host, memoryS: (1 - host) * (1 - core), coreS: (1 - host) * core, q: 1 },
    power: { memoryW: 1 - core, coreW: core },
  };
}

function parts(
  job: ZeusJobFacts,
  gpu: string,
  type: GpuType,
  { fit, divide }: FittedJob,
  interference: readonly [InterferenceModel, Provenance],
) {
  const rows = `${job.network} on ${job.dataset}, batch size ${job.batchSize}, ${job.optimizer}, ${gpu}`;
  const card =
    gpu in HIGHEST_CLOCK_MHZ
      ? `; the card measured is a PCIe one whose clock ends at ${HIGHEST_CLOCK_MHZ[gpu]} MHz, values are stated at ${type.referenceClockMhz} MHz`
      : '';
  const bound = divide === null;
  const method = bound
    ? `clocks under the caps latent, average power ${fit.eta.toFixed(3)} of a cap that binds`
    : job.coreShare === null
      ? 'no cap binds: median of the rows, divided as on the V100'
      : `no cap binds: median of the rows; division: ${job.coreShare[1].source}`;
  const provenance: Provenance = {
    kind: 'fitted',
    source: `${ZEUS_SOURCE}: all caps of ${rows}; ${method}${card}`,
  };
  return {
    time: [fit.time, provenance],
    power: [fit.power, provenance],
    capFraction: [fit.eta, bound ? provenance : assumed('no cap binds: 1')],
    smDemand: [1, assumed('no share data; the core part of the step time shrinks with the share')],
    bandwidthDemand: job.bandwidthDemand ?? [0, assumed('no data')],
    interference,
    more: { 'time.hostS': transferred(job.hostShare[1].source) },
  } as const;
}

function errorsOf(
  { capsW, timeS, powerW }: CapMeasurements,
  predict: (capW: number, index: number) => Prediction,
): CapErrors {
  const predicted = capsW.map(predict);
  return {
    timeMape: meanAbsolutePercentageError(
      timeS,
      predicted.map((point) => point.timeS),
    ),
    powerMape: meanAbsolutePercentageError(
      powerW,
      predicted.map((point) => point.powerW),
    ),
    points: capsW.length,
  };
}

/** Errors at some rows, each predicted by a fit on all the others. */
function leaveOneOut(
  job: ZeusJobFacts,
  rows: CapMeasurements,
  gpu: CapGpu,
  like: Division | null,
  asked: readonly number[],
): CapErrors {
  const keep = (rule: (index: number) => boolean): CapMeasurements => ({
    capsW: rows.capsW.filter((_, i) => rule(i)),
    timeS: rows.timeS.filter((_, i) => rule(i)),
    powerW: rows.powerW.filter((_, i) => rule(i)),
  });
  return errorsOf(
    keep((i) => asked.includes(i)),
    (capW, k) => {
      const rest = keep((i) => i !== asked[k]);
      const fit =
        like === null ? fitPowerCap(rest, gpu, job.hostShare[0]) : scaleToFreeRun(rest, gpu, like);
      return predictUnderCap(fit, gpu, capW);
    },
  );
}

function simulate(
  job: string,
  type: GpuType,
  gpu: CapGpu,
  profile: ShippedProfile,
  powerCapW: number,
): Prediction {
  const resident = { profile: named(job, type.name, profile), share: 1 };
  const point = evaluateGpu(type, [resident], {
    mode: 'exclusive',
    clockX: gpu.highestX,
    memoryX: 1,
    powerCapW,
    switchingLoss: 0,
  });
  return { timeS: mean(point.stepS), powerW: point.powerW };
}
