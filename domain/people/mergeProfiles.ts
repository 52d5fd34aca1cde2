/** Changes a profile, and merges the profile of a device into a user's. */
import { sameJson } from '../sameJson.ts';
import { PROFILE_FIELDS, type Profile, type ProfileChange, type ProfileField } from './profile.ts';

/**
 * Returns the profile after a change, and the fields whose value differs from the stored one.
 * @param at the time of the change, recorded for those fields only
 */
export function changeProfile(
  profile: Profile,
  change: ProfileChange,
  at: Date,
): { profile: Profile; updatedFields: ProfileField[] } {
  const updatedFields = PROFILE_FIELDS.filter(
    (field) => change[field] !== undefined && !sameJson(change[field], profile.values[field]),
  );
  return { profile: take(profile, change, updatedFields, () => at.toISOString()), updatedFields };
}

/**
 * Merges the profile of a device into a user's: what the user never said is taken over, with the time at which it was
 * said. An empty list counts as said.
 */
export function mergeProfiles(user: Profile, device: Profile): Profile {
  const taken = PROFILE_FIELDS.filter((field) => user.values[field] === null && device.values[field] !== null);
  return take(user, device.values, taken, (field) => device.updatedAt[field]);
}

function take(
  profile: Profile,
  values: ProfileChange,
  fields: readonly ProfileField[],
  timeOf: (field: ProfileField) => string | undefined,
): Profile {
  const pick = <V>(valueOf: (field: ProfileField) => V): Partial<Record<ProfileField, V>> =>
    Object.fromEntries(fields.map((field) => [field, valueOf(field)]));
  return {
    values: { ...profile.values, ...(pick((field) => values[field]) as ProfileChange) },
    updatedAt: { ...profile.updatedAt, ...definedOnly(pick(timeOf)) },
  };
}

function definedOnly(times: Partial<Record<ProfileField, string | undefined>>): Profile['updatedAt'] {
  return Object.fromEntries(Object.entries(times).filter(([, time]) => time !== undefined));
}
