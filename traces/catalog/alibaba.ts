import { atCommit, type CatalogFile, entry, plainFile } from './entry.ts';

const REPOSITORY = 'alibaba/clusterdata';
const COMMIT = '7a6c496e4f4b6ce6150be8f881cb051bf2abff42';
const PAGE = `https://github.com/${REPOSITORY}/tree/master`;
const UNLICENSED = 'no licence file of its own';
const UNLICENSED_NOTE =
  'the programme stated CC BY 4.0 in older commits, and says "use however you want as long as it is ' +
  'for research or study" now';

/** Sizes and hashes as the trace's README states them, of the archive and of the table in it. */
function paiTable(
  name: string,
  bytes: number,
  archiveSha256: string,
  csvSha256: string,
): CatalogFile {
  return {
    name: `${name}.tar.gz`,
    url: `https://aliopentrace.oss-cn-beijing.aliyuncs.com/v2020GPUTraces/${name}.tar.gz`,
    bytes,
    sha256: archiveSha256,
    unpack: { only: null, sha256: { [`${name}.csv`]: csvSha256 } },
  };
}

const PAI = {
  format: 'pai',
  folder: 'pai',
  licence: 'CC BY 4.0',
  cite: 'Weng et al., MLaaS in the Wild, NSDI 2022',
  source: `${PAGE}/cluster-trace-gpu-v2020`,
};

/** Alibaba PAI, July and August 2020: jobs, tasks, tags and machines. */
export const pai = entry(
  {
    ...PAI,
    name: 'pai',
    main: 'pai_task_table.csv',
    title: 'Alibaba PAI v2020: jobs, tasks, group tags and machines',
    note: 'the instance table, for waits and machines, is pai-instances',
  },
  [
    paiTable(
      'pai_job_table',
      62_065_432,
      '5aad7f7caac501136d14ed6a48e40546f825d7b0617a3a4f337e2348fe0a6cb0',
      '379ecb3becaba347f44a53bf7eb53e54b185221b2a0338a3f828828d269ba96c',
    ),
    paiTable(
      'pai_task_table',
      35_514_117,
      'cd1d6dc3215d2a8607ccf6b6dd952b5db776df86926c73259fea7c1499ac40e5',
      '6954802b457305f8a9e480ef97c40060baee59649fd3adc62c5a1e048aa058de',
    ),
    paiTable(
      'pai_group_tag_table',
      55_064_781,
      '722fef30b7fb7aa50dabd79155614b5423a9d65cf45a9b26c590d57725423a14',
      'd23fcb56d88b2976fda4a62708d77b2a8c98635c4b443f100ed5553d4cd07fbe',
    ),
    paiTable(
      'pai_machine_spec',
      30_449,
      'cc0d38a4045af1b1af8179de8b1b54b1ddd995e6160d6d061a6b1000f1276c2d',
      '251e9e33649155a6a935fdc1dc0e90cd4698206936b60bd8fce60ff2ccd51439',
    ),
  ],
);

/** The table that says on which machines tasks ran, and when they really started. */
export const paiInstances = entry(
  {
    ...PAI,
    name: 'pai-instances',
    main: 'pai_instance_table.csv',
    title: 'Alibaba PAI v2020: the instance table (unpacks to 2 GB)',
    note: 'to be joined with the tables of pai, in the same folder',
  },
  [
    paiTable(
      'pai_instance_table',
      694_839_139,
      '1bf1e423a7ce3f8d086699801c362fd56a7182abdb234139e5ebbed97995ca06',
      'b179f7d7e0927a6663d719b728c92640447c5a0fc3c6e4edff31e7207ab9dd17',
    ),
  ],
);

function openbFile(name: string, bytes: number | null, sha256: string | null): CatalogFile {
  return plainFile(
    atCommit(REPOSITORY, COMMIT, `cluster-trace-gpu-v2023/csv/${name}`),
    bytes,
    sha256,
  );
}

