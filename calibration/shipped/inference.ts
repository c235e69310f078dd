import { evaluateGpu } from '../../sim/gpu/evaluate.ts';
import { voltage } from '../../sim/gpu/power.ts';
import type {
  GpuType,
  InterferenceModel,
  Provenance,
  WorkloadProfile,
} from '../../sim/gpu/profile.ts';
import { IGNITER_SOURCE } from '../datasets/igniter.ts';
import { INFERENCE_BATCH_SIZE, INFERENCE_MODELS } from '../facts/inference.ts';
import { assumed } from '../facts/sources.ts';
import { fitDynamicPower } from '../fit/clock-power.ts';
import { mean, meanAbsolutePercentageError } from '../fit/errors.ts';
import { fitShareTime, latencyMs, type ShareTimeModel } from '../fit/share-time.ts';
import type { IgniterData, SharePoint } from './igniter-data.ts';
import {
  fitInferenceModel,
  fitResidualInterference,
  type InferenceModel,
  inferenceProfile,
  residuals,
  simulatePair,
  unthrottled,
} from './inference-fit.ts';
import { type ShippedWorkload, shippedProfile } from './profile.ts';
import type { ClockSweep } from './sweeps.ts';

/** Errors of one model, as mean absolute relative errors over all batch sizes. */
export interface ShareValidation {
  readonly model: string;
  readonly inSample: number;
  /** Fitted on the shares 20, 50, 80 and 100 %, asked for 10, 40 and 60 %. */
  readonly heldOut: number;
  /** Power at the shipped batch size at 10, 50 and 100 %, as the simulator has it. */
  readonly power: number;
}

/** Errors of the predicted slowdown of co-run pairs, over both sides of each. */
export interface PairValidation {
  readonly observations: number;
  readonly measuredMean: number;
  readonly simulated: number;
  readonly withoutInterference: number;
  readonly constant: number;
}

export interface InferenceResult {
  readonly workloads: readonly ShippedWorkload[];
  readonly shares: readonly ShareValidation[];
  readonly pairs: PairValidation;
  /** Mean residual interference of the pairs, for workloads of which no pair was measured. */
  readonly meanInterference: readonly [InterferenceModel, Provenance];
}

const SEEN_SHARES = [0.2, 0.5, 0.8, 1];

/** Profiles of the iGniter inference models on the V100, with their validation. */
export function inferenceWorkloads(
  data: IgniterData,
  clockSet: readonly ClockSweep[],
  v100: GpuType,
): InferenceResult {
  const models = new Map<string, InferenceModel>();
  for (const { model, powerLike } of INFERENCE_MODELS) {
    const memoryPart = memoryPartOf(powerLike, clockSet, v100);
    const powers = data.power.get(model) ?? [];
    models.set(model, fitInferenceModel(pointsOf(data, model), powers, v100, memoryPart));
  }
  const interference = fitResidualInterference(data, models, v100);
  const shares: ShareValidation[] = [];
  const workloads = INFERENCE_MODELS.map((facts): ShippedWorkload => {
    const model = required(models, facts.model);
    const mine = required(interference, facts.model);
    const dram = highestDram(data, facts.model);
    const points = unthrottled(
      pointsOf(data, facts.model),
      data.power.get(facts.model) ?? [],
      v100,
    );
    const profile = inferenceProfile(facts.name, model, INFERENCE_BATCH_SIZE, v100, mine, dram);
    const atBatch = points.filter(({ batchSize }) => batchSize === INFERENCE_BATCH_SIZE);
    const power = powerError(data, facts.model, profile, v100);
    shares.push({
      model: facts.model,
      inSample: shareError(model.time, points),
      heldOut: heldOutError(points),
      power,
    });
    const shipped = shippedProfile('inference', facts, {
      time: [
        profile.time,
        fitted(
          `all batch sizes and shares of ${facts.model} at the reference clock; what does not shrink with the share counts as memory time`,
        ),
      ],
      power: [
        profile.power,
        fitted(
          `unthrottled power rows of ${facts.model} at batch size ${INFERENCE_BATCH_SIZE}; divided between memory and core as ${facts.powerLike} of the V100 clock set`,
        ),
      ],
      smDemand: [1, fitted('latency falls with the share up to 100 %')],
      bandwidthDemand: [
        dram,
        {
          kind: 'measured',
          source: `${IGNITER_SOURCE}: highest DRAM utilisation alone at batch size ${INFERENCE_BATCH_SIZE}`,
        },
      ],
      interference: [
        mine,
        fitted(
          'co-run pairs, what throttling and bandwidth contention leave; pairs of this model with two of the other three',
        ),
      ],
      fitError: {
        timeMape: shareError(model.time, atBatch),
        powerMape: power,
        points: atBatch.length,
      },
      more: { 'time.hostS': assumed('0: see time') },
    });
    return {
      name: facts.name,
      kind: 'inference',
      batchSize: INFERENCE_BATCH_SIZE,
      description: `${facts.description}; one step serves one batch`,
      onGpu: { V100: shipped },
    };
  });
  const left = residuals(data, models, interference, v100).map(({ extra }) => extra);
  const meanInterference: [InterferenceModel, Provenance] = [
    { sensitivity: mean(left), aggressiveness: 1 },
    {
      kind: 'transferred',
      source: `${IGNITER_SOURCE}: mean of all co-run pairs of inference models, what throttling and bandwidth contention leave`,
    },
  ];
  const pairs = validatePairs(data, models, interference, v100);
  return { workloads, shares, pairs, meanInterference };
}

