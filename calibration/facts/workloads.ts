import type { Provenance } from '../../sim/gpu/profile.ts';
import { assumed, LUCID, MURI, transferred } from './sources.ts';

/** A value and where it comes from. */
export type Fact = readonly [value: number, provenance: Provenance];

/** What a workload needs beside its time and power. */
export interface WorkloadFacts {
  readonly memoryGib: Fact;
  readonly bandwidthDemand: Fact | null;
  /** First start; a restart takes as long. */
  readonly startS: Fact;
}

/** A footprint of the Lucid profiles. */
export const lucidGib = (mib: number, of: string): Fact => [
  mib / 1024,
  transferred(`${LUCID}: ${mib} MiB for ${of}`),
];
/** A memory utilisation (share of the time that memory is busy) of the Lucid profiles. */
export const lucidMemory = (percent: number, of: string): Fact => [
  percent / 100,
  transferred(`${LUCID}: memory utilisation ${percent} % for ${of}`),
];
/** A start overhead of Muri. */
export const muri = (seconds: number, of: string): Fact => [
  seconds,
  transferred(`${MURI}: ${seconds} s for ${of}`),
];
/** A value that no data set gives. */
export const guess = (value: number, why: string): Fact => [value, assumed(why)];
