import type { Command } from 'commander';
import type { PolicyDefinition, PolicyOption } from '../policies/policy.ts';
import { POLICIES } from '../policies/registry.ts';
import { addListing, type CommonFlags, columns } from './common.ts';
import type { Io } from './io.ts';
import { named } from './unknown.ts';

function range({ choices, min, max }: PolicyOption): string {
  if (choices !== undefined) return choices.join(' | ');
  if (min === undefined && max === undefined) return '';
  return `${min ?? ''} .. ${max ?? ''}`;
}

function listText(): string {
  const rows = POLICIES.map(({ name, title, faithfulness, duration, profile }) => [
    name,
    faithfulness,
    duration,
    profile,
    title,
  ]);
  const head = ['policy', 'is', 'told durations', 'told profiles', 'rule'];
  const legend =
    'is: exact = same decisions as the original; port = its released rules; like = after its paper; own = ours\n';
  return `${columns([head, ...rows])}\n${legend}heshare policies show NAME shows the options of one\n`;
}

function oneText(policy: PolicyDefinition): string {
  const { name, title, source, faithfulness, checkedBy, duration, profile, options } = policy;
  const facts = columns([
    ['policy', name],
    ['rule', title],
    ['source', source],
    ['is', faithfulness],
    ['checked by', checkedBy],
    ['told', `durations: ${duration}; profiles: ${profile}`],
  ]);
  if (options.length === 0) return `${facts}\nno options\n`;
  const rows = options.map((option) => [
    option.name,
    String(option.default),
    range(option),
    option.source,
    option.description,
  ]);
  return `${facts}\n${columns([['option', 'default', 'range', 'source', 'meaning'], ...rows])}`;
}

/** `heshare policies [list | show NAME]`: what there is, or one with its options. */
export function addPolicies(parent: Command, io: Io): void {
  addListing<CommonFlags>(parent, io, {
    command: 'policies',
    one: 'policy',
    help: 'list the policies, or show one with its options',
    list: () => [POLICIES, listText],
    show: (name) => {
      const policy = named('policy', POLICIES, name);
      return [policy, () => oneText(policy)];
    },
  });
}
