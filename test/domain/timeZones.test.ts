import { describe, expect, it } from '@jest/globals';
import { isTimeZone } from '../../domain/timeZones.ts';

describe('a time zone', () => {
  it.each([
    'Europe/Moscow',
    'UTC',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+3',
    'America/Port-au-Prince',
  ])('can be %s', (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each([
    '',
    'Moscow',
    '+03:00',
    '-0300',
    'europe/moscow',
    'Europe/MOSCOW',
    'Europe/Moscow ',
    'Europe/Nowhere',
    'Europe/Moscow\n',
    '../etc/passwd',
  ])('cannot be %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  it('can be any that Intl lists', () => {
    expect(Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name))).toEqual([]);
  });
});
