import type { Command } from 'commander';
import { threeDigits } from '../harness/metrics.ts';
import { soloStepS } from '../sim/gpu/evaluate.ts';
import type { Workload, WorkloadProfile } from '../sim/gpu/profile.ts';
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

interface WorkloadFlags extends ProfileFlags {
  readonly gpu?: string;
}

/** A workload with its profile on one GPU type only. @throws {InputError} where it has none there */
function onlyOn(workload: Workload, gpuType: string): Workload {
  const profiles = Object.values(workload.onGpu).map((profile) => ({
    name: profile.gpuType,
    profile,
  }));
  const { profile } = named(`gpu type of ${workload.name}`, profiles, gpuType);
  return { ...workload, onGpu: { [profile.gpuType]: profile } };
}

function percent(fraction: number): string {
  return `${threeDigits(100 * fraction)} %`;
}

function errorText({ fitError }: WorkloadProfile): string {
  if (fitError === null) return '-';
  const { timeMape, powerMape, points } = fitError;
  const part = (error: number | null): string => (error === null ? '-' : percent(error));
  return `${part(timeMape)} / ${part(powerMape)} (${points})`;
}

function listText(workloads: readonly Workload[]): string {
  const rows = workloads.map((workload) => [
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
  return `${facts}\n${columns([head, ...rows])}\n${columns([['on', 'field', 'comes from', 'error', 'source'], ...sources])}`;
}

/** `heshare workloads [list | show NAME]`: models with their profiles, provenance and fit error. */
export function addWorkloads(parent: Command, io: Io): void {
  addListing<WorkloadFlags>(parent, io, {
    command: 'workloads',
    one: 'workload',
    help: 'list the workloads (models with their batch size), or show the profiles of one',
    options: (command) =>
      withProfileOptions(command).option('--gpu <type>', 'only on this GPU type'),
    list: (flags) => {
      const profiles = profilesFromFlags(flags);
      const { gpu } = flags;
      if (gpu === undefined) return [profiles.workloads, () => listText(profiles.workloads)];
      named('gpu type', profiles.gpuTypes, gpu);
      const there = profiles.workloads
        .filter(({ onGpu }) => gpu in onGpu)
        .map((workload) => onlyOn(workload, gpu));
      return [there, () => listText(there)];
    },
    show: (name, flags) => {
      const found = named('workload', profilesFromFlags(flags).workloads, name);
      const workload = flags.gpu === undefined ? found : onlyOn(found, flags.gpu);
      return [workload, () => oneText(workload)];
    },
  });
}
