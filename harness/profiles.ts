import { loadShippedProfiles, mergeProfiles, readProfilesFile } from '../calibration/profiles.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import { contentId } from './canonical.ts';
import type { ResolvedExperiment } from './resolved.ts';

/** Which profiles an experiment runs on. */
export type ProfileChoice = Pick<ResolvedExperiment, 'profileFiles' | 'allowExtrapolated'>;

/** The shipped profiles, with those of the user's files on top, in order. @throws {InputError} */
export function loadProfiles({ profileFiles, allowExtrapolated }: ProfileChoice): ProfileSet {
  return profileFiles.reduce<ProfileSet>(
    (profiles, file) => mergeProfiles(profiles, readProfilesFile(file.path)),
    loadShippedProfiles({ allowExtrapolated }),
  );
}

/** Hash of the content of all profiles, wherever the user's files lie. */
export function profilesId({ profileFiles, allowExtrapolated }: ProfileChoice): string {
  const shipped = loadShippedProfiles({ allowExtrapolated });
  return contentId({ shipped, files: profileFiles.map((file) => file.sha256) });
}
