import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JobSpec } from '../../sim/job.ts';
import { assignWorkloads } from '../../traces/assign/assign.ts';
import { importTrace } from '../../traces/formats.ts';

/** The repository. */
export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

/** Folder of downloaded data, or null when HESHARE_DATA is unset. */
export const DATA_FOLDER: string | null = process.env.HESHARE_DATA ?? null;

let philly: Promise<readonly JobSpec[]> | null = null;

async function readPhilly(): Promise<readonly JobSpec[]> {
  const file = path.join(DATA_FOLDER ?? '', 'traces/philly-derived/pollux_philly.csv');
  const { jobs } = await importTrace(file);
  const options = { workload: 'flat' };
  return assignWorkloads(jobs, { rule: 'fixed', seed: 1, options, referenceGpu: 'flat' }).jobs;
}

/** The first jobs of the Philly trace, all of one flat workload. */
export async function firstPhillyJobs(count: number): Promise<readonly JobSpec[]> {
  philly ??= readPhilly();
  return (await philly).slice(0, count);
}
