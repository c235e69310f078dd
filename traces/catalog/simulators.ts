import { atCommit, type CatalogFile, entry, plainFile } from './entry.ts';

/** Files of one repository at one commit: path, size and hash of each. */
function filesOf(
  repository: string,
  commit: string,
  files: readonly (readonly [
    path: string,
    bytes: number | null,
    sha256: string | null,
    as?: string,
  ])[],
): readonly CatalogFile[] {
  return files.map(([path, bytes, sha256, as]) =>
    plainFile(atCommit(repository, commit, path), bytes, sha256, as),
  );
}

const GAVEL = 'stanford-futuredata/gavel';
const MSR = 'scheduler/traces/msr/seed=0';
const PHYSICAL = 'scheduler/traces/physical_cluster';

/** Job lists of Gavel, and the throughputs that their run times follow from. */
export const gavel = entry(
  {
    name: 'gavel',
    title: 'Gavel: Philly by virtual cluster (seed 0), the physical cluster, throughputs',
    format: 'gavel',
    licence: 'MIT',
    cite: 'Narayanan et al., Heterogeneity-Aware Cluster Scheduling Policies, OSDI 2020',
    source: `https://github.com/${GAVEL}`,
    note: 'nine of the fifteen virtual clusters: the others are cut off at 2,000 jobs',
  },
  filesOf(GAVEL, 'c4fa40097339e9608ab71fd64c8bdea96a5e4a4c', [
    [
      `${MSR}/0e4a51.trace`,
      224_104,
      '952a5ca0842149b7a0f2cbfd072acb0f97765f05ef829b4ab71db0752ef08d00',
    ],
    [
      `${MSR}/23dbec.trace`,
      1_688,
      '5e77c69605651395c7610f85678205709009d401a299ae16b5af47f7f04c2714',
    ],
    [
      `${MSR}/2869ce.trace`,
      100_966,
      'f2ea5209f8d8d2844aefc2ffc0cd9e7e08a53ec0c3f8bbe9d6f336e29d93fa3c',
    ],
    [
      `${MSR}/51b7ef.trace`,
      3_398,
      '56dfc3e66adbdf48f65db0881e4f31d7e81e8555fdaef6380605d011512e503f',
    ],
    [
      `${MSR}/795a4c.trace`,
      596,
      '52a95b1f5b9bda0bd0bec1fd35d3ef04dd50d6da091b99bfed7296bc13cabab8',
    ],
    [
      `${MSR}/7f04ca.trace`,
      184_431,
      'e999948ee9c399c0c2cd247ecd6d057309e9939004af4d57fe92c213882e1647',
    ],
    [
      `${MSR}/925e2b.trace`,
      786,
      '8964aed38ba3a5e88addfc6402d3dc215b0693227cd89204c801815a7c92e833',
    ],
    [
      `${MSR}/e13805.trace`,
      114_754,
      '76a5d2119774f81f1107091833fb18039faed8618cd7829cbf5829f74231fe2d',
    ],
    [
      `${MSR}/ed69ec.trace`,
      179_642,
      '498b1cdae5247e842e6d6875fe7fecde8ab28ceb1bb4525bb1f25f37f9241597',
    ],
    [
      `${PHYSICAL}/artifact_evaluation.trace`,
      2_154,
      'aa267474f78f61ef65ec26585957e7737e0f2f8cba7e5425d7e52e26146d15b6',
    ],
    [
      `${PHYSICAL}/debug.trace`,
      1_918,
      '995884b79a7d529bfaba24a5281081d519e17f11c534d936a14497951377c0c6',
    ],
    [
      `${PHYSICAL}/max_min_fairness.trace`,
      14_458,
      'dc13589c23c7b77d37d3d1014ff499e0c1ffca2959ce35d0e4ce70b71247424b',
    ],
    [
      `${PHYSICAL}/minimize_makespan.trace`,
      14_099,
      'b00befc3fc2a62c1776fd70d978065e3fb1ae75fd06b37557f2425fe51556bc5',
    ],
    [
      `${PHYSICAL}/small_test.trace`,
      2_860,
      '1a216a80d1f40bc2b88a3edb5f14ff687560024c085a6392613618a47cbe54dc',
    ],
    [
      'scheduler/simulation_throughputs.json',
      1_240_176,
      '17111f7295f03265fd9e5118d7eba31e3dd9d6e50a2e215c13ad3d3f91f74381',
    ],
  ]),
);

const SHOCKWAVE = 'uw-mad-dash/shockwave';
const REPRODUCE = 'scheduler/traces/reproduce';

/** Job lists of Shockwave, whose jobs change their batch size. */
export const shockwave = entry(
  {
    name: 'shockwave',
    title: 'Shockwave: the traces of its reproduction, 120 and 220 jobs',
    format: 'gavel',
    licence: 'MIT',
    cite: 'Zheng et al., Shockwave, NSDI 2023',
    source: `https://github.com/${SHOCKWAVE}`,
  },
  filesOf(SHOCKWAVE, '8a44f4a27a45760520386809b695d51b665b3679', [
    [
      `${REPRODUCE}/120_0.2_5_100_40_25_0,0.5,0.5_0.6,0.3,0.09,0.01_multigpu_dynamic.trace`,
      18_720,
      'f5728b8c038c330d21b98bc5930949d21769bd956e2ad457a4eb167dd33f34d6',
      '120_tacc32.trace',
    ],
    [
      `${REPRODUCE}/220_0.2_5_100_25_4_0,0.5,0.5_0.6,0.3,0.09,0.01_multigpu_dynamic.trace`,
      35_445,
      '85bd7d8ad42fc966b18704fdb7b23459d139d786067bd255e19dfae357dcbd1d',
      '220_scale64.trace',
    ],
  ]),
);

