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
    ['does not exist without media', [], false],
    ['does not exist if all media were read', [SPOKEN, PICTURE], false],
    ['includes a medium that could not be loaded', [SPOKEN, { ...PICTURE, isPrepared: false }], true],
    ['includes the rest of a medium of which only the beginning was read', [{ ...SPOKEN, isTruncated: true }], true],
    ['includes sound that nobody heard', [{ ...SPOKEN, isTranscribed: false }], true],
  ])('%s', (_, media, isMissing) => {
    expect(hasUnreadMedia(media)).toBe(isMissing);
  });

  it.each([
    ['does not exist if all pictures were described', [0, 4], [], false],
    ['includes a picture that was not described', [0], [], true],
    ['includes a picture that was only measured', [0], [4], true],
    ['includes all pictures if they were only measured', [], [0, 4], true],
  ] as const)('%s', (_, described, measured, isMissing) => {
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
