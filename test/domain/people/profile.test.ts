import { describe, expect, it } from '@jest/globals';
import { birthYearOf, cityOf } from '../../../domain/people/profile.ts';

const AT = new Date('2026-11-20T09:00:00.000Z');

describe('cityOf and birthYearOf', () => {
  it('normalise their input', () => {
    expect([' Нижний\n\t Новгород ', 'İzmir', ' ', ''].map(cityOf)).toEqual([
      'нижний новгород',
      'i\u0307zmir',
      null,
      null,
    ]);
    expect(birthYearOf({ age: 30 }, new Date('2026-12-31T23:59:59.999Z'))).toBe(1996);
    expect(birthYearOf({ age: 30 }, new Date('2027-01-01T00:00:00.000+14:00'))).toBe(1996);
  });

  it.each([
    [{ age: 30, birthYear: 1990 }, 1996],
    [{ age: null, birthYear: 1990 }, 1990],
    [{ age: 30, birthYear: null }, 1996],
    [{ birthYear: 1990 }, 1990],
    [{ age: null }, null],
    [{ birthYear: null }, null],
    [{}, undefined],
  ])('use the age instead of the birth year: %j is %p', (sent, year) => {
    expect(birthYearOf(sent, AT)).toBe(year);
  });
});
