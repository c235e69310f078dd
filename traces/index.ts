// Reading.

// Shaping and assigning.
export * from './assign/index.ts';
export type { CacheOptions } from './cache/trace-cache.ts';
export * from './catalog/index.ts';
// What comes out.
export { type ClusterDemand, clusterDemand } from './cluster-demand.ts';
export {
  AUTO_FORMAT,
  type FileImportOptions,
  FORMATS,
  type ImportOptions,
  importTrace,
  traceFiles,
} from './formats.ts';
export { CANONICAL_COLUMNS, writeCanonicalCsv } from './importers/canonical-csv.ts';
export {
  type HeliosDay,
  heliosDay,
  heliosNodes,
  readHeliosDays,
} from './importers/helios-clusters.ts';
export type { Importer, SettingDoc, Settings } from './importers/importer.ts';
export { readLucidClusters } from './importers/lucid-clusters.ts';
export { nodeGroups, type TraceNode } from './importers/node-list.ts';
export { readOpenbNodes } from './importers/openb-nodes.ts';
export { readPaiMachines } from './importers/pai-machines.ts';
export {
  type PhillyMachineFacts,
  readPhillyMachines,
  readPhillyUse,
} from './importers/philly-machines.ts';
export { readSpotGpuNodes } from './importers/spot-gpu-nodes.ts';
export { readTiresiasCluster } from './importers/tiresias-cluster.ts';
export { readDurationSample } from './importers/tiresias-durations.ts';
export { DROP_REASONS, type DropReason, type QualityReport } from './report.ts';
export { formatReport } from './report-text.ts';
export * from './shape/index.ts';
export { type ClusterLoad, clusterLoad, offeredLoad } from './statistics/load.ts';
// Generating.
export * from './synth/index.ts';
export type {
  AssignmentRecord,
  ImportedTrace,
  Provenance,
  TraceJob,
  TraceWorkload,
} from './workload.ts';
