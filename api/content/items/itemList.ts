/** GET /items. Its order, and which items it has: db/items/list.ts. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import {
  listItems,
  listItemsById,
  type ItemListEntry as StoredEntry,
  type ItemPosition,
} from '../../../db/items/list.ts';
import { ITEM_STATUSES, SHOWN_STEPS } from '../../../domain/analysis/steps.ts';
import { parseDateTime } from '../../../domain/dateTime.ts';
import { invalidRequest } from '../../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, readCursor, toPage } from '../../http/paging.ts';
import {
  dateTime,
  ENCODED_ELEMENTS,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';

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

const IDS_MAX = 100;

export const listItemsOperation = define({
  method: 'get',
  path: '/items',
  operationId: 'listItems',
  tag: 'items',
  summary: 'Объекты в порядке изменения',
  description:
    `По возрастанию updated_at, удалённые тоже. Он обновляется при изменении объекта, при смене статуса и по завершении шагов ${SHOWN_STEPS.join(', ')}. ` +
    'Объект, изменённый во время обхода, встретится ещё раз на следующих страницах. ' +
    'Чтобы следить за изменениями, продолжайте с updated_since, равным последнему увиденному updated_at: так не пропадёт ни одно. ' +
    'С ids — названные объекты, какими они стали к этому моменту, одной страницей; неизвестных в ответе нет.',
  query: strictObject({
    ids: Type.Optional(
      Type.Array(text(ID_MAX_LENGTH, { minLength: 1 }), {
        minItems: 1,
        maxItems: IDS_MAX,
        [ENCODED_ELEMENTS]: true,
        description:
          `До ${IDS_MAX} идентификаторов из любых символов через запятую, каждый — с процентным кодированием (запятая внутри — %2C); ` +
          'вместе с cursor не принимается, limit не действует. Адрес целиком — до 16 КБ',
      }),
    ),
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
    const filter = {
      status: query.status ?? null,
      available: query.available ?? null,
      since: query.updated_since === undefined ? null : parseDateTime(query.updated_since),
    };
    if (query.ids !== undefined) {
      if (query.cursor !== undefined) throw invalidRequest([{ field: 'cursor', code: 'invalid_value' }]);
      const named = await listItemsById(pool, caller.projectId, query.ids, filter);
      return { status: 200, body: { items: named.map(toOutput), next_cursor: null } };
    }
    const limit = query.limit ?? DEFAULT_LIMIT;
    const rows = await listItems(pool, caller.projectId, {
      ...filter,
      after: readPosition(query.cursor),
      limit: limit + 1,
    });
    return { status: 200, body: toPage(rows, limit, ({ position }) => writePosition(position), toOutput) };
  },
});

const POSITION = /^(\d{1,16})\.(-?\d{1,19})$/;

/** Returns the position in a cursor; null without one. @throws {HttpError} 400 for an invalid cursor */
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

function toOutput({
  id,
  status,
  available,
  deleted,
  updatedAt,
}: Omit<StoredEntry, 'position'>): Static<typeof ItemListEntry> {
  return { id, status, available, deleted, updated_at: updatedAt.toISOString() };
}
