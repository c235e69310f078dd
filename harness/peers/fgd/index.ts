// FGD's simulator, replayed.

export { fgdPeer } from './fgd.ts';
