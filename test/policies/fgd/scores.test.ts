import assert from 'node:assert/strict';
import { fragmentation, nodeScores, typicalTasks } from '../../../policies/fgd/index.ts';
import { randomStream } from '../../../sim/random.ts';
import { nodeOf, taskOf } from './nodes.ts';

const half = taskOf(1, 500);
const whole = taskOf(1);
const evenly = typicalTasks([half, whole], 1);

describe('the fragmentation of a node', () => {
  it('is what a typical task cannot use, by hand', () => {
    // Half a GPU leaves nothing unusable; a whole one leaves the 500: 0.5 x 0 + 0.5 x 500.
    assert.equal(fragmentation(nodeOf([500, 1000]), evenly), 250);
    // No GPU is whole, so for a whole one all 1000 are lost: 0.5 x 0 + 0.5 x 1000.
    assert.equal(fragmentation(nodeOf([500, 500]), evenly), 500);
  });

  it('is everything idle for a task without GPU, of another model, or too large for the CPU', () => {
    const node = nodeOf([500, 1000], { cpuLeftMilli: 4000 });
    for (const task of [
      taskOf(0, 0),
      taskOf(1, 500, { models: ['A10'] }),
      taskOf(1, 500, { cpuMilli: 4001 }),
      taskOf(2),
    ]) {
      assert.equal(fragmentation(node, [{ task, part: 1 }]), 1500);
    }
  });

  it('looks at the most frequent kinds that make up the popularity, and no more', () => {
    const tasks = [whole, whole, whole, half, half, taskOf(2)];
    const parts = (popularity: number) => typicalTasks(tasks, popularity).map(({ part }) => part);
    assert.deepEqual(parts(0.5), [1]);
    assert.deepEqual(parts(0.6), [3 / 5, 2 / 5]);
    assert.deepEqual(parts(1), [3 / 6, 2 / 6, 1 / 6]);
  });
});

describe('the scores of the FGD simulator', () => {
  it('FGD: the GPU where fragmentation shrinks most', () => {
    // 250 before; 0 with the half on the first GPU (0, 1000): 100 / (1 + e^-0.25) = 56.2;
    // 500 with it on the second (500, 500): 100 / (1 + e^0.25) = 43.8. [1000, 400] goes from 400 to 650.
    const score = nodeScores.fgdScore(() => evenly);
    assert.deepEqual(score(nodeOf([500, 1000]), half), { score: 56, gpus: [0] });
    assert.deepEqual(score(nodeOf([1000, 400]), half), { score: 43, gpus: [0] });
  });

  it('best fit: least left of CPU and GPU, the fullest GPU with room', () => {
    // CPU (64000 - 4000) / 128000 = 0.46875, GPU (1500 - 500) / 8000 = 0.125: 100 - 23.4 - 6.25.
    const node = nodeOf([1000, 500, 0], { cpuLeftMilli: 64_000 });
    const task = taskOf(1, 500, { cpuMilli: 4000 });
    assert.deepEqual(nodeScores.bestFitScore(node, task), { score: 70, gpus: [1] });
  });

  it('dot product: the rest least like the request', () => {
    // CPU 0.5 x 0.25, GPU 0.25 x 0.125: 100 (1 - 0.15625 / 2).
    const node = nodeOf([1000, 1000], { cpuLeftMilli: 64_000 });
    const task = taskOf(1, 1000, { cpuMilli: 32_000 });
    assert.deepEqual(nodeScores.dotProductScore(node, task), { score: 92, gpus: [0] });
  });

  it('packing: used GPUs before idle ones of used nodes before idle nodes', () => {
    const score = (left: number[], task = half) =>
      nodeScores.packingScore(nodeOf(left), task).score;
    assert.equal(score([700, 1000]), 93, '100 - 70 / 10');
    assert.equal(score([300, 1000, 1000], taskOf(2)), 48, '50 - 2 opened');
    assert.equal(score([1000, 1000, 1000, 1000]), 29, '33 - 4 idle');
    assert.equal(score(new Array<number>(8).fill(1000)), 25, '33 - 8 idle');
    assert.equal(score([700, 1000], taskOf(0, 0)), 0);
  });

  it('clustering: a node of one class, then a mixed one, then an empty one, then of others', () => {
    const classes = (...names: string[]) => new Map(names.map((name) => [name, 1]));
    const score = (...names: string[]) =>
      nodeScores.clusteringScore(nodeOf([1000, 500], { classes: classes(...names) }), half).score;
    // floor(25 x (8000 - 1500) / 8000) = 20, and 75, 50, 25 or nothing.
    assert.equal(score('share'), 95);
    assert.equal(score('share', '2-gpu'), 70);
    assert.equal(score(), 45);
    assert.equal(score('1-gpu'), 20);
    assert.equal(nodeScores.clusteringScore(nodeOf([1000]), taskOf(0, 0)).score, 0);
  });

  it('random: distinct GPUs with room', () => {
    const score = nodeScores.randomScore(randomStream(1, 'score'));
    for (let draw = 0; draw < 50; draw += 1) {
      const { gpus } = score(nodeOf([1000, 300, 1000, 1000]), taskOf(2));
      assert.equal(new Set(gpus).size, 2);
      assert.ok(!gpus.includes(1));
    }
  });
});
