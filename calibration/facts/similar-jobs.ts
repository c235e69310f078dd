import { LUCID, MISO, transferred } from './sources.ts';
import { type Fact, guess, muri, type WorkloadFacts } from './workloads.ts';

/**
 * A job of which only step times were measured. How its time and power divide, and its power, are those
 * of the most similar job that was fitted.
 */
export interface SimilarJobFacts extends WorkloadFacts {
  readonly name: string;
  /** Model and batch size in the data set. */
  readonly model: string;
  readonly batchSize: number | null;
  readonly description: string;
  /** Name of the shipped workload that it is like. */
  readonly like: string;
}

const GUESS = 'no data; a guess between the footprints that Lucid and MISO report for its kind';

interface Family {
  readonly model: string;
  readonly short: string;
  readonly description: string;
  readonly like: string;
  readonly bandwidth: Fact;
  readonly startS: Fact;
  /** Footprint in GiB by batch size; the key 0 stands for a job without one. */
  readonly memory: Readonly<Record<number, number>>;
  readonly memorySource?: string;
}

const bandwidth = (percent: number, source: string, of: string): Fact => [
  percent / 100,
  transferred(`${source}: memory utilisation ${percent} % for ${of}`),
];

const GAVEL_FAMILIES: readonly Family[] = [
  {
    model: 'ResNet-18',
    short: 'resnet18',
    description: 'ResNet-18 on CIFAR-10, training',
    like: 'resnet50-imagenet-b32',
    bandwidth: bandwidth(47, LUCID, 'ResNet-18 on CIFAR-10 at batch size 64'),
    startS: muri(4, 'ResNet-18'),
    memory: { 16: 2.3, 32: 2.3, 64: 2.6, 128: 3, 256: 4 },
    memorySource: `${LUCID}: 2360, 2660 and 3072 MiB at batch sizes 32, 64 and 128, beyond by rule of thumb`,
  },
  {
    model: 'ResNet-50',
    short: 'resnet50',
    description: 'ResNet-50 on ImageNet, training',
    like: 'resnet50-imagenet-b32',
    bandwidth: bandwidth(80.754, LUCID, 'ResNet-50 on ImageNet at batch size 32'),
    startS: muri(4, 'ResNet-18'),
    memory: { 16: 3.8, 32: 5.4, 64: 8.4, 128: 13 },
    memorySource: `${LUCID}: 5518, 8570 and 13326 MiB at batch sizes 32, 64 and 128, below by rule of thumb`,
  },
  {
    model: 'Transformer',
    short: 'transformer',
    description: 'Transformer on Multi30k, training',
    like: 'bert-sentiment140-b32',
    bandwidth: bandwidth(17.258, LUCID, 'Transformer on Multi30k at batch size 32'),
    startS: muri(10, 'BERT'),
    memory: { 16: 2.5, 32: 3, 64: 4, 128: 6, 256: 10 },
  },
  {
    model: 'LM',
    short: 'lm',
    description: 'LSTM language model on Wikitext-2, training',
    like: 'deepspeech2-librispeech-b32',
    bandwidth: bandwidth(74.875, LUCID, 'LSTM on Wikitext2 at batch size 64'),
    startS: guess(5, 'near the Muri overheads of models of its size, 4..10 s'),
    memory: { 5: 1.8, 10: 2, 20: 2.3, 40: 3, 80: 4.2 },
    memorySource: `${LUCID}: 3884 MiB at batch size 64, others by rule of thumb`,
  },
  {
    model: 'Recommendation',
    short: 'recommendation',
    description: 'autoencoder recommender on MovieLens-20M, training',
    like: 'ncf-movielens-b512',
    bandwidth: bandwidth(2.011, LUCID, 'NeuMF on MovieLens at batch size 128'),
    startS: guess(4, 'as the smallest models of the Muri overheads'),
    memory: { 512: 2, 1024: 2, 2048: 2.2, 4096: 2.5, 8192: 3 },
  },
  {
    model: 'CycleGAN',
    short: 'cyclegan',
    description: 'CycleGAN on monet2photo, training',
    like: 'resnet50-imagenet-b32',
    bandwidth: bandwidth(22.71, MISO, 'CycleGAN at batch size 1'),
    startS: guess(5, 'near the Muri overheads of models of its size, 4..10 s'),
    memory: { 0: 5.5 },
    memorySource: `${MISO}: 5581 MiB at batch size 1`,
  },
  {
    model: 'A3C',
    short: 'a3c',
    description: 'A3C on Pong, training',
    like: 'ncf-movielens-b512',
    bandwidth: bandwidth(0, LUCID, 'PPO on LunarLander at every batch size'),
    startS: muri(5, 'DQN'),
    memory: { 0: 2 },
    memorySource: `${LUCID}: 2051 MiB for PPO on LunarLander`,
  },
];

