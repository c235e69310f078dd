import { readCsv } from './csv.ts';

/** Epoch time and average power of one training job over power caps on one GPU type. */
export interface CapSweep {
  readonly dataset: string;
  readonly network: string;
  readonly batchSize: number;
  readonly optimizer: string;
  /** Ascending; the other lists are in this order. */
  readonly capsW: readonly number[];
  readonly epochS: readonly number[];
  readonly powerW: readonly number[];
}

/** How the data set is named in provenance. */
export const ZEUS_SOURCE =
  'Zeus power-limit traces (github.com/ml-energy/zeus, commit 75a8b93, Apache-2.0)';

/**
 * Reads one file of the Zeus power-limit traces (`summary_power_v100.csv` and its like): one sweep
 * per data set, network, batch size and optimizer, each cap measured once.
 */
export function readZeus(folder: string, file: string): CapSweep[] {
  const sweeps = new Map<string, { key: string[]; rows: [number, number, number][] }>();
  for (const row of readCsv(folder, file)) {
    const key = ['dataset', 'network', 'batch_size', 'optimizer'].map(row.text);
    const id = key.join('\t');
    const sweep = sweeps.get(id) ?? { key, rows: [] };
    sweep.rows.push([
      row.number('power_limit'),
      row.number('time_per_epoch'),
      row.number('average_power'),
    ]);
    sweeps.set(id, sweep);
  }
  return [...sweeps.values()].map(({ key, rows }) => {
    const [dataset = '', network = '', batchSize = '', optimizer = ''] = key;
    rows.sort((a, b) => a[0] - b[0]);
    return {
      dataset,
      network,
      batchSize: Number(batchSize),
      optimizer,
      capsW: rows.map(([cap]) => cap),
      epochS: rows.map(([, time]) => time),
      powerW: rows.map(([, , power]) => power),
    };
  });
}
