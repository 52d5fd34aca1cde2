/** GET /items. */
import Type from 'typebox';
import { listItems, type ItemListEntry as StoredEntry, type ItemPosition } from '../../db/items/list.ts';
import { ITEM_STATUSES } from '../../domain/steps.ts';
import { parseDateTime } from '../../domain/dateTime.ts';
import { invalidRequest } from '../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, readCursor, toPage } from '../http/paging.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../schemas/schema.ts';
import { define } from './define.ts';

export const ItemListEntry = Type.Object(
  {
    id: Type.String(),
    status: oneOf(ITEM_STATUSES),
    available: Type.Boolean(),
    deleted: Type.Boolean(),
    updated_at: dateTime(),
  },
  { title: 'ItemListEntry' },
);

const ItemListResponse = Type.Object(
  {
    items: Type.Array(ItemListEntry),
    next_cursor: nullable(Type.String({ description: 'null — дальше страниц нет' })),
  },
  { title: 'ItemListResponse' },
);

export const listItemsOperation = define({
  method: 'get',
  path: '/items',
  operationId: 'listItems',
  tag: 'items',
  summary: 'Объекты в порядке изменения',
  description:
    'По возрастанию updated_at, удалённые тоже. Объект, изменённый во время обхода, встретится ещё раз на следующих страницах. ' +
    'Чтобы следить за изменениями, продолжайте с updated_since, равным последнему увиденному updated_at: так не пропадёт ни одно.',
  query: strictObject({
    status: Type.Optional(oneOf(ITEM_STATUSES)),
    available: Type.Optional(Type.Boolean()),
    updated_since: Type.Optional(dateTime({ description: 'Изменённые в этот момент или позже' })),
    ...pageQuery,
  }),
  replies: {
    200: {
      description: 'Страница объектов',
      schema: ItemListResponse,
      example: {
        items: [
          { id: 'lesson-42', status: 'ready', available: true, deleted: false, updated_at: '2026-11-20T09:04:11.275Z' },
        ],
        next_cursor: null,
      },
    },
  },
  errors: [],
  async handle({ caller, query }, { pool }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const rows = await listItems(pool, caller.projectId, {
      status: query.status ?? null,
      available: query.available ?? null,
      since: query.updated_since === undefined ? null : parseDateTime(query.updated_since),
      after: readPosition(query.cursor),
      limit: limit + 1,
    });
    return { status: 200, body: toPage(rows, limit, ({ position }) => writePosition(position), toOutput) };
  },
});

const POSITION = /^(\d{1,16})\.(-?\d{1,19})$/;

/** @throws {HttpError} 400 when the cursor is not one of ours */
export function readPosition(cursor: string | undefined): ItemPosition | null {
  const [, micros, hash] = POSITION.exec(readCursor(cursor, POSITION) ?? '') ?? [];
  if (micros === undefined || hash === undefined) return null;
  const position = { micros: BigInt(micros), hash: BigInt(hash) };
  if (BigInt.asIntN(64, position.hash) !== position.hash)
    throw invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
  return position;
}

export function writePosition({ micros, hash }: ItemPosition): string {
  return `${micros}.${hash}`;
}

function toOutput({ id, status, available, deleted, updatedAt }: StoredEntry): Static<typeof ItemListEntry> {
  return { id, status, available, deleted, updated_at: updatedAt.toISOString() };
}
