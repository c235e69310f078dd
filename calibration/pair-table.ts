import type { PairMeasurement } from '../sim/gpu/profile.ts';

/** A shipped file of measured pairs: workloads named once, `[first, second, speeds of both]`. */
interface PairTable {
  readonly gpuType: string;
  readonly source: string;
  readonly workloads: readonly string[];
  readonly pairs: readonly (readonly [number, number, number, number])[];
}

/** The pairs of a shipped file of ours. @throws {RangeError} for a place without a workload */
export function parsePairTable(text: string): PairMeasurement[] {
  const { gpuType, source, workloads, pairs } = JSON.parse(text) as PairTable;
  const nameAt = (index: number): string => {
    const name = workloads[index];
    if (name === undefined) throw new RangeError(`expected a workload ${index} in a pair table`);
    return name;
  };
  return pairs.map(([a, b, speedA, speedB]) => ({
    gpuType,
    workloads: [nameAt(a), nameAt(b)],
    speeds: [speedA, speedB],
    source,
  }));
}

const DIGITS = 3;

/** The text of a shipped file of pairs of one GPU type, in the order given; speeds to three digits. */
export function pairTableText(pairs: readonly PairMeasurement[]): string {
  const workloads = [...new Set(pairs.flatMap((pair) => pair.workloads))];
  const lines = pairs.map(({ workloads: [a, b], speeds }) => {
    const places = [workloads.indexOf(a), workloads.indexOf(b)];
    return `    ${JSON.stringify([...places, ...speeds.map((value) => Number(value.toPrecision(DIGITS)))])}`;
  });
  const { gpuType, source } = pairs[0] ?? { gpuType: '', source: '' };
  return `{
  "gpuType": ${JSON.stringify(gpuType)},
  "source": ${JSON.stringify(source)},
  "workloads": ${JSON.stringify(workloads)},
  "pairs": [
${lines.join(',\n')}
  ]
}
`;
}
