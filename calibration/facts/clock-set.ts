import { assumed } from './sources.ts';
import { type Fact, guess, lucidGib, lucidMemory, muri, type WorkloadFacts } from './workloads.ts';

/** A neural network of the V100 clock set. */
export interface ClockSetFacts extends WorkloadFacts {
  readonly name: string;
  /** Row of the data set. */
  readonly app: string;
  readonly description: string;
}

/** The data set does not say how much memory or bandwidth its applications use. */
const memory = (gib: number): Fact => [gib, assumed('not in the data set; a guess for its size')];
const bandwidth: Fact = guess(0.3, 'not in the data set; a middle value of the profiled models');
const start: Fact = guess(5, 'near the Muri overheads of models of its size, 4..10 s');

export const CLOCK_SET: readonly ClockSetFacts[] = [
  {
    name: 'cnn-1.5m-v100clocks',
    app: 'CNN_1.5M',
    description: 'convolutional network of 1.5 M parameters',
    memoryGib: memory(2),
    bandwidthDemand: bandwidth,
    startS: start,
  },
  {
    name: 'cnn-1.8m-v100clocks',
    app: 'CNN_1.8M',
    description: 'convolutional network of 1.8 M parameters',
    memoryGib: memory(2),
    bandwidthDemand: bandwidth,
    startS: start,
  },
  {
    name: 'rnn-v100clocks',
    app: 'RNN',
    description: 'recurrent network',
    memoryGib: lucidGib(3884, 'LSTM on Wikitext2 at batch size 64'),
    bandwidthDemand: lucidMemory(74.875, 'LSTM on Wikitext2 at batch size 64'),
    startS: start,
  },
  {
    name: 'rl-ppo-v100clocks',
    app: 'RL-PPO',
    description: 'reinforcement learning by PPO',
    memoryGib: lucidGib(2051, 'PPO on LunarLander at every batch size'),
    bandwidthDemand: lucidMemory(0, 'PPO on LunarLander at every batch size'),
    startS: muri(5, 'DQN'),
  },
  {
    name: 'diffusion-v100clocks',
    app: 'Diffusion',
    description: 'diffusion model',
    memoryGib: memory(10),
    bandwidthDemand: bandwidth,
    startS: start,
  },
  {
    name: 'deit-small-v100clocks',
    app: 'DeiT_s',
    description: 'DeiT small',
    memoryGib: memory(5),
    bandwidthDemand: bandwidth,
    startS: start,
  },
  {
    name: 'deit-tiny-v100clocks',
    app: 'DeiT_t',
    description: 'DeiT tiny',
    memoryGib: memory(3),
    bandwidthDemand: bandwidth,
    startS: start,
  },
  {
    name: 'vit-tiny-v100clocks',
    app: 'ViT_t',
    description: 'ViT tiny',
    memoryGib: memory(3),
    bandwidthDemand: bandwidth,
    startS: start,
  },
  {
    name: 'vit-small-v100clocks',
    app: 'ViT_s',
    description: 'ViT small',
    memoryGib: memory(5),
    bandwidthDemand: bandwidth,
    startS: start,
  },
  {
    name: 'shufflenet-v100clocks',
    app: 'ShuffleN',
    description: 'ShuffleNet',
    memoryGib: lucidGib(2694, 'MobileNetV3 on ImageNet at batch size 32'),
    bandwidthDemand: lucidMemory(19.727, 'MobileNetV3 on ImageNet at batch size 32'),
    startS: muri(4, 'ShuffleNet'),
  },
  {
    name: 'resnet50-v100clocks',
    app: 'ResN50',
    description: 'ResNet-50',
    memoryGib: lucidGib(5518, 'ResNet-50 on ImageNet at batch size 32'),
    bandwidthDemand: bandwidth,
    startS: muri(4, 'ResNet-18'),
  },
  {
    name: 'resnet101-v100clocks',
    app: 'ResN101',
    description: 'ResNet-101',
    memoryGib: memory(8),
    bandwidthDemand: bandwidth,
    startS: muri(4, 'ResNet-18'),
  },
  {
    name: 'resnet152-v100clocks',
    app: 'ResN152',
    description: 'ResNet-152',
    memoryGib: memory(11),
    bandwidthDemand: bandwidth,
    startS: muri(4, 'ResNet-18'),
  },
  {
    name: 'vgg19-v100clocks',
    app: 'VGG19',
    description: 'VGG-19',
    memoryGib: lucidGib(3386, 'VGG on CIFAR-10 at batch size 32'),
    bandwidthDemand: lucidMemory(23, 'VGG on CIFAR-10 at batch size 32'),
    startS: muri(7, 'VGG-19'),
  },
];
