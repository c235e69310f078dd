// Reading.

// Shaping and assigning.
export * from './assign/index.ts';
export { AUTO_FORMAT, FORMATS, type ImportOptions, importTrace } from './formats.ts';
export { CANONICAL_COLUMNS, writeCanonicalCsv } from './importers/canonical-csv.ts';
export type { Importer, SettingDoc, Settings } from './importers/importer.ts';
export { readOpenbNodes, type TraceNode } from './importers/openb-nodes.ts';
// What comes out.
export { DROP_REASONS, type DropReason, formatReport, type QualityReport } from './report.ts';
export {
  firstJobs,
  type JobList,
  offeredLoad,
  scaleToLoad,
  shiftToZero,
  window,
  withinCapacity,
} from './shape.ts';
// Generating.
export * from './synth/index.ts';
export type {
  AssignmentRecord,
  ImportedTrace,
  Provenance,
  TraceJob,
  TraceWorkload,
} from './workload.ts';
