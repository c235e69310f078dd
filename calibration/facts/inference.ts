import { type Fact, guess, muri, type WorkloadFacts } from './workloads.ts';

/** An inference model of the iGniter set. */
export interface InferenceFacts extends WorkloadFacts {
  readonly name: string;
  /** Name in the data set. */
  readonly model: string;
  readonly description: string;
  /** Application of the V100 clock set whose power divides between memory and core as its own. */
  readonly powerLike: string;
}

/** Batch size of the shipped inference profiles: the one that all tables of the set have. */
export const INFERENCE_BATCH_SIZE = 16;

const memory = (gib: number): Fact =>
  guess(gib, 'not in the data set; a guess: CUDA context, TensorRT engine and activations');

/** Bandwidth demand is in the data set. */
export const INFERENCE_MODELS: readonly InferenceFacts[] = [
  {
    name: 'alexnet-tensorrt-b16',
    model: 'alexnet',
    description: 'AlexNet, TensorRT inference',
    powerLike: 'ResN50',
    memoryGib: memory(1.5),
    bandwidthDemand: null,
    startS: muri(4, 'ResNet-18'),
  },
  {
    name: 'resnet50-tensorrt-b16',
    model: 'resnet50',
    description: 'ResNet-50, TensorRT inference',
    powerLike: 'ResN50',
    memoryGib: memory(1.5),
    bandwidthDemand: null,
    startS: muri(4, 'ResNet-18'),
  },
  {
    name: 'vgg19-tensorrt-b16',
    model: 'vgg19',
    description: 'VGG-19, TensorRT inference',
    powerLike: 'VGG19',
    memoryGib: memory(2.5),
    bandwidthDemand: null,
    startS: muri(7, 'VGG-19'),
  },
  {
    name: 'ssd-tensorrt-b16',
    model: 'ssd',
    description: 'SSD, TensorRT inference',
    powerLike: 'ResN50',
    memoryGib: memory(2),
    bandwidthDemand: null,
    startS: muri(4, 'ResNet-18'),
  },
];
