export { gsliceDefinition } from './definition.ts';
