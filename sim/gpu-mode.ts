import type { Decision } from './decisions.ts';
import { SHARING_MODES } from './gpu/evaluate.ts';
import { refuse } from './refuse.ts';
import type { SimulationState } from './state.ts';

/** A GPU number that exists. @throws {DecisionError} */
export function gpuOf(state: SimulationState, gpu: number, what: string): number {
  if (Number.isInteger(gpu) && gpu >= 0 && gpu < state.cluster.gpuCount) return gpu;
  return refuse(state, what, `gpu ${gpu} does not exist (0 .. ${state.cluster.gpuCount - 1})`);
}

/** How an empty GPU will be shared. @throws {DecisionError} */
export function setMode(
  state: SimulationState,
  decision: Extract<Decision, { readonly kind: 'set-mode' }>,
): void {
  const gpu = gpuOf(state, decision.gpu, 'set-mode');
  const what = `set-mode of gpu ${gpu}`;
  const type = state.gpuType(gpu);
  const slices: readonly number[] = decision.slices ?? [];
  if (!SHARING_MODES.includes(decision.mode)) {
    refuse(state, what, `unknown mode '${decision.mode}', expected ${SHARING_MODES.join(', ')}`);
  }
  if ((state.cluster.residents[gpu] as readonly number[]).length > 0) {
    refuse(state, what, 'the gpu has residents; a mode or partition can change on an empty one');
  }
  if (!isArray(slices) || (decision.mode === 'mig') !== slices.length > 0) {
    refuse(state, what, 'slices are given for mode mig, and only for it');
  }
  const unknown = slices.find((slice) => !type.migSlices.some((legal) => same(legal, slice)));
  if (unknown !== undefined) {
    refuse(
      state,
      what,
      `${unknown} is not a MIG slice of ${type.name} (${type.migSlices.join(', ') || 'none'})`,
    );
  }
  if (slices.reduce((sum, slice) => sum + slice, 0) > 1 + 1e-9) {
    refuse(state, what, `the slices ${slices.join(', ')} are more than the gpu`);
  }
  state.mode[gpu] = decision.mode;
  state.slices[gpu] = slices;
}

// Policies may be written in JavaScript.
function isArray(value: unknown): boolean {
  return Array.isArray(value);
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-9;
}
