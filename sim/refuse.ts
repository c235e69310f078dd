import { DecisionError } from './errors.ts';
import type { SimulationState } from './state.ts';

/** Throws the error of a refused decision: who decided what, and the rule that it breaks. */
export function refuse(state: SimulationState, what: string, rule: string): never {
  throw new DecisionError(
    `policy '${state.policy.name}' at ${state.nowS} s: ${what} refused: ${rule}`,
  );
}
