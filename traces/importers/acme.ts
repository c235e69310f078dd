import { csvImporter, recognised } from './csv-importer.ts';
import { JOB_LOG_COLUMNS, jobLogPlan, jobLogSettings } from './job-log.ts';

const COLUMNS = [...JOB_LOG_COLUMNS, 'type', 'gpu_time'];
/** Columns that tell Kalos from Seren. */
const KALOS_COLUMNS = ['mem_per_pod_GB', 'fail_time', 'stop_time'];

/**
 * `trace_seren.csv` of Acme (InternLM/AcmeTrace; Hu et al., NSDI 2024): the Slurm cluster, stamps with
 * +08:00. What kind of work a job is (`type`) is not kept. Time 0 is the first submission that is kept.
 */
export const acmeSeren = csvImporter({
  name: 'acme-seren',
  title: 'Shanghai AI Lab Acme, cluster Seren',
  required: COLUMNS,
  settings: jobLogSettings('recomputed'),
  detect: (columns) => recognised(columns, COLUMNS, ['vc', 'mem_per_pod_GB']),
  plan: (facts) =>
    jobLogPlan(facts, {
      offsetS: 8 * 3600,
      zone: '+08:00',
      duration: 'recomputed',
      virtualCluster: null,
      moreStates: [],
    }),
});

/**
 * `trace_kalos.csv` of Acme: the Kubernetes cluster, stamps in UTC. Its column `duration` is end - submission,
 * queueing included, unlike its documentation; so run times are recomputed by default. `type` and the host
 * memory of pods are not kept. Time 0 is the first submission that is kept.
 */
export const acmeKalos = csvImporter({
  name: 'acme-kalos',
  title: 'Shanghai AI Lab Acme, cluster Kalos',
  required: [...COLUMNS, ...KALOS_COLUMNS],
  settings: jobLogSettings('recomputed'),
  detect: (columns) => recognised(columns, [...COLUMNS, ...KALOS_COLUMNS]),
  plan: (facts) =>
    jobLogPlan(facts, {
      offsetS: 0,
      zone: 'UTC',
      duration: 'recomputed',
      virtualCluster: null,
      moreStates: [],
    }),
});
