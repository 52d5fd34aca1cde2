/** Pages of lists: an opaque cursor names the last element of the page before. */
import Type from 'typebox';
import { isDateTime } from '../../domain/dateTime.ts';
import { invalidRequest } from './errors.ts';

export const DEFAULT_LIMIT = 100;

export const pageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 512, description: 'next_cursor предыдущей страницы' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: DEFAULT_LIMIT })),
};

/**
 * What a cursor names, or null without one.
 * @param form the form that the named position has
 * @throws {HttpError} 400 when it is not one of ours
 */
export function readCursor(cursor: string | undefined, form: RegExp): string | null {
  if (cursor === undefined) return null;
  const position = Buffer.from(cursor, 'base64url').toString();
  if (!form.test(position)) throw invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
  return position;
}

/**
 * The page of what was read with a limit of one more than the page holds.
 * @param positionOf the position of an element, as the next request's query wants it
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

/** A moment to the microsecond, in UTC, as cursors have it. */
const MOMENT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z';
const MOMENT_AND_UUID = new RegExp(`^(${MOMENT})/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);

/**
 * A position by time, and by id among those of one time.
 * @throws {HttpError} 400 when it is not one of ours, also when it has the form and is no moment (month 13)
 */
export function readMomentCursor(cursor: string | undefined): { moment: string; id: string } | null {
  const [, moment, id] = MOMENT_AND_UUID.exec(readCursor(cursor, MOMENT_AND_UUID) ?? '') ?? [];
  if (moment === undefined || id === undefined) return null;
  if (!isDateTime(moment)) throw invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
  return { moment, id };
}

/** The position that {@link readMomentCursor} reads. */
export function writeMomentPosition(moment: string, id: string): string {
  return `${moment}/${id}`;
}

/** The forms of ids as cursors have them. */
export const ID_FORMS = { tenant: /^[a-z0-9]{12}$/, uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ } as const;

/** What is read of such a list: an element more than the page holds tells whether there are more. */
export interface PageById {
  after: string | null;
  limit: number;
}

/**
 * The page of a list that goes by its elements' ids.
 * @param list reads at most `limit` elements after the one with the id `after`; it throws for a list that there is not
 * @throws {HttpError} 400 when the cursor is not one of ours
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

/** The cursor that names a position. */
export function writeCursor(position: string): string {
  return Buffer.from(position).toString('base64url');
}