function fitted(what: string): Provenance {
  return { kind: 'fitted', source: `${IGNITER_SOURCE}; ${what}` };
}

function required<T>(values: ReadonlyMap<string, T>, name: string): T {
  const value = values.get(name);
  if (value === undefined) throw new RangeError(`expected rows of '${name}', found none`);
  return value;
}

function pointsOf(data: IgniterData, model: string): readonly SharePoint[] {
  return required(data.solo, model);
}

/** Part of the dynamic power at the reference clock that an application's fit gives to memory. */
function memoryPartOf(app: string, clockSet: readonly ClockSweep[], type: GpuType): number {
  const sweep = clockSet.find((candidate) => candidate.app === app);
  if (sweep === undefined) throw new RangeError(`expected '${app}' in the V100 clock set`);
  const x = sweep.clocksMhz.map((clock) => clock / type.referenceClockMhz);
  const rows = { x, powerW: sweep.powerW };
  const power = fitDynamicPower(rows, type.voltage, type);
  const v = voltage(type.voltage, 1);
  return power.memoryW / (power.memoryW + power.coreW * v * v);
}

function highestDram(data: IgniterData, model: string): number {
  const used = data.pairs
    .filter((pair) => pair.model === model && pair.batchSize === INFERENCE_BATCH_SIZE)
    .map(({ dramUtilisation }) => dramUtilisation);
  return Math.max(0, ...used);
}

function shareError(model: ShareTimeModel, points: readonly SharePoint[]): number {
  return meanAbsolutePercentageError(
    points.map((point) => point.latencyMs),
    points.map(({ batchSize, share }) => latencyMs(model, batchSize, share)),
  );
}

function heldOutError(points: readonly SharePoint[]): number {
  const seen = points.filter(({ share }) => SEEN_SHARES.includes(share));
  const asked = points.filter(({ share }) => !SEEN_SHARES.includes(share));
  return shareError(fitShareTime(seen), asked);
}

function powerError(
  data: IgniterData,
  model: string,
  profile: WorkloadProfile,
  type: GpuType,
): number {
  const rows = required(data.power, model).filter(
    ({ batchSize }) => batchSize === INFERENCE_BATCH_SIZE,
  );
  const predicted = rows.map(
    ({ share }) =>
      evaluateGpu(type, [{ profile, share }], {
        mode: 'mps',
        clockX: 1,
        memoryX: 1,
        powerCapW: type.powerLimitW.default,
        switchingLoss: 0,
      }).powerW,
  );
  return meanAbsolutePercentageError(
    rows.map(({ powerW }) => powerW),
    predicted,
  );
}

function validatePairs(
  data: IgniterData,
  models: ReadonlyMap<string, InferenceModel>,
  interference: ReadonlyMap<string, InterferenceModel>,
  type: GpuType,
): PairValidation {
  const measured = data.pairs.map(({ slowdown }) => slowdown);
  const under = (terms: ReadonlyMap<string, InterferenceModel>): number =>
    meanAbsolutePercentageError(
      measured,
      data.pairs.map((pair) => simulatePair(pair, models, terms, type).slowdown),
    );
  const measuredMean = mean(measured);
  return {
    observations: measured.length,
    measuredMean,
    simulated: under(interference),
    withoutInterference: under(new Map()),
    constant: meanAbsolutePercentageError(
      measured,
      measured.map(() => measuredMean),
    ),
  };
}
