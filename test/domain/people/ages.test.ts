import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ageOn, latestBirth } from '../../../domain/people/ages.ts';

const day = (text: string): Date => new Date(`${text}T12:00:00Z`);

describe('ages', () => {
  it('increase a year after they were stated, not sooner', () => {
    const born = latestBirth(34, day('2026-11-21'));
    expect(born).toBe('1992-11-21');
    expect(['2026-11-21', '2027-11-20', '2027-11-21', '2036-11-21'].map((text) => ageOn(born, day(text)))).toEqual([
      34, 34, 35, 44,
    ]);
  });

  it('stated on 29 February use an existing day in other years', () => {
    expect(latestBirth(1, day('2028-02-29'))).toBe('2027-02-28');
    expect(latestBirth(4, day('2028-02-29'))).toBe('2024-02-29');
  });

  it('equal the stated ages on the same day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 120 }),
        fc.date({ min: day('2000-01-01'), max: day('2100-01-01'), noInvalidDate: true }),
        (years, at) => {
          expect(ageOn(latestBirth(years, at), at)).toBe(years);
        },
      ),
    );
  });
});
