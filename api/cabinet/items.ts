/** Items of a project: GET /projects/{id}/items, POST /projects/{id}/items/{item}/reprocess. */
import Type from 'typebox';
import { searchItems, type FoundItem } from '../../db/items/search.ts';
import { reprocessItem } from '../../db/items/write.ts';
import { findProject } from '../../db/projects.ts';
import { ITEM_STATUSES, ITEM_TYPES, STEPS } from '../../domain/steps.ts';
import { readPosition, writePosition } from '../content/itemList.ts';
import { Processing, ProcessingErrors, ReprocessRequest } from '../content/itemParts.ts';
import { ItemWriteResponse, writeExample, writeResponse } from '../content/itemWrite.ts';
import { notFound } from '../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, writeCursor } from '../http/paging.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../schemas/schema.ts';
import { define, pageOf, PROJECT_ID, ProjectPath } from './define.ts';

const CabinetItem = Type.Object(
  {
    id: Type.String(),
    type: oneOf(ITEM_TYPES),
    title: nullable(Type.String()),
    origin: oneOf(['api', 'import', 'order']),
    available: Type.Boolean(),
    deleted: Type.Boolean(),
    status: oneOf(ITEM_STATUSES),
    processing: Processing,
    processing_errors: Type.Optional(ProcessingErrors),
    updated_at: dateTime(),
  },
  { title: 'CabinetItem' },
);

const example = {
  id: 'lesson-42',
  type: 'video',
  title: 'Урок 42',
  origin: 'api',
  available: true,
  deleted: false,
  status: 'partial',
  processing: { prepare: 'done', speech: 'failed', vision: 'done', summary: 'done', embedding: 'done' },
  processing_errors: { speech: { code: 'no_speech_provider', message: 'Распознавание речи не подключено.' } },
  updated_at: '2026-11-20T09:04:11.275Z',
};

export const listProjectItems = define({
  method: 'get',
  path: '/projects/{id}/items',
  operationId: 'listProjectItems',
  tag: 'items',
  summary: 'Объекты проекта, изменённые последними — первыми',
  description:
    'С отбором одна страница просматривает не больше 20 000 объектов: items может быть неполным и даже пустым, а next_cursor — не null. ' +
    'Тогда поиск продолжает следующая страница; он закончен, когда next_cursor — null.',
  params: ProjectPath,
  query: strictObject({
    status: Type.Optional(oneOf(ITEM_STATUSES)),
    step: Type.Optional(
      oneOf(STEPS, { description: 'Объекты, чей анализ остановился на этом шаге: failed, deferred или waiting' }),
    ),
    q: Type.Optional(text(200, { minLength: 1, description: 'Начало идентификатора либо слова названия' })),
    ...pageQuery,
  }),
  replies: {
    200: {
      description: 'Страница объектов',
      schema: pageOf(CabinetItem, 'CabinetItemPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const before = readPosition(query.cursor);
    if (!(await findProject(pool, params.id))) throw notFound();
    const { items, next } = await searchItems(pool, params.id, {
      status: query.status ?? null,
      step: query.step ?? null,
      text: query.q ?? null,
      before,
      limit,
    });
    return { status: 200, body: { items: items.map(toOutput), next_cursor: next && writeCursor(writePosition(next)) } };
  },
});

export const reprocessProjectItem = define({
  method: 'post',
  path: '/projects/{id}/items/{item}/reprocess',
  operationId: 'reprocessProjectItem',
  tag: 'items',
  summary: 'Повторить анализ объекта',
  description:
    'Пересчитываются названные шаги и всё, что от них зависит; без steps — всё, включая подготовку медиа. Идентификатор — любой, в кодировке URL.',
  params: strictObject({ id: PROJECT_ID, item: text(191, { minLength: 1, examples: ['lesson-42'] }) }),
  body: { schema: ReprocessRequest, isOptional: true, example: { steps: ['summary'] } },
  replies: { 202: { description: 'Анализ поставлен в очередь', schema: ItemWriteResponse, example: writeExample } },
  errors: [404, 413, 422],
  async handle({ params, body, requestId }, { pool }) {
    const item = await reprocessItem(pool, {
      projectId: params.id,
      itemId: params.item,
      steps: body.steps ?? null,
      requestId,
    });
    if (!item) throw notFound();
    return { status: 202, body: writeResponse(item) };
  },
});

function toOutput({ errors, updatedAt, position: _position, ...item }: FoundItem): Static<typeof CabinetItem> {
  return {
    ...item,
    ...(Object.keys(errors).length > 0 && { processing_errors: errors }),
    updated_at: updatedAt.toISOString(),
  };
}
