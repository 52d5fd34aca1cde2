/** Pages of lists: an opaque cursor names the last element of the previous page. */
import Type from 'typebox';
import { isDateTime } from '../../domain/dateTime.ts';
import { invalidRequest } from './errors.ts';
import { UUID } from '../../domain/uuid.ts';

export const DEFAULT_LIMIT = 100;

export const pageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 512, description: 'next_cursor предыдущей страницы' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: DEFAULT_LIMIT })),
};

/**
 * Returns the position in a cursor, or null without one.
 * @param form form of the position
 * @throws {HttpError} 400 for an invalid cursor
 */
export function readCursor(cursor: string | undefined, form: RegExp): string | null {
  if (cursor === undefined) return null;
  const position = Buffer.from(cursor, 'base64url').toString();
  if (!form.test(position)) throw invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
  return position;
}

/**
 * Returns a page from rows that were read with a limit of one more than the page holds.
 * @param positionOf returns the position of an element in the form that the next request's query needs
 */
export function toPage<T, O>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => string,
  toOutput: (row: T) => O,
): { items: O[]; next_cursor: string | null } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const isLastPage = rows.length <= limit || last === undefined;
  return { items: kept.map(toOutput), next_cursor: isLastPage ? null : writeCursor(positionOf(last)) };
}

/** A time to the microsecond, in UTC, as in cursors. */
const MOMENT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z';
const MOMENT_AND_UUID = new RegExp(`^(${MOMENT})/(${UUID})$`);

/**
 * Returns a position by time, and by id among elements of the same time; null without a cursor.
 * @throws {HttpError} 400 for an invalid cursor, including a well-formed one that is not a valid time (month 13)
 */
export function readMomentCursor(cursor: string | undefined): { moment: string; id: string } | null {
  const [, moment, id] = MOMENT_AND_UUID.exec(readCursor(cursor, MOMENT_AND_UUID) ?? '') ?? [];
  if (moment === undefined || id === undefined) return null;
  if (!isDateTime(moment)) throw invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
  return { moment, id };
}

/** Returns the position that {@link readMomentCursor} reads. */
export function writeMomentPosition(moment: string, id: string): string {
  return `${moment}/${id}`;
}

/** The forms of ids in cursors. */
export const ID_FORMS = { tenant: /^[a-z0-9]{12}$/, uuid: new RegExp(`^${UUID}$`) } as const;

/** The query for a page of a list ordered by id; `limit` is one more than the page holds, to see if more follow. */
export interface PageById {
  after: string | null;
  limit: number;
}

/**
 * Returns a page of a list ordered by its elements' ids.
 * @param list reads at most `limit` elements after the one with the id `after`; it throws when the list does not exist
 * @throws {HttpError} 400 for an invalid cursor
 */
export async function pageById<T extends { id: string }, O>(
  { cursor, limit = DEFAULT_LIMIT }: { cursor?: string; limit?: number },
  form: RegExp,
  list: (page: PageById) => Promise<readonly T[]>,
  toOutput: (row: T) => O,
): Promise<{ items: O[]; next_cursor: string | null }> {
  const rows = await list({ after: readCursor(cursor, form), limit: limit + 1 });
  return toPage(rows, limit, (row) => row.id, toOutput);
}

/** Returns the cursor of a position. */
export function writeCursor(position: string): string {
  return Buffer.from(position).toString('base64url');
}
