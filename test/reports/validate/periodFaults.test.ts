import { describe, expect, it } from '@jest/globals';
import { todayIn } from '../../../reports/validate/index.ts';
import { faultsOf } from './support.ts';

const period = (date_from: string, date_to: string, options = {}) => faultsOf({ date_from, date_to }, options);

describe('a period', () => {
  it.each([
    ['2026-11-20', '2026-11-20'],
    ['2024-02-29', '2024-03-01'],
    ['2024-10-20', '2026-11-19'],
    ['2024-10-21', '2026-11-20'],
    ['1990-01-01', '1990-01-01'],
  ])('may be %s to %s', (from, to) => {
    expect(period(from, to)).toEqual([]);
  });

  it.each([
    ['2026-02-29', '2026-11-01'],
    ['2026-2-01', '2026-11-01'],
    ['2026-13-01', '2026-11-01'],
    ['2026-00-10', '2026-11-01'],
    ['2026-04-31', '2026-11-01'],
    ['2026-04-00', '2026-11-01'],
    ['', '2026-11-01'],
    ['yesterday', '2026-11-01'],
    ['2026-11-01T00:00:00Z', '2026-11-01'],
    [' 2026-11-01', '2026-11-01'],
    ['2026-11-01\n', '2026-11-01'],
    ['0000-01-01', '2026-11-01'],
    ['２０２６-11-01', '2026-11-01'],
    ['20260-11-01', '2026-11-01'],
    ['2100-02-29', '2026-11-01'],
  ])('is bad_date at date_from: %j to %j', (from, to) => {
    expect(period(from, to)).toEqual(['date_from bad_date']);
  });

  it('is bad_date at the wrong date, or at both', () => {
    expect(period('2026-11-01', '2026-11-31')).toEqual(['date_to bad_date']);
    expect(period('1989-12-31', '1990-01-01')).toEqual(['date_from bad_date']);
    expect(period('0050-01-01', '0050-01-01')).toEqual(['date_from bad_date', 'date_to bad_date']);
    expect(period('2026-11-32', '2026-11-31')).toEqual(['date_from bad_date', 'date_to bad_date']);
  });

  it('does not end before it begins', () => {
    expect(period('2026-11-02', '2026-11-01')).toEqual(['date_from bad_date']);
  });

  // proves: report/dates
  it('has at most 25 calendar months', () => {
    expect(period('2024-10-20', '2026-11-20')).toEqual(['date_from bad_date']);
    // A month after January ends on the last day of February.
    expect(period('2024-01-31', '2026-02-27')).toEqual([]);
    expect(period('2024-01-31', '2026-02-28')).toEqual(['date_from bad_date']);
    expect(period('2023-01-31', '2025-02-27')).toEqual([]);
    expect(period('1999-12-31', '2002-01-30')).toEqual([]);
    expect(period('1999-12-31', '2002-01-31')).toEqual(['date_from bad_date']);
  });

  // proves: analytics-errors/bad_date
  it('does not reach into the future, by the clock of the site', () => {
    expect(period('2026-11-20', '2026-11-21')).toEqual(['date_to bad_date']);
    expect(period('2026-11-21', '2026-11-22')).toEqual(['date_from bad_date', 'date_to bad_date']);
    const now = new Date('2026-11-20T11:00:00Z');
    expect(period('2026-11-21', '2026-11-21', { timezone: 'Pacific/Kiritimati', now })).toEqual([]);
    expect(period('2026-11-20', '2026-11-20', { timezone: 'Pacific/Pago_Pago', now })).toEqual([]);
    expect(
      period('2026-11-20', '2026-11-20', { timezone: 'Pacific/Pago_Pago', now: new Date('2026-11-20T10:59:59Z') }),
    ).toEqual(['date_from bad_date', 'date_to bad_date']);
  });
});

describe('today', () => {
  it('is a day of the Gregorian calendar in Latin digits, across changes of the clock', () => {
    expect(todayIn('Europe/Berlin', new Date('2026-10-24T21:59:59Z'))).toBe('2026-10-24');
    expect(todayIn('Europe/Berlin', new Date('2026-10-24T22:00:00Z'))).toBe('2026-10-25');
    expect(todayIn('Europe/Berlin', new Date('2026-10-25T22:59:59Z'))).toBe('2026-10-25');
    expect(todayIn('Europe/Berlin', new Date('2026-10-25T23:00:00Z'))).toBe('2026-10-26');
    expect(todayIn('Asia/Tehran', new Date('2026-03-21T00:00:00Z'))).toBe('2026-03-21');
  });
});
