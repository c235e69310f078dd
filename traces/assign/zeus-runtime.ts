import { ckmeans } from 'simple-statistics';
import { z } from 'zod';
import type { TraceJob } from '../workload.ts';
import { type AssignmentRule, pickUniform, ruleOptions } from './rule.ts';

/**
 * The six training jobs of Zeus, shortest first: V100 seconds to the target metric, the product of the
 * epochs in `summary_train.csv` and the seconds an epoch in `summary_power_v100.csv` at 250 W
 * (ml-energy/zeus, trace of NSDI 2023): NCF 135, ShuffleNetV2 309, BERT/SQuAD 6,700, BERT/Sentiment140
 * 12,300, DeepSpeech2 41,200; ResNet50 74,500 with batch 256, as batch 32 has no recorded epochs.
 */
export const ZEUS_WORKLOADS: readonly string[] = [
  'ncf-movielens-b512',
  'shufflenetv2-cifar100-b128',
  'bert-squad-b16',
  'bert-sentiment140-b32',
  'deepspeech2-librispeech-b32',
  'resnet50-imagenet-b32',
];

const schema = z.strictObject({});

/** A job may be kept that ran for no time; it belongs with the shortest. */
const SHORTEST_S = 1e-3;
const logOf = (durationS: number) => Math.log(Math.max(SHORTEST_S, durationS));

/** Longest run time, as a logarithm, of each cluster but the last, ascending. */
function clusterLimits(jobs: readonly TraceJob[]): readonly number[] {
  if (jobs.length === 0) return [];
  const logs = jobs.map(({ durationS }) => logOf(durationS));
  const clusters = ckmeans(logs, Math.min(ZEUS_WORKLOADS.length, jobs.length));
  return clusters.slice(0, -1).map((cluster) => cluster.at(-1) ?? Number.NEGATIVE_INFINITY);
}

/**
 * Run times in six clusters, matched in order with the six jobs of Zeus (NSDI 2023: k-means of
 * the mean run times of recurring groups). Here each job stands for itself, and the clusters are the
 * optimal ones of its log run time (ckmeans), so nothing is random. With fewer than six distinct run times
 * the shortest jobs of Zeus are used.
 */
export const zeusRuntime: AssignmentRule = {
  name: 'zeus-runtime',
  title: 'six clusters of run time, as Zeus',
  prepare(options, jobs) {
    ruleOptions('zeus-runtime', schema, options);
    const limits = clusterLimits(jobs);
    return {
      pick({ durationS }) {
        const log = logOf(durationS);
        const cluster = limits.filter((limit) => log > limit).length;
        return pickUniform('zeus-runtime', ZEUS_WORKLOADS.slice(cluster, cluster + 1), 0);
      },
      options: { limitsS: limits.map(Math.exp) },
      assumed: ['models follow clusters of the log run time of single jobs, in the order of Zeus'],
    };
  },
};
