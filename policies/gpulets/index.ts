export { gpuletsDefinition } from './definition.ts';
