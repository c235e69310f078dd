import type { Command } from 'commander';
import type { GpuType, ProfileSet } from '../sim/gpu/profile.ts';
import { addListing, columns } from './common.ts';
import type { Io } from './io.ts';
import {
  type ProfileFlags,
  profilesFromFlags,
  provenanceRows,
  provenanceText,
  withProfileOptions,
} from './profile-flags.ts';
import { named } from './unknown.ts';

function clockRange({ clocksMhz, referenceClockMhz }: GpuType): string {
  return `${clocksMhz[0] ?? ''}..${clocksMhz.at(-1) ?? ''} (${referenceClockMhz})`;
}

function powerRange({ powerLimitW: { min, default: usual, max } }: GpuType): string {
  return `${min}..${max} (${usual})`;
}

function workloadsOn(profiles: ProfileSet, { name }: GpuType): number {
  return profiles.workloads.filter((workload) => workload.onGpu[name] !== undefined).length;
}

function listText(profiles: ProfileSet): string {
  const rows = profiles.gpuTypes.map((type) => [
    type.name,
    String(type.memoryGib),
    String(type.smCount),
    clockRange(type),
    powerRange(type),
    `${type.idlePowerW} / ${type.contextPowerW}`,
    String(workloadsOn(profiles, type)),
    provenanceText(type),
  ]);
  const head = [
    'GPU type',
    'GiB',
    'SMs',
    'core MHz (reference)',
    'limit W (default)',
    'idle / context W',
    'workloads',
    'numbers',
  ];
  return columns([head, ...rows]);
}

function oneText(profiles: ProfileSet, type: GpuType): string {
  const facts = columns([
    ['GPU type', type.name],
    ['memory', `${type.memoryGib} GiB, ${type.memoryBandwidthGBps} GB/s`],
    ['SMs', String(type.smCount)],
    ['core clock', `${clockRange(type)} MHz, ${type.clocksMhz.length} steps`],
    ['memory clock', `${type.referenceMemoryClockMhz} MHz`],
    ['power limit', `${powerRange(type)} W`],
    ['idle, context', `${type.idlePowerW} W, ${type.contextPowerW} W`],
    ['asleep, waking', `${type.sleepPowerW} W, ${type.wakeS} s`],
    ['voltage', `flat to x = ${type.voltage.knee}, then slope ${type.voltage.slope}`],
    ['mps clients', String(type.mpsClientLimit)],
    ['clock change', `${type.clockTransitionS} s`],
    ['mig slices', type.migSlices.length === 0 ? 'none' : type.migSlices.map(String).join(', ')],
    ['workloads', `${workloadsOn(profiles, type)} with a profile`],
  ]);
  const head = ['field', 'comes from', 'error', 'source'];
  return `${facts}\n${columns([head, ...provenanceRows(type.provenance)])}`;
}

/** `heshare gpus [list | show NAME]`: the GPU types, or one with where its numbers come from. */
export function addGpus(parent: Command, io: Io): void {
  addListing<ProfileFlags>(parent, io, {
    command: 'gpus',
    one: 'gpu type',
    help: 'list the GPU types, or show one with where its numbers come from',
    options: withProfileOptions,
    list: (flags) => {
      const profiles = profilesFromFlags(flags);
      return [profiles.gpuTypes, () => listText(profiles)];
    },
    show: (name, flags) => {
      const profiles = profilesFromFlags(flags);
      const type = named('gpu type', profiles.gpuTypes, name);
      return [type, () => oneText(profiles, type)];
    },
  });
}
