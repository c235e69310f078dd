// Placement of parts of GPUs by node scores (FGD's simulator).

export { type Choice, NodeChooser } from './chooser.ts';
export {
  bestFitDefinition,
  dotProductDefinition,
  fgdDefinition,
  gpuClusteringDefinition,
  gpuPackingDefinition,
  pwrDefinition,
  randomFitDefinition,
} from './definition.ts';
export { fragmentation, type TypicalTask, typicalTasks } from './fragmentation.ts';
export { fits, occupy, type ShareNode, type ShareTask } from './node.ts';
export * as nodeScores from './scores.ts';
