import { LUCID, MISO, transferred } from './sources.ts';
import { type Fact, guess, lucidGib, lucidMemory, muri, type WorkloadFacts } from './workloads.ts';

/** A training job of the Zeus traces. */
export interface ZeusJobFacts extends WorkloadFacts {
  readonly name: string;
  readonly dataset: string;
  readonly network: string;
  readonly batchSize: number;
  readonly optimizer: string;
  readonly description: string;
  /** Part of the step in which the GPU is idle. */
  readonly hostShare: Fact;
  /** Part of the GPU's time and power that is the core clock's, where no cap tells. */
  readonly coreShare: Fact | null;
}

export const ZEUS_JOBS: readonly ZeusJobFacts[] = [
  {
    name: 'shufflenetv2-cifar100-b128',
    dataset: 'cifar100',
    network: 'shufflenetv2',
    batchSize: 128,
    optimizer: 'adadelta',
    description: 'ShuffleNetV2 on CIFAR-100, training',
    memoryGib: lucidGib(4078, 'MobileNetV2 on CIFAR-10 at batch size 128'),
    bandwidthDemand: lucidMemory(65.333, 'MobileNetV2 on CIFAR-10 at batch size 128'),
    startS: muri(4, 'ShuffleNet'),
    hostShare: [
      0.01167,
      transferred(
        `${LUCID}: GPU utilisation 98.833 % for MobileNetV2 on CIFAR-10 at batch size 128`,
      ),
    ],
    coreShare: null,
  },
  {
    name: 'resnet50-imagenet-b32',
    dataset: 'imagenet',
    network: 'resnet50',
    batchSize: 32,
    optimizer: 'adadelta',
    description: 'ResNet-50 on ImageNet, training',
    memoryGib: lucidGib(5518, 'ResNet-50 on ImageNet at batch size 32'),
    bandwidthDemand: lucidMemory(80.754, 'ResNet-50 on ImageNet at batch size 32'),
    startS: muri(4, 'ResNet-18'),
    hostShare: [
      0,
      transferred(`${LUCID}: GPU utilisation 100 % for ResNet-50 on ImageNet at batch size 32`),
    ],
    coreShare: null,
  },
  {
    name: 'deepspeech2-librispeech-b32',
    dataset: 'librispeech',
    network: 'deepspeech2',
    batchSize: 32,
    optimizer: 'adamw',
    description: 'DeepSpeech2 on LibriSpeech, training',
    memoryGib: [
      6756 / 1024,
      transferred(`${MISO}: 6756 MiB for DeepSpeech2 at batch size 16, the largest there`),
    ],
    bandwidthDemand: [
      0.0488,
      transferred(`${MISO}: memory utilisation 4.88 % for DeepSpeech2 at batch size 16`),
    ],
    startS: guess(5, 'near the Muri overheads of models of its size, 4..10 s'),
    hostShare: [
      0.109,
      transferred(`${MISO}: GPU utilisation 89.1 % for DeepSpeech2 at batch size 16`),
    ],
    coreShare: null,
  },
  {
    name: 'ncf-movielens-b512',
    dataset: 'movielens-1m',
    network: 'ncf',
    batchSize: 512,
    optimizer: 'adam',
    description: 'Neural collaborative filtering on MovieLens-1M, training',
    memoryGib: lucidGib(2050, 'NeuMF on MovieLens at batch size 128, equal at 64'),
    bandwidthDemand: lucidMemory(2.011, 'NeuMF on MovieLens at batch size 128'),
    startS: guess(4, 'as the smallest models of the Muri overheads'),
    hostShare: [
      0.89517,
      transferred(`${LUCID}: GPU utilisation 10.483 % for NeuMF on MovieLens at batch size 128`),
    ],
    coreShare: guess(
      1,
      'no cap binds it on any GPU: the GPU part is taken to follow the core clock',
    ),
  },
  {
    name: 'bert-squad-b16',
    dataset: 'squad',
    network: 'bert_base_uncased',
    batchSize: 16,
    optimizer: 'adamw',
    description: 'BERT base on SQuAD, fine-tuning',
    memoryGib: guess(
      11,
      'between the 19.7 GiB of Lucid (batch size 32) and the size of weights and optimizer state; batch size 24 ran on a 16 GB P100',
    ),
    bandwidthDemand: lucidMemory(62.484, 'BERT on SQuAD at batch size 32'),
    startS: muri(10, 'BERT'),
    hostShare: [
      0.00311,
      transferred(`${LUCID}: GPU utilisation 99.689 % for BERT on SQuAD at batch size 32`),
    ],
    coreShare: null,
  },
  {
    name: 'bert-sentiment140-b32',
    dataset: 'sentiment140',
    network: 'bert_base_uncased',
    batchSize: 32,
    optimizer: 'adamw',
    description: 'BERT base on Sentiment140, fine-tuning',
    memoryGib: guess(
      8,
      'shorter sequences than SQuAD; batch size 64 ran on a 16 GB P100 in the Zeus traces',
    ),
    bandwidthDemand: lucidMemory(62.484, 'BERT on SQuAD at batch size 32'),
    startS: muri(10, 'BERT'),
    hostShare: [
      0.00311,
      transferred(`${LUCID}: GPU utilisation 99.689 % for BERT on SQuAD at batch size 32`),
    ],
    coreShare: null,
  },
];
