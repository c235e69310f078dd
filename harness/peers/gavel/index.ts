// Gavel's simulator, replayed.

export { gavelPeer, parseGavelCluster } from './peer.ts';
export {
  type GavelJobResult,
  type GavelReplay,
  type GavelReplaySpec,
  replayGavel,
} from './replay.ts';
export { GAVEL_RULES } from './rules.ts';
export {
  parseThroughputTable,
  readThroughputTable,
  type ThroughputTable,
} from './throughputs.ts';
export { type GavelJob, readGavelTrace } from './trace.ts';