const TIRESIAS = 'SymbioticLab/Tiresias';

/** Jobs and clusters of the Tiresias simulator. */
export const tiresias = entry(
  {
    name: 'tiresias',
    title: 'Tiresias: 60 jobs, cluster descriptions, GPU-time distributions',
    format: 'tiresias-csv',
    licence: 'Apache-2.0',
    cite: 'Gu et al., Tiresias, NSDI 2019',
    source: `https://github.com/${TIRESIAS}`,
    note: 'the 480 jobs of the paper are not published',
  },
  filesOf(TIRESIAS, '959f9b08f44fa1b4f2b3aed79b01e4d439264a94', [
    [
      'simulator/60_job.csv',
      1_871,
      '17575949a6e570960db42bc5576739de9c334ed4c664859841c4f01ede38bd1b',
    ],
    ['simulator/n32g4.csv', 83, 'ca71313259ebdaad478afbe118b0dc92d5c1c59b2463f8500aa540dd92e77144'],
    [
      'simulator/n160g8.csv',
      84,
      'fce43270fc374e465862a062b3dc90fde93c2bd98800adb5e1b4efae7cfa5abe',
    ],
  ]),
);

const MURI = 'Rivendile/Muri';

/** Four virtual clusters of Philly with the resources that jobs use. */
export const muri = entry(
  {
    name: 'muri',
    title: 'Muri: four traces of Philly with models and resource times',
    format: 'muri-csv',
    licence: 'Apache-2.0',
    cite: 'Zhao et al., Muri, SIGCOMM 2022',
    source: `https://github.com/${MURI}`,
  },
  filesOf(MURI, '4e69a78ce75f629a5a00abd48150a1860b341ce6', [
    [
      'simulator/trace-data/trace1.csv',
      97_574,
      '534d02a4ebe53aee1f60d3fb33e3b2207550bb28813e677c962051058ebafbc5',
    ],
    [
      'simulator/trace-data/trace2.csv',
      374_400,
      '5c29e1c49ed7929bff67c8008e6f2abcafc64e70bb55cdc91801490ce2df7003',
    ],
    [
      'simulator/trace-data/trace3.csv',
      63_755,
      'fc8d59783486122d9f522b430c1d5a59fbee119b41feb67a3f67e0751340ce93',
    ],
    [
      'simulator/trace-data/trace4.csv',
      167_691,
      '69754a0fc95b75de47923eb755d81b4cd7f8df37d82f007f870881e12470f0d1',
    ],
    [
      'cluster_exp/trace-data/cluster_trace.csv',
      25_642,
      'fe73b5e39c75ea73b3115d1d4fc7b19e482f7db13c1256a0756bf54bdc3befef',
    ],
  ]),
);

const LUCID = 'S-Lab-System-Group/Lucid';
const VENUS = 'simulation/data/Venus';

/** A month of Helios' Venus with models. */
export const lucid = entry(
  {
    name: 'lucid',
    title: 'Lucid: Helios Venus, September 2020, with models',
    format: 'lucid-csv',
    licence: 'S-Lab License 1.0: NON-COMMERCIAL only',
    nonCommercial: true,
    cite: 'Hu et al., Lucid, ASPLOS 2023',
    source: `https://github.com/${LUCID}`,
    note: 'no checksum of the log is published; its models are assigned, not measured',
  },
  filesOf(LUCID, '63685a3ab7d15d8e940bb47ef98b6d5cca472b13', [
    [`${VENUS}/cluster_full_log.csv`, null, null],
    [
      `${VENUS}/vc_config.csv`,
      130,
      'e25f63eecc9d19e905f55c37dceddffcd3a797bf83895fc7efe63c8cde6ca524',
    ],
  ]),
);

const SIA = 'siasosp23/artifacts';
const SIA_COMMIT = 'aaf7a0de7b6cb5eab06ea020467ede5d2fd18e70';

/** Workloads of Sia, drawn from Philly, Helios' Saturn and a new trace. */
export const sia = entry(
  {
    name: 'sia',
    title: 'Sia: one workload each drawn from Philly, Saturn and a new trace',
    format: 'sia-workload',
    licence: 'none stated (derived from Apache-2.0)',
    cite: 'Subramanya et al., Sia, SOSP 2023',
    source: `https://github.com/${SIA}`,
  },
  filesOf(SIA, SIA_COMMIT, [
    [
      'sia-simulator/workloads/philly/workload-1.csv',
      5_276,
      'c0f4c1d80ef57f2c61a6a0a42f95fa080e1bfdd1319f2baa801af0f4a2d8c64d',
      'philly_workload-1.csv',
    ],
    [
      'sia-simulator/workloads/saturn/workload-1.csv',
      5_564,
      '0ff89480a7183132b4c40e5853aa632da93a9eee204ea6432a0b46b31615c6ed',
      'saturn_workload-1.csv',
    ],
    [
      'sia-simulator/workloads/newtrace/workload-1.csv',
      38_968,
      '140a0f65aa29f379dd9e3848a3961345dcabe66c7333a07605d51ba000eab935',
      'newtrace_workload-1.csv',
    ],
  ]),
);