function family(set: string, facts: Family): SimilarJobFacts[] {
  return Object.entries(facts.memory).map(([batch, gib]) => {
    const batchSize = batch === '0' ? null : Number(batch);
    const source = facts.memorySource;
    return {
      name: `${facts.short}-${set}${batchSize === null ? '' : `-b${batchSize}`}`,
      model: facts.model,
      batchSize,
      description: facts.description,
      like: facts.like,
      memoryGib: source === undefined ? guess(gib, GUESS) : [gib, transferred(source)],
      bandwidthDemand: facts.bandwidth,
      startS: facts.startS,
    };
  });
}

/** The 26 job types of the Gavel throughputs. */
export const GAVEL_JOBS: readonly SimilarJobFacts[] = GAVEL_FAMILIES.flatMap((facts) =>
  family('gavel', facts),
);

const SIA_FAMILIES: readonly Family[] = [
  {
    model: 'bert',
    short: 'bert',
    description: 'BERT on SQuAD, fine-tuning',
    like: 'bert-squad-b16',
    bandwidth: bandwidth(62.484, LUCID, 'BERT on SQuAD at batch size 32'),
    startS: muri(10, 'BERT'),
    memory: { 8: 8 },
  },
  {
    model: 'cifar10',
    short: 'cifar10',
    description: 'ResNet-18 on CIFAR-10, training',
    like: 'shufflenetv2-cifar100-b128',
    bandwidth: bandwidth(67, LUCID, 'ResNet-18 on CIFAR-10 at batch size 128'),
    startS: muri(4, 'ResNet-18'),
    memory: { 129: 3 },
    memorySource: `${LUCID}: 3072 MiB at batch size 128`,
  },
  {
    model: 'deepspeech2',
    short: 'deepspeech2',
    description: 'DeepSpeech2, training',
    like: 'deepspeech2-librispeech-b32',
    bandwidth: bandwidth(4.88, MISO, 'DeepSpeech2 at batch size 16'),
    startS: guess(5, 'near the Muri overheads of models of its size, 4..10 s'),
    memory: { 20: 6.6 },
    memorySource: `${MISO}: 6756 MiB at batch size 16`,
  },
  {
    model: 'imagenet',
    short: 'imagenet',
    description: 'ResNet-50 on ImageNet, training',
    like: 'resnet50-imagenet-b32',
    bandwidth: bandwidth(80.754, LUCID, 'ResNet-50 on ImageNet at batch size 32'),
    startS: muri(4, 'ResNet-18'),
    memory: { 40: 6.5 },
    memorySource: `${LUCID}: 5518 and 8570 MiB at batch sizes 32 and 64`,
  },
  {
    model: 'ncf',
    short: 'ncf',
    description: 'neural collaborative filtering, training',
    like: 'ncf-movielens-b512',
    bandwidth: bandwidth(2.011, LUCID, 'NeuMF on MovieLens at batch size 128'),
    startS: guess(4, 'as the smallest models of the Muri overheads'),
    memory: { 513: 2 },
    memorySource: `${LUCID}: 2050 MiB for NeuMF`,
  },
  {
    model: 'yolov3',
    short: 'yolov3',
    description: 'YOLOv3, training',
    like: 'resnet50-imagenet-b32',
    bandwidth: guess(0.5, 'no data; a middle value of the profiled convolutional models'),
    startS: guess(5, 'near the Muri overheads of models of its size, 4..10 s'),
    memory: { 8: 9 },
  },
];

/** The six models of the Sia step times, each at a batch size that ran on all four GPU types. */
export const SIA_JOBS: readonly SimilarJobFacts[] = SIA_FAMILIES.flatMap((facts) =>
  family('sia', facts),
);
