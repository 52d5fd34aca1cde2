/** Periods of whole UTC days, given in queries by their first and last day. */
import Type from 'typebox';
import { invalidRequest, type FieldFault } from '../http/errors.ts';
import { DAY_MS } from '../../domain/timeUnits.ts';

/** Returns the schema of a query field with a day: YYYY-MM-DD. */
export const dayField = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description, examples: ['2026-11-20'] }));

export interface UtcDays {
  from: Date;
  /** Exclusive. */
  until: Date;
}

interface Bounds {
  /** Default number of days, for a query without a first day. */
  defaultDays: number;
  maxDays: number;
  /** Name of the field with the last day. */
  lastField: string;
}

/** @throws {HttpError} 400 for days that do not exist, are in the wrong order, or are too many */
export function utcDaysOf(
  [from, last]: readonly [from: string | undefined, last: string | undefined],
  { defaultDays, maxDays, lastField }: Bounds,
  now: Date,
): UtcDays {
  const end = last === undefined ? startOfDay(now) : dayOf(last);
  const first = from === undefined ? end && new Date(end.getTime() - (defaultDays - 1) * DAY_MS) : dayOf(from);
  const faults: FieldFault[] = [
    ...(first ? [] : [{ field: 'from', code: 'invalid_value' as const }]),
    ...(end ? [] : [{ field: lastField, code: 'invalid_value' as const }]),
  ];
  if (!first || !end) throw invalidRequest(faults);
  const days = (end.getTime() - first.getTime()) / DAY_MS + 1;
  if (days < 1 || days > maxDays) throw invalidRequest([{ field: 'from', code: 'invalid_value' }]);
  return { from: first, until: new Date(end.getTime() + DAY_MS) };
}

function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** Returns null for a day that does not exist. */
function dayOf(written: string): Date | null {
  const at = new Date(`${written}T00:00:00Z`);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== written ? null : at;
}
