/** Items of a project: GET /projects/{id}/items, POST /projects/{id}/items/{item}/reprocess. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { findItems, searchItems, type FoundItem, type ItemSearch } from '../../../db/items/cabinetList.ts';
import { reprocessItem } from '../../../db/items/writeItems.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { MODERATION_LEVELS } from '../../../domain/analysis/results.ts';
import { AGE_RATINGS } from '../../../domain/output/mayShow.ts';
import { ITEM_ORIGINS } from '../../../domain/items/item.ts';
import { ITEM_STATUSES, ITEM_TYPES, mapSteps, STEPS } from '../../../domain/analysis/steps.ts';
import { readPosition, writePosition } from '../../content/items/itemList.ts';
import { Processing, ProcessingErrors, ReprocessRequest } from '../../content/items/stepSchemas.ts';
import { ItemWriteResponse, writeExample, writeResponse } from '../../content/items/itemWrite.ts';
import { invalidRequest, notFound } from '../../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, writeCursor } from '../../http/paging.ts';
import {
  dateTime,
  ENCODED_ELEMENTS,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { requireActiveProject } from '../projects/activeProject.ts';
import { define, pageOf, ProjectItemPath, ProjectPath, type CabinetDeps } from '../cabinetOperation.ts';

const IDS_MAX = 100;

const CabinetItem = Type.Object(
  {
    id: Type.String(),
    type: oneOf(ITEM_TYPES),
    title: nullable(Type.String()),
    origin: oneOf(ITEM_ORIGINS),
    available: Type.Boolean(),
    deleted: Type.Boolean(),
    status: oneOf(ITEM_STATUSES),
    processing: Processing,
    processing_errors: Type.Optional(ProcessingErrors),
    age_rating: nullable(oneOf(AGE_RATINGS)),
    moderation_level: nullable(oneOf(MODERATION_LEVELS, { description: 'null — не оценено' })),
    thumb_url: nullable(Type.String({ description: 'Картинка объекта: подписанная ссылка, действует час' })),
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
  processing: { ...mapSteps(() => 'done'), speech: 'failed' },
  processing_errors: { speech: { code: 'no_speech_provider', message: 'Распознавание речи не подключено.' } },
  age_rating: '0+',
  moderation_level: 'none',
  thumb_url: 'https://attune.example.com/media/abc.def',
  updated_at: '2026-11-20T09:04:11.275Z',
};

const ListQuery = strictObject({
  ids: Type.Optional(
    Type.Array(text(ID_MAX_LENGTH, { minLength: 1 }), {
      minItems: 1,
      maxItems: IDS_MAX,
      [ENCODED_ELEMENTS]: true,
      description: `До ${IDS_MAX} идентификаторов через запятую, каждый — с процентным кодированием (запятая внутри — %2C)`,
    }),
  ),
  status: Type.Optional(oneOf(ITEM_STATUSES)),
  type: Type.Optional(oneOf(ITEM_TYPES)),
  origin: Type.Optional(oneOf(ITEM_ORIGINS)),
  available: Type.Optional(
    Type.Boolean({ description: 'Можно ли показывать в выдаче; удалённые не подходят ни к true, ни к false' }),
  ),
  deleted: Type.Optional(Type.Boolean()),
  moderation: Type.Optional(oneOf([...MODERATION_LEVELS, 'unknown'], { description: 'unknown — не оценено' })),
  step: Type.Optional(
    oneOf(STEPS, { description: 'Объекты, чей анализ остановился на этом шаге: failed, deferred или waiting' }),
  ),
  error_code: Type.Optional(
    text(100, {
      minLength: 1,
      description: 'Вместе со step: код, с которым этот шаг остановился',
      examples: ['no_content'],
    }),
  ),
  q: Type.Optional(text(200, { minLength: 1, description: 'Начало идентификатора либо слова названия' })),
  ...pageQuery,
});

export const listProjectItems = define({
  method: 'get',
  path: '/projects/{id}/items',
  operationId: 'listProjectItems',
  tag: 'items',
  summary: 'Объекты проекта, изменённые последними — первыми',
  description:
    'С отбором одна страница просматривает не больше 20 000 объектов: items может быть неполным и даже пустым, а next_cursor — не null. ' +
    'Тогда поиск продолжает следующая страница; он закончен, когда next_cursor — null. ' +
    'С ids — названные объекты одной страницей, неизвестных в ответе нет; вместе с отбором и cursor ids не принимается.',
  params: ProjectPath,
  query: ListQuery,
  replies: {
    200: {
      description: 'Страница объектов',
      schema: pageOf(CabinetItem, 'CabinetItemPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool, frameUrl }) {
    const before = readPosition(query.cursor);
    if (query.ids !== undefined && Object.keys(query).length > 1)
      throw invalidRequest([{ field: 'ids', code: 'invalid_value' }]);
    if (!(await findProject(pool, params.id))) throw notFound();
    const { items, next } =
      query.ids === undefined
        ? await searchItems(pool, params.id, { ...searchOf(query), before })
        : { items: await findItems(pool, params.id, query.ids), next: null };
    const body = {
      items: items.map((item) => toOutput(item, frameUrl)),
      next_cursor: next && writeCursor(writePosition(next)),
    };
    return { status: 200, body };
  },
});

function searchOf(query: Static<typeof ListQuery>): Omit<ItemSearch, 'before'> {
  return {
    status: query.status ?? null,
    type: query.type ?? null,
    origin: query.origin ?? null,
    available: query.available ?? null,
    deleted: query.deleted ?? null,
    moderation: query.moderation ?? null,
    step: query.step ?? null,
    code: query.error_code ?? null,
    text: query.q ?? null,
    limit: query.limit ?? DEFAULT_LIMIT,
  };
}

export const reprocessProjectItem = define({
  method: 'post',
  path: '/projects/{id}/items/{item}/reprocess',
  operationId: 'reprocessProjectItem',
  tag: 'items',
  summary: 'Повторить анализ объекта',
  description:
    'Пересчитываются названные шаги и всё, что от них зависит; без steps — всё, включая подготовку медиа. Идентификатор — любой, в кодировке URL. Проекту, который приостановлен или в архиве, — 403.',
  params: ProjectItemPath,
  body: { schema: ReprocessRequest, isOptional: true, example: { steps: ['summary'] } },
  replies: { 202: { description: 'Анализ поставлен в очередь', schema: ItemWriteResponse, example: writeExample } },
  errors: [404, 413, 422],
  async handle({ params, body, requestId }, { pool }) {
    await requireActiveProject(pool, params.id);
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

function toOutput(found: FoundItem, frameUrl: CabinetDeps['frameUrl']): Static<typeof CabinetItem> {
  const { errors, updatedAt, thumbKey, ageRating, moderationLevel, position: _position, ...item } = found;
  return {
    ...item,
    ...(Object.keys(errors).length > 0 && { processing_errors: errors }),
    age_rating: ageRating,
    moderation_level: moderationLevel,
    thumb_url: thumbKey === null ? null : frameUrl(thumbKey),
    updated_at: updatedAt.toISOString(),
  };
}
