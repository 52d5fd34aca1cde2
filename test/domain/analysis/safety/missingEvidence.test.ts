import { describe, expect, it } from '@jest/globals';
import {
  ageRatingOfParts,
  hasUnreadMedia,
  isMaterialIncomplete,
  type ExaminedMedium,
} from '../../../../domain/analysis/safety/missingEvidence.ts';

const SPOKEN: ExaminedMedium = { isPrepared: true, isTruncated: false, hasSound: true, isTranscribed: true };
const PICTURE: ExaminedMedium = { ...SPOKEN, hasSound: false, isTranscribed: false };

describe('missing evidence', () => {
  it.each<[string, ExaminedMedium[], boolean]>([
    ['no media', [], false],
    ['media that were read', [SPOKEN, PICTURE], false],
    ['a medium that could not be loaded', [SPOKEN, { ...PICTURE, isPrepared: false }], true],
    ['a medium of which only the beginning was read', [{ ...SPOKEN, isTruncated: true }], true],
    ['sound that nobody heard', [{ ...SPOKEN, isTranscribed: false }], true],
  ])('is sought in media: %s', (_, media, isMissing) => {
    expect(hasUnreadMedia(media)).toBe(isMissing);
  });

  it.each([
    ['described', [0, 4], [], false],
    ['described in part', [0], [], true],
    ['measured in part', [0], [4], true],
    ['measured', [], [0, 4], true],
  ] as const)('is sought in pictures: %s', (_, described, measured, isMissing) => {
    const at = (ts: number) => ({ mediumId: 'm', ts });
    const frames = [
      ...described.map((ts) => ({ ...at(ts), isMeasured: false })),
      ...measured.map((ts) => ({ ...at(ts), isMeasured: true })),
    ];
    expect(isMaterialIncomplete({ media: [PICTURE], pictures: [at(0), at(4)], frames })).toBe(isMissing);
  });

  it.each([
    [null, null],
    ['0+', null],
    ['6+', null],
    ['12+', '12+'],
    ['18+', '18+'],
  ] as const)('turns the age rating of the parts, %s, into %s', (rating, expected) => {
    expect(ageRatingOfParts(rating)).toBe(expected);
  });
});
