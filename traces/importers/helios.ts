import { csvImporter, recognised } from './csv-importer.ts';
import { JOB_LOG_COLUMNS, jobLogPlan, jobLogSettings } from './job-log.ts';

const COLUMNS = [...JOB_LOG_COLUMNS, 'vc'];
/** Lucid adds models to the rows of Helios. */
const LUCID_COLUMNS = ['model'];

/**
 * `cluster_log.csv` of a SenseTime Helios cluster (S-Lab-System-Group/HeliosData; Hu et al., SC 2021): stamps
 * on the clock of Shanghai. Run times above the cluster's limit of 14 days are kept. Time 0 is the first
 * submission that is kept; the log starts about two weeks before the period of the paper, 2020-04-01.
 */
export const helios = csvImporter({
  name: 'helios',
  title: 'SenseTime Helios job log',
  required: COLUMNS,
  settings: jobLogSettings('raw'),
  detect: (columns) => recognised(columns, [...COLUMNS, 'node_num'], LUCID_COLUMNS),
  plan: (facts) =>
    jobLogPlan(facts, {
      offsetS: 8 * 3600,
      zone: 'Asia/Shanghai',
      duration: 'raw',
      virtualCluster: 'vc',
      moreStates: ['RUNNING', 'SUSPENDED'],
    }),
});
