export {
  ASSIGNMENT_RULES,
  type Assignment,
  type AssignmentSettings,
  assignWorkloads,
  DEFAULT_REFERENCE_GPU,
  toWorkload,
} from './assign.ts';
export { GAVEL_TYPES } from './gavel-mix.ts';
export { PAI_TAGS } from './pai-tag.ts';
export { POLLUX_CLASSES } from './pollux-gpu-hours.ts';
export type { AssignmentRule, Picker } from './rule.ts';
export { ZEUS_WORKLOADS } from './zeus-runtime.ts';
