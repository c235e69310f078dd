// Policies that save energy by clocks, power limits and time.

export { deadlineDvfsDefinition } from './deadline-dvfs.ts';
export { delayDefinition } from './delay.ts';
export { eacoDefinition } from './eaco.ts';
export { edlDefinition } from './edl.ts';
export { gpoeoDefinition, odppDefinition } from './gpoeo.ts';
export { mfGpoeoDefinition } from './mf-gpoeo.ts';
export { type NodeSleepOptions, withNodeSleep } from './node-sleep.ts';
export { zeusDefinition } from './zeus.ts';
