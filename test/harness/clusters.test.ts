import assert from 'node:assert/strict';
import {
  CLUSTER_PRESETS,
  checkCluster,
  clusterFromText,
  gpuCount,
  scaledCluster,
} from '../../harness/clusters.ts';

describe('harness/clusters', () => {
  it('reads nodes x gpus : type', () => {
    assert.deepEqual(clusterFromText('16x8:V100, 2x4:P100').groups, [
      { gpuType: 'V100', gpusPerNode: 8, nodes: 16 },
      { gpuType: 'P100', gpusPerNode: 4, nodes: 2 },
    ]);
  });

  it('knows its presets by name, and their sizes', () => {
    const sizes = CLUSTER_PRESETS.map(({ name }) => [name, gpuCount(clusterFromText(name))]);
    assert.deepEqual(sizes, [
      ['small', 32],
      ['mixed512', 512],
      ['philly-like', 2490],
    ]);
  });

  it('scales the nodes of every group, keeping at least one', () => {
    const cluster = clusterFromText('16x8:V100,5x4:P100,1x2:A40');
    const nodes = (factor: number) =>
      scaledCluster(cluster, factor).groups.map((group) => group.nodes);
    assert.deepEqual(nodes(0.5), [8, 3, 1]);
    assert.deepEqual(nodes(0.01), [1, 1, 1]);
    assert.deepEqual(nodes(2), [32, 10, 2]);
    assert.equal(scaledCluster(cluster, 0.5).name, '16x8:V100,5x4:P100,1x2:A40 x 0.5');
  });

  it('suggests the preset that is meant', () => {
    assert.throws(
      () => clusterFromText('mixd512'),
      /unknown cluster 'mixd512', did you mean 'mixed512'\?/,
    );
  });

  it('says what it expects when it cannot read a group', () => {
    assert.throws(
      () => clusterFromText('16*8:V100'),
      /'16\*8:V100' is no cluster: expected a preset/,
    );
  });

  it('refuses an unknown GPU type with the nearest one', () => {
    assert.throws(() => {
      checkCluster(clusterFromText('1x1:V10'), ['V100', 'P100']);
    }, /unknown gpu type 'V10', did you mean 'V100'\?/);
  });

  it('refuses a cluster of no nodes', () => {
    assert.throws(() => {
      checkCluster(clusterFromText('0x8:V100'), ['V100']);
    }, /nodes of V100 is 0, expected a whole number of at least 1/);
  });
});
