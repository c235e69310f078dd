export { muriLeastDefinition, muriShortDefinition } from './definition.ts';
