export {
  isExtrapolated,
  loadShippedProfiles,
  mergeProfiles,
  readProfilesFile,
  type ShippedOptions,
  type UserProfiles,
} from './profiles.ts';
