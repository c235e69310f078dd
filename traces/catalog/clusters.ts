import { atCommit, entry, plainFile } from './entry.ts';

/** Microsoft Philly as it was published: the job log with its attempts, and the machines. */
export const philly = entry(
  {
    name: 'philly',
    main: 'cluster_job_log',
    title: 'Microsoft Philly, August to December 2017: job log and machine list',
    format: 'philly-json',
    licence: 'CC BY 4.0',
    cite: 'Jeon et al., Analysis of Large-Scale Multi-Tenant GPU Clusters, USENIX ATC 2019',
    source: 'https://github.com/msr-fiddle/philly-traces',
    note: 'the utilisation tables, 6.5 GB, stay in the archive',
  },
  [
    {
      name: 'trace-data.tar.gz',
      url: 'https://media.githubusercontent.com/media/msr-fiddle/philly-traces/master/trace-data.tar.gz',
      bytes: 1_055_988_361,
      sha256: '2037ccf63a725a02be718b0e1aeee6142c90b7f62d0d849295120e9f6ba13d2c',
      unpack: { only: ['cluster_job_log', 'cluster_machine_list'], sha256: {} },
    },
  ],
);

const ADAPTDL = 'petuum/adaptdl';

/** Philly with one row a job, which Pollux, Sia and others draw from. */
export const phillyPollux = entry(
  {
    name: 'philly-pollux',
    title: 'Microsoft Philly, one row a job, as Pollux cut it',
    format: 'philly-csv',
    licence: 'CC BY 4.0 (the data it is cut from)',
    cite: 'Jeon et al., USENIX ATC 2019; Qiao et al., Pollux, OSDI 2021',
    source: `https://github.com/${ADAPTDL}/tree/osdi21-artifact`,
  },
  [
    plainFile(
      atCommit(ADAPTDL, 'de25dcc90c350b8ade3a710e437a651a8d2efae6', 'simulator/traces/philly.csv'),
      3_444_496,
      'ebffb3dd1589bdf4e7bcd74496201c5ded1d557d498ee14f560463f37ec353da',
    ),
  ],
);

const HELIOS = 'S-Lab-System-Group/HeliosData';

/** Four clusters of SenseTime. */
export const helios = entry(
  {
    name: 'helios',
    main: 'cluster_log.csv',
    title: 'SenseTime Helios, April to September 2020: Earth, Saturn, Uranus and Venus',
    format: 'helios',
    licence: 'CC BY 4.0',
    cite: 'Hu et al., Characterization and Prediction of Deep Learning Workloads, SC 2021',
    source: `https://github.com/${HELIOS}`,
    note: '36 MB, 343 MB unpacked; no checksum is published. Each cluster is a folder with its log',
  },
  [
    {
      name: 'data.zip',
      url: `https://raw.githubusercontent.com/${HELIOS}/master/data.zip`,
      bytes: null,
      sha256: null,
      unpack: { only: null, sha256: {} },
    },
  ],
);

const ACME = 'InternLM/AcmeTrace';
const ACME_COMMIT = '6d6ac9cd15f3b01151ac6ba00ecddd9156f0dc73';
const ACME_FACTS = {
  licence: 'CC BY 4.0',
  cite: 'Hu et al., Characterization of Large Language Model Development, NSDI 2024',
  source: `https://github.com/${ACME}`,
};

/** Cluster Seren of the Shanghai AI Laboratory. */
export const acmeSeren = entry(
  {
    ...ACME_FACTS,
    name: 'acme-seren',
    title: 'Shanghai AI Laboratory Acme, cluster Seren, March to August 2023',
    format: 'acme-seren',
    folder: 'acme',
    note: 'about 99 MB; no checksum is published',
  },
  [plainFile(atCommit(ACME, ACME_COMMIT, 'data/job_trace/trace_seren.csv'), null, null)],
);

/** Cluster Kalos of the Shanghai AI Laboratory. */
export const acmeKalos = entry(
  {
    ...ACME_FACTS,
    name: 'acme-kalos',
    title: 'Shanghai AI Laboratory Acme, cluster Kalos, March to August 2023',
    format: 'acme-kalos',
    folder: 'acme',
    note: 'about 9 MB; no checksum is published',
  },
  [plainFile(atCommit(ACME, ACME_COMMIT, 'data/job_trace/trace_kalos.csv'), null, null)],
);

/** The Slurm log of MIT Supercloud. */
export const supercloud = entry(
  {
    name: 'supercloud',
    title: 'MIT Supercloud, Slurm log of the Datacenter Challenge',
    format: 'supercloud',
    licence: 'not stated with the data (see https://dcc.mit.edu)',
    cite: 'Samsi et al., The MIT Supercloud Dataset, HPEC 2021, doi:10.1109/HPEC49654.2021.9622850',
    source: 's3://mit-supercloud-dataset/datacenter-challenge/202201/',
    note: 'about 103 MB; no checksum is published',
  },
  [
    plainFile(
      'https://mit-supercloud-dataset.s3.amazonaws.com/datacenter-challenge/202201/slurm-log.csv',
      null,
      null,
    ),
  ],
);