/** Pod lists of which size and content are known, and the node lists. */
const OPENB_KNOWN: readonly CatalogFile[] = [
  openbFile(
    'openb_node_list_all_node.csv',
    52_287,
    '5a85c2af79c66a1efff8bbcbda430400aae56d8431370d738480967e1a9c6b15',
  ),
  openbFile(
    'openb_node_list_gpu_node.csv',
    42_353,
    '2beca64b4d3dfa342036a34b56a495c6cef9225db836c81f541282cb1df320b5',
  ),
  openbFile(
    'openb_pod_list_cpu250.csv',
    663_708,
    '134c21ff96d57533df8a37b67632972884fec9396e77cd0898ddc370cc8e607d',
  ),
  openbFile(
    'openb_pod_list_default.csv',
    575_468,
    '1ee7ed79c27a3b0861cda8ddba86a004c6aba904caafa329a76ae93ca63834a8',
  ),
  openbFile(
    'openb_pod_list_gpushare100.csv',
    561_220,
    '12dbc07d6a49bf8641e2275a2ff5bf7be74b5df7d148d531e135b140b95f9a3d',
  ),
  openbFile(
    'openb_pod_list_gpushare40.csv',
    572_662,
    'd83ce79a4eb6987524bedbb0c65e41aed3a36bf6c1b78b86234c3687a07e1d40',
  ),
  openbFile(
    'openb_pod_list_gpuspec33.csv',
    587_467,
    'eca4f746db1e5b25864ad021b55ece3943e101a3ebd4574d09dcb95c46117652',
  ),
  openbFile(
    'openb_pod_list_multigpu20.csv',
    271_530,
    'd9ec6f6c74fb980cc0b81239470c6353fceea077ea9abd610003b604c7cc2b01',
  ),
  openbFile(
    'openb_pod_list_multigpu50.csv',
    297_219,
    '206f2f5959db30ecb7c44e7f13197c8ec50b7a35558ad3777cc3662ef0fe5373',
  ),
];

/** The other pod lists. */
const OPENB_REST = [
  'cpu0',
  'cpu037',
  'cpu050',
  'cpu072',
  'cpu100',
  'cpu200',
  'cpu235',
  'cpu300',
  'gpushare20',
  'gpushare60',
  'gpushare80',
  'gpuspec05',
  'gpuspec10',
  'gpuspec20',
  'gpuspec25',
  'multigpu30',
  'multigpu40',
];

/** Pods of a shared production cluster, with parts of GPUs. */
export const openb = entry(
  {
    name: 'openb',
    main: 'openb_pod_list_default.csv',
    title: 'Alibaba cluster-trace-gpu-v2023: two node lists and 24 pod lists',
    format: 'openb',
    licence: UNLICENSED,
    cite: 'Weng et al., Beware of Fragmentation (FGD), USENIX ATC 2023',
    source: `${PAGE}/cluster-trace-gpu-v2023`,
    note:
      'the lists are variants of one another; openb_pod_list_default.csv is the one as recorded. ' +
      UNLICENSED_NOTE,
  },
  [
    ...OPENB_KNOWN,
    ...OPENB_REST.map((name) => openbFile(`openb_pod_list_${name}.csv`, null, null)),
  ],
);

/** Instances of disaggregated recommendation models. */
export const dlrm = entry(
  {
    name: 'dlrm',
    title: 'Alibaba cluster-trace-gpu-v2025: disaggregated DLRM instances',
    format: 'dlrm',
    licence: UNLICENSED,
    cite: 'Yang et al., Prism, NSDI 2025',
    source: `${PAGE}/cluster-trace-gpu-v2025`,
    note: UNLICENSED_NOTE,
  },
  [
    plainFile(
      atCommit(REPOSITORY, COMMIT, 'cluster-trace-gpu-v2025/disaggregated_DLRM_trace.csv'),
      2_118_900,
      'fb17bc4b3f412d5280f70f04a1bdf2adfc4429d1e61237a5b106e86206414295',
    ),
  ],
);

/** Guaranteed and spot jobs. */
export const spotGpu = entry(
  {
    name: 'spot-gpu',
    main: 'job_info_df.csv',
    title: 'Alibaba cluster-trace-v2026-spot-gpu: jobs of high priority and spot jobs',
    format: 'spot-gpu',
    licence: UNLICENSED,
    cite: 'Duan et al., GFS, ASPLOS 2026',
    source: `${PAGE}/cluster-trace-v2026-spot-gpu`,
    note: UNLICENSED_NOTE,
  },
  [
    plainFile(
      atCommit(REPOSITORY, COMMIT, 'cluster-trace-v2026-spot-gpu/node_info_df.csv'),
      78_330,
      '1aba161961a5a4a1a61aa581383c5e5abe3400b59f8597ba8c4eef7597bc9d18',
    ),
    plainFile(
      atCommit(REPOSITORY, COMMIT, 'cluster-trace-v2026-spot-gpu/job_info_df.csv'),
      null,
      null,
    ),
  ],
);
