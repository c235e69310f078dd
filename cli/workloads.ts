import type { Command } from 'commander';
import { threeDigits } from '../harness/metrics.ts';
import { soloStepS } from '../sim/gpu/evaluate.ts';
import type { ProfileSet, Workload, WorkloadProfile } from '../sim/gpu/profile.ts';
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

function percent(fraction: number): string {
  return `${threeDigits(100 * fraction)} %`;
}

function errorText({ fitError }: WorkloadProfile): string {
  if (fitError === null) return '-';
  const { timeMape, powerMape, points } = fitError;
  const part = (error: number | null): string => (error === null ? '-' : percent(error));
  return `${part(timeMape)} / ${part(powerMape)} (${points})`;
}

function listText(profiles: ProfileSet): string {
  const rows = profiles.workloads.map((workload) => [
    workload.name,
    workload.kind,
    String(workload.batchSize),
    Object.keys(workload.onGpu).join(', '),
    workload.description,
  ]);
  const head = ['workload', 'kind', 'batch', 'has a profile on', 'what it is'];
  return `${columns([head, ...rows])}\nheshare workloads show NAME shows the profiles of one\n`;
}

function oneText(workload: Workload): string {
  const { name, kind, batchSize, description, onGpu } = workload;
  const facts = columns([
    ['workload', name],
    ['what it is', description],
    ['kind', `${kind}, batch size ${batchSize}`],
  ]);
  const rows = Object.values(onGpu).map((profile) => [
    profile.gpuType,
    `${threeDigits(1000 * soloStepS(profile))} ms`,
    `${threeDigits(profile.power.memoryW + profile.power.coreW)} W`,
    `${threeDigits(profile.memoryGib)} GiB`,
    percent(profile.smDemand),
    percent(profile.bandwidthDemand),
    errorText(profile),
    provenanceText(profile),
  ]);
  const head = [
    'on',
    'step alone',
    'dynamic',
    'memory',
    'SMs',
    'bandwidth',
    'fit error time / power (points)',
    'numbers',
  ];
  const sources = Object.values(onGpu).flatMap((profile) =>
    provenanceRows(profile.provenance).map((row) => [profile.gpuType, ...row]),
  );
  return `${facts}\n${columns([head, ...rows])}\n${columns([['on', 'field', 'comes from', 'source'], ...sources])}`;
}

/** `heshare workloads [list | show NAME]`: models with their profiles, provenance and fit error. */
export function addWorkloads(parent: Command, io: Io): void {
  addListing<ProfileFlags>(parent, io, {
    command: 'workloads',
    one: 'workload',
    help: 'list the workloads (models with their batch size), or show the profiles of one',
    options: withProfileOptions,
    list: (flags) => {
      const profiles = profilesFromFlags(flags);
      return [profiles.workloads, () => listText(profiles)];
    },
    show: (name, flags) => {
      const workload = named('workload', profilesFromFlags(flags).workloads, name);
      return [workload, () => oneText(workload)];
    },
  });
}
