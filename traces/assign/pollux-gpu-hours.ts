import { z } from 'zod';
import { gpuSeconds } from '../report.ts';
import { type AssignmentRule, pickUniform, ruleOptions } from './rule.ts';

interface SizeClass {
  /** Upper bound, not included. */
  readonly belowGpuHours: number;
  readonly workloads: readonly string[];
}

/**
 * Workloads by the GPU-hours of a job.
 *
 * Source: the trace generators of Pollux (petuum/adaptdl, branch osdi21-artifact) and Sia
 * (siasosp23/artifacts): below 1 GPU-hour cifar10 (Pollux: or ncf), to 10 deepspeech2 or bert, to 100
 * yolov3, above imagenet. Deviations, for lack of measurements of those: ShuffleNetV2 on CIFAR-100 stands
 * in for ResNet18 on CIFAR-10, BERT on SQuAD with batch 16 for YOLOv3, and their `bert` is BERT on
 * Sentiment140. Both filter jobs (at least 60 s, below 1000 GPU-hours) and draw GPU counts anew; here every
 * job is kept with its own.
 */
export const POLLUX_CLASSES: readonly SizeClass[] = [
  { belowGpuHours: 1, workloads: ['shufflenetv2-cifar100-b128', 'ncf-movielens-b512'] },
  { belowGpuHours: 10, workloads: ['deepspeech2-librispeech-b32', 'bert-sentiment140-b32'] },
  { belowGpuHours: 100, workloads: ['bert-squad-b16'] },
  { belowGpuHours: Number.POSITIVE_INFINITY, workloads: ['resnet50-imagenet-b32'] },
];

const schema = z.strictObject({});

/** Longer jobs train bigger models, by GPU-hours, as in Pollux and Sia. */
export const polluxGpuHours: AssignmentRule = {
  name: 'pollux-gpu-hours',
  title: 'by GPU-hours, as Pollux and Sia',
  prepare(options) {
    ruleOptions('pollux-gpu-hours', schema, options);
    return {
      pick(job, draw) {
        const hours = gpuSeconds(job) / 3600;
        const found = POLLUX_CLASSES.find(({ belowGpuHours }) => hours < belowGpuHours);
        return pickUniform('pollux-gpu-hours', found?.workloads ?? [], draw);
      },
      options: {},
      assumed: [
        'models follow GPU-hours as in Pollux and Sia, with bert-squad in place of yolov3 and ' +
          'shufflenetv2-cifar100 in place of cifar10; no job is filtered',
      ],
    };
  },
};
