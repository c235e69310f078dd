import { nearest } from '../../sim/errors.ts';
import { alibaba2020Peer } from './alibaba2020/peer.ts';
import { fgdPeer } from './fgd/index.ts';
import { gavelPeer } from './gavel/index.ts';
import { lucidPeer } from './lucid/peer.ts';
import type { Peer } from './peer.ts';
import { tiresiasPeer } from './tiresias/peer.ts';

/** All peers that can be replayed. */
export const PEERS: readonly Peer[] = [
  tiresiasPeer,
  lucidPeer,
  alibaba2020Peer,
  fgdPeer,
  gavelPeer,
];

/** Looks a peer up by name. @throws {RangeError} with the nearest name, or all of them */
export function peerNamed(name: string, peers: readonly Peer[] = PEERS): Peer {
  const found = peers.find((peer) => peer.name === name);
  if (found !== undefined) return found;
  const names = peers.map((peer) => peer.name);
  const close = nearest(name, names);
  const hint = close === null ? `expected one of: ${names.join(', ')}` : `did you mean '${close}'?`;
  throw new RangeError(`unknown peer '${name}', ${hint}`);
}
