import { describe, expect, it } from '@jest/globals';
import { changeProfile, mergeProfiles } from '../../../domain/people/mergeProfiles.ts';
import { EMPTY_PROFILE, PROFILE_FIELDS, type Profile, type ProfileChange } from '../../../domain/people/profile.ts';

const AT = new Date('2026-11-20T09:00:00.000Z');
const LATER = new Date('2026-11-21T09:00:00.000Z');
const FULL: ProfileChange = {
  gender: 'male',
  birth_year: 1990,
  interests: ['a'],
  excluded_interests: [],
  followed_authors: ['b'],
  hidden_authors: ['c'],
  city: 'омск',
  country: 'RU',
  personalization: true,
  attributes: { a: [1, { b: null }] },
};
const after = (change: ProfileChange, profile: Profile = EMPTY_PROFILE, at = AT): Profile =>
  changeProfile(profile, change, at).profile;

describe('changeProfile', () => {
  it('names every field of a first write, and none when it is repeated', () => {
    const first = changeProfile(EMPTY_PROFILE, FULL, AT);
    expect(first.updatedFields).toEqual(PROFILE_FIELDS);
    expect(changeProfile(first.profile, FULL, LATER)).toEqual({ profile: first.profile, updatedFields: [] });
  });

  it.each(PROFILE_FIELDS)('clears %s alone', (field) => {
    const { profile, updatedFields } = changeProfile(after(FULL), { [field]: null }, LATER);
    expect(updatedFields).toEqual([field]);
    expect(profile.values).toEqual({ ...FULL, [field]: null });
    expect(profile.updatedAt).toEqual({ ...after(FULL).updatedAt, [field]: LATER.toISOString() });
  });

  it('treats the order of a list as part of its value, but not that of keys', () => {
    const profile = after({ interests: ['a', 'b'], attributes: { a: 1, b: -0 } });
    expect(changeProfile(profile, { interests: ['b', 'a'], attributes: { b: 0, a: 1 } }, LATER).updatedFields).toEqual([
      'interests',
    ]);
  });

  it('does not change its input', () => {
    changeProfile(EMPTY_PROFILE, FULL, AT);
    expect(Object.values(EMPTY_PROFILE.values).every((value) => value === null)).toBe(true);
    expect(EMPTY_PROFILE.updatedAt).toEqual({});
  });
});

describe('mergeProfiles', () => {
  it('takes over nothing where the user has set a value, including an empty list or true', () => {
    const user = after({ interests: [], personalization: true, gender: 'female' }, EMPTY_PROFILE, LATER);
    const merged = mergeProfiles(user, after({ ...FULL, personalization: false }));
    expect(merged.values).toEqual({ ...FULL, interests: [], personalization: true, gender: 'female' });
    expect(merged.updatedAt).toMatchObject({
      interests: LATER.toISOString(),
      gender: LATER.toISOString(),
      city: AT.toISOString(),
    });
  });

  it('with nothing changes nothing', () => {
    expect(mergeProfiles(after(FULL), EMPTY_PROFILE)).toEqual(after(FULL));
    expect(mergeProfiles(EMPTY_PROFILE, after(FULL))).toEqual(after(FULL));
  });

  it("takes over a field that the user has cleared, with the device's time", () => {
    const cleared = after({ city: null }, after({ city: 'томск' }), LATER);
    expect(mergeProfiles(cleared, after({ city: 'омск' }))).toMatchObject({
      values: { city: 'омск' },
      updatedAt: { city: AT.toISOString() },
    });
  });
});
