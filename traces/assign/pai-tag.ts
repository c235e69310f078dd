import { z } from 'zod';
import { nearest } from '../../sim/errors.ts';
import { quoted } from '../csv/row.ts';
import type { TraceJob } from '../workload.ts';
import { gavelMix } from './gavel-mix.ts';
import { polluxGpuHours } from './pollux-gpu-hours.ts';
import { type AssignmentRule, ruleError, ruleOptions, workloadName } from './rule.ts';
import { zeusRuntime } from './zeus-runtime.ts';

/** Tags that the report names. */
const NAMED = 8;

/**
 * Workloads by the tag that PAI gives some of its jobs (column `workload` of `pai_group_tag_table`). The
 * tags name kinds of models; each takes the nearest workload with a profile: `bert` and `xlnet` BERT on
 * SQuAD and on Sentiment140, `nmt` a translating Transformer, `resnet` and `inception` ResNet-50 on
 * ImageNet, `vgg` VGG-19, `ctr` neural collaborative filtering, `graphlearn` (recommendation by graphs) an
 * autoencoder recommender, `rl` A3C.
 */
export const PAI_TAGS: Readonly<Record<string, string>> = {
  bert: 'bert-squad-b16',
  ctr: 'ncf-movielens-b512',
  graphlearn: 'recommendation-gavel-b2048',
  inception: 'resnet50-imagenet-b32',
  nmt: 'transformer-gavel-b64',
  resnet: 'resnet50-imagenet-b32',
  rl: 'a3c-gavel',
  vgg: 'vgg19-v100clocks',
  xlnet: 'bert-sentiment140-b32',
};

/** Rules that need no options, for jobs whose tag leads nowhere. */
const FALLBACKS: readonly AssignmentRule[] = [polluxGpuHours, gavelMix, zeusRuntime];

const schema = z.strictObject({
  map: z.record(z.string(), workloadName).optional(),
  fallback: z.string().min(1).optional(),
});

function fallbackNamed(name: string): AssignmentRule {
  const names = FALLBACKS.map((rule) => rule.name);
  const rule = FALLBACKS.find((each) => each.name === name);
  if (rule !== undefined) return rule;
  const near = nearest(name, names);
  const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
  const expected = `expected one of ${names.map(quoted).join(', ')}`;
  throw ruleError('pai-tag', `fallback: ${expected}, found ${quoted(name)}${hint}`);
}

function fallbackLine(
  jobs: readonly TraceJob[],
  map: ReadonlyMap<string, string>,
  rule: string,
): string[] {
  let untagged = 0;
  const unknown = new Map<string, number>();
  for (const { model } of jobs) {
    if (model === null) untagged += 1;
    else if (!map.has(model.toLowerCase())) unknown.set(model, (unknown.get(model) ?? 0) + 1);
  }
  const others = [...unknown.values()].reduce((sum, count) => sum + count, 0);
  if (untagged + others === 0) return [];
  const order = [...unknown].sort(([, a], [, b]) => b - a);
  const named = order.slice(0, NAMED).map(([tag, count]) => `${quoted(tag)} ${count}`);
  const more = order.length > NAMED ? ', ...' : '';
  const tags = others === 0 ? '' : ` (${named.join(', ')}${more})`;
  return [
    `of ${jobs.length} jobs ${untagged} have no tag and ${others} another one${tags}: their models ` +
      `follow ${rule}`,
  ];
}

/**
 * Workloads by the tag of the job; `{ map }` adds tags or replaces the workload of one. Jobs without a tag,
 * or with another one, follow the rule `{ fallback }` (default `pollux-gpu-hours`), and are counted.
 */
export const paiTag: AssignmentRule = {
  name: 'pai-tag',
  title: 'by the tag that PAI gives some jobs',
  prepare(options, jobs) {
    const { map = {}, fallback = polluxGpuHours.name } = ruleOptions('pai-tag', schema, options);
    const own = Object.entries(map).map(
      ([tag, workload]) => [tag.toLowerCase(), workload] as const,
    );
    const workloads = new Map([...Object.entries(PAI_TAGS), ...own]);
    const rest = fallbackNamed(fallback).prepare({}, jobs);
    const fallbackLines = fallbackLine(jobs, workloads, fallback);
    return {
      pick(job, draw) {
        const known = job.model === null ? undefined : workloads.get(job.model.toLowerCase());
        return known ?? rest.pick(job, draw);
      },
      options: { map: Object.fromEntries(workloads), fallback },
      assumed: [
        'models follow the tags of PAI, each with the nearest workload that has a profile',
        ...fallbackLines,
        ...(fallbackLines.length === 0 ? [] : rest.assumed),
      ],
    };
  },
};
