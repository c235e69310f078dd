export { igniterDefinition } from './definition.ts';
