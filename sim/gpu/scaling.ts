/** How the throughput of a gang grows with its GPUs; both in (0, 1], 1 where nothing is lost. */
export interface GangScaling {
  /** Throughput kept at each doubling of the GPUs in a node. */
  readonly withinNode: number;
  /** Throughput kept at each doubling of the nodes. */
  readonly acrossNodes: number;
}

/**
 * Speed of a gang over that of one GPU (the form is assumed; its two numbers are the profile's):
 * `gpus * withinNode^log2(gpus / nodes) * acrossNodes^log2(nodes)`.
 *
 * Counts that are no powers of two lie on the same curve, with fractions of a doubling; an uneven gang
 * counts with the mean of its GPUs in a node. Never falls with more GPUs while both numbers are >= 0.5.
 *
 * @param gpus >= 1
 * @param nodes 1 .. gpus
 */
export function gangSpeedup(scaling: GangScaling, gpus: number, nodes: number): number {
  const { withinNode, acrossNodes } = scaling;
  return gpus * withinNode ** Math.log2(gpus / nodes) * acrossNodes ** Math.log2(nodes);
}

/**
 * Speed of a gang over that of the job's own gang, to which its duration belongs:
 * `gangSpeedup(gpus) / gangSpeedup(own)`, each on the fewest nodes that can hold it, times
 * `acrossNodes` for each doubling of the nodes beyond those. 1 for the own gang on as few nodes as it
 * needs: a duration is taken to be that of a compact placement.
 *
 * @param own GPUs of the job's own gang
 * @param gpus GPUs that it holds
 * @param nodes nodes on which they lie
 * @param gpusPerNode GPUs of the largest of these nodes
 */
export function relativeGangSpeed(
  scaling: GangScaling,
  own: number,
  gpus: number,
  nodes: number,
  gpusPerNode: number,
): number {
  const fewest = Math.ceil(gpus / gpusPerNode);
  const { acrossNodes } = scaling;
  const spread =
    nodes <= fewest || acrossNodes === 1 ? 1 : acrossNodes ** Math.log2(nodes / fewest);
  if (gpus === own) return spread;
  const ownSpeedup = gangSpeedup(scaling, own, Math.ceil(own / gpusPerNode));
  return (gangSpeedup(scaling, gpus, fewest) / ownSpeedup) * spread;
}
