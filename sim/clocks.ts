import type { SimulationState } from './state.ts';
import { EVENT, NO_EVENT } from './time/calendar.ts';

/** The clock of a GPU changes after the transition time; until then the old one holds. */
export function setClock(state: SimulationState, gpu: number, clockX: number): void {
  const cost = state.options.costs.clockTransition;
  const delayS = cost === 'profile' ? state.gpuType(gpu).clockTransitionS : cost;
  state.targetClockX[gpu] = clockX;
  state.cancel(state.clockEvent, gpu);
  if (clockX === state.clockX[gpu]) return;
  if (delayS <= 0) clockSettled(state, gpu);
  else {
    state.clockEvent[gpu] = state.calendar.schedule(state.nowS + delayS, EVENT.clockSettled, gpu);
  }
}

/** A clock transition is over. */
export function clockSettled(state: SimulationState, gpu: number): void {
  state.clockEvent[gpu] = NO_EVENT;
  state.clockX[gpu] = state.targetClockX[gpu] as number;
  state.markGpu(gpu);
}
