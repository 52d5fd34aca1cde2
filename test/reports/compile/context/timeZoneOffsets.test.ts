import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { localTime, periodOf } from '../../../../reports/compile/context/period.ts';
import { DUCKDB } from '../../../../reports/sql/duckdb.ts';
import { raw, render } from '../../../../reports/sql/index.ts';
import { offsetAt, offsetsWithin, startOfDay } from '../../../../reports/compile/context/timeZoneOffsets.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/Moscow',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/St_Johns',
];
const zone = fc.constantFrom(...ZONES);
const moment = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2037, 11, 31) });

/** Computes the wall clock independently, with Intl. */
const wallClock = (at: number, timeZone: string): string => new Date(at).toLocaleString('sv-SE', { timeZone });

describe('offsets', () => {
  it('give the same wall clock as Intl', () => {
    fc.assert(
      fc.property(zone, moment, (name, at) => {
        expect(new Date(at + offsetAt(name, at)).toISOString().slice(0, 19).replace('T', ' ')).toBe(
          wallClock(at, name),
        );
      }),
    );
  });

  it('are right at every moment of a period', () => {
    fc.assert(
      fc.property(
        zone,
        moment,
        fc.integer({ min: 0, max: 800 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (name, from, days, place) => {
          const to = from + days * 86_400_000;
          const at = Math.floor(from + place * (to - from));
          const known = offsetsWithin(name, from, to).findLast((offset) => offset.from <= at);
          expect(known?.ms).toBe(offsetAt(name, at));
        },
      ),
    );
  });
});

describe('the start of a day', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ['Asia/Kolkata', '2026-05-01', '2026-04-30T18:30:00.000Z'],
    // Clocks jumped from 23:59:59 on the 3rd to 01:00 on the 4th.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
    // Clocks went back from 23:59:59 on the 17th to 23:00: its last hour occurred twice.
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00.000Z'],
    // The 30th was skipped.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ])('is right in %s on %s', (name, day, expected) => {
    expect(new Date(startOfDay(name, day)).toISOString()).toBe(expected);
  });

  it('is where the date begins', () => {
    fc.assert(
      fc.property(zone, moment, (name, at) => {
        const day = new Date(at).toISOString().slice(0, 10);
        const start = startOfDay(name, day);
        expect(wallClock(start, name).slice(0, 10) >= day).toBe(true);
        expect(wallClock(start - 1000, name).slice(0, 10) < day).toBe(true);
      }),
    );
  });
});

describe('a period', () => {
  it('is as long as its days, including changes of the clock', () => {
    const period = periodOf({ date_from: '2026-03-29', date_to: '2026-03-29' }, 'Europe/Berlin', 24);
    expect(period.to - period.from).toBe(23 * 3_600_000);
    expect(period.days).toBe(1);
    expect(periodOf({ date_from: '2026-01-01', date_to: '2026-12-31' }, 'Europe/Berlin', 24).days).toBe(365);
  });

  it('needs only one offset if the clock does not change within it', () => {
    const { from, to } = periodOf({ date_from: '2026-04-01', date_to: '2026-09-30' }, 'Europe/Berlin', 24);
    expect(render(localTime(raw('x'), 'Europe/Berlin', { from, to }), DUCKDB).text).toBe(
      '(x + INTERVAL (7200) SECOND)',
    );
  });
});
