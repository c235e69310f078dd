// What a peer's simulator is, and those that can be replayed.

export type {
  Peer,
  PeerCase,
  PeerExpectation,
  PeerInput,
  PeerPolicy,
  PeerRow,
  ReplayRequest,
  ReplayResult,
} from './peer.ts';
export { PEERS, peerNamed } from './registry.ts';
