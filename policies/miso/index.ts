export { misoDefinition } from './definition.ts';
