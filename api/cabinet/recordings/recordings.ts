/** Session recordings: GET /sites/{id}/recordings, GET/PATCH/DELETE /sites/{id}/recordings/{recording}. */
import Type from 'typebox';
import { countFavourites, markRecording } from '../../../db/recordings/favourites.ts';
import {
  findRecording,
  listChunks,
  listRecordings,
  type RecordingFilter,
  type RecordingPosition,
  type StoredChunk,
} from '../../../db/recordings/readRecordings.ts';
import { deleteRecording } from '../../../db/recordings/deleteRecordings.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { parseOptionalDateTime } from '../../../domain/dateTime.ts';
import { FAVOURITE_DAYS } from '../../../db/recordings/lifetime.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import { SOURCE_TYPES } from '../../../domain/sites/trafficSource.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, readMomentCursor, toPage, writeMomentPosition } from '../../http/paging.ts';
import { define, UUID, VISITOR_ID, SitePath } from '../cabinetOperation.ts';
import { Recording, recordingExample, recordingFields, RecordingPath, toRecording } from './recordingFields.ts';
import { RECORDING_LIFE_DAYS, visitsOfSegment } from './recordingSegment.ts';
import { reportSlotOf } from '../reports/simultaneousReports.ts';

const Chunk = Type.Object({
  seq: Type.Integer(),
  started_at: dateTime(),
  ended_at: dateTime(),
  events: Type.Integer(),
  bytes: Type.Integer(),
});
const RecordingWithChunks = Type.Object(
  {
    ...recordingFields,
    parts: Type.Array(Chunk, { description: 'Пришедшие части по порядку; пропуск в seq — не дошедшая' }),
  },
  { title: 'RecordingWithParts' },
);
const part = {
  seq: 0,
  started_at: '2026-11-20T10:15:29.000Z',
  ended_at: '2026-11-20T10:15:34.000Z',
  events: 61,
  bytes: 20_480,
};

const MAX_SECONDS = 86_400;
const seconds = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SECONDS, description }));

const listQuery = strictObject({
  ...pageQuery,
  visitor: Type.Optional(VISITOR_ID),
  since: Type.Optional(dateTime({ description: 'Не раньше; по received_at' })),
  until: Type.Optional(dateTime({ description: 'Раньше; по received_at' })),
  favourite: Type.Optional(Type.Boolean()),
  visit: Type.Optional(VISITOR_ID),
  page: Type.Optional(
    text(2048, {
      minLength: 1,
      description: 'Часть адреса страницы из записи, а также первой или последней страницы визита; без учёта регистра',
    }),
  ),
  source_type: Type.Optional(oneOf(SOURCE_TYPES)),
  source: Type.Optional(text(500, { minLength: 1, description: 'Название источника, как в source_name отчётов' })),
  min_duration: seconds('Не короче, в секундах'),
  max_duration: seconds('Не длиннее, в секундах'),
  goal: Type.Optional(text(64, { minLength: 1, description: 'Код цели, достигнутой за визит' })),
  errors: Type.Optional(Type.Boolean({ description: 'true — с ошибками скриптов, false — без них' })),
  segment: Type.Optional(UUID),
});

const RecordingPage = Type.Object(
  {
    items: Type.Array(Recording),
    next_cursor: nullable(Type.String()),
    favourites: Type.Object(
      { marked: Type.Integer(), quota: Type.Integer() },
      { description: 'Сколько у сайта избранных записей и сколько может быть' },
    ),
  },
  { title: 'RecordingPage' },
);

export const listRecordingsOperation = define({
  method: 'get',
  path: '/sites/{id}/recordings',
  operationId: 'listRecordings',
  tag: 'recordings',
  summary: 'Записи сессий, последние первыми',
  description: `С segment — те, чей визит входит в сохранённый сегмент сайта, за последние ${RECORDING_LIFE_DAYS} дней: дольше записи не хранятся. Каждая такая страница считается как отчёт: у одного пользователя одновременно два, третий — 429; не успевшая за 30 секунд — 503. Неизвестный сегмент — 400 с unknown_segment.`,
  params: SitePath,
  query: listQuery,
  replies: {
    200: {
      description: 'Страница записей',
      schema: RecordingPage,
      example: { items: [recordingExample], next_cursor: null, favourites: { marked: 12, quota: 100 } },
    },
  },
  errors: [404],
  async handle({ caller, params, query, disconnectSignal }, deps) {
    const { pool } = deps;
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = positionOf(query.cursor);
    const site = await findSite(pool, params.id);
    if (!site) throw notFound();
    const filter = filterOf(query);
    const visitIds =
      query.segment === undefined
        ? null
        : await visitsOfSegment(deps, params.id, query.segment, filter, {
            slot: reportSlotOf(caller),
            signal: disconnectSignal(),
          });
    const rows = await listRecordings(pool, params.id, { ...filter, visitIds }, { after, limit: limit + 1 });
    const page = toPage(rows, limit, (row) => writeMomentPosition(row.position, row.id), toRecording);
    const quota = site.quotas.favourites ?? DEFAULT_QUOTAS.favourites;
    return { status: 200, body: { ...page, favourites: { marked: await countFavourites(pool, params.id), quota } } };
  },
});

export const getRecording = define({
  method: 'get',
  path: '/sites/{id}/recordings/{recording}',
  operationId: 'getRecording',
  tag: 'recordings',
  summary: 'Запись сессии и её части',
  params: RecordingPath,
  replies: {
    200: { description: 'Запись', schema: RecordingWithChunks, example: { ...recordingExample, parts: [part] } },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    const recording = await findRecording(pool, params.id, params.recording);
    if (!recording) throw notFound();
    const parts = await listChunks(pool, params.id, params.recording);
    return { status: 200, body: { ...toRecording(recording), parts: parts.map(toChunk) } };
  },
});

export const patchRecording = define({
  method: 'patch',
  path: '/sites/{id}/recordings/{recording}',
  operationId: 'patchRecording',
  tag: 'recordings',
  summary: 'Сделать запись избранной или обычной',
  description: `Избранная хранится ${FAVOURITE_DAYS} дней с начала, обычная — по квоте recording_days: снятая с избранных после этого срока удаляется при ближайшей уборке. Избранных у сайта не больше квоты favourites (${DEFAULT_QUOTAS.favourites}): дальше 422 с invalid_value у favourite.`,
  params: RecordingPath,
  body: {
    schema: strictObject({ favourite: Type.Boolean() }, { title: 'RecordingPatch' }),
    example: { favourite: true },
  },
  replies: {
    200: {
      description: 'Запись',
      schema: Recording,
      example: { ...recordingExample, favourite: true, expires_at: '2027-02-18T10:15:35.000Z' },
    },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const outcome = await markRecording(pool, params.id, params.recording, body.favourite);
    if (outcome === 'too_many') throw validationFailed([{ field: 'favourite', code: 'invalid_value' }]);
    const recording = outcome === 'marked' ? await findRecording(pool, params.id, params.recording) : null;
    if (!recording) throw notFound();
    return { status: 200, body: toRecording(recording) };
  },
});

export const deleteRecordingOperation = define({
  method: 'delete',
  path: '/sites/{id}/recordings/{recording}',
  operationId: 'deleteRecording',
  tag: 'recordings',
  summary: 'Удалить запись',
  description: 'Сразу; её файлы — в течение часа. Если она ещё идёт, дальше не записывается.',
  params: RecordingPath,
  replies: {
    200: {
      description: 'Запись удалена',
      schema: Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'RecordingDeleted' }),
      example: { id: recordingExample.id, deleted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await deleteRecording(pool, params.id, params.recording))) throw notFound();
    return { status: 200, body: { id: params.recording, deleted: true } };
  },
});

function filterOf(query: Static<typeof listQuery>): Omit<RecordingFilter, 'visitIds'> {
  return {
    visitorId: query.visitor?.toLowerCase() ?? null,
    since: parseOptionalDateTime(query.since),
    until: parseOptionalDateTime(query.until),
    isFavourite: query.favourite ?? null,
    visitId: query.visit?.toLowerCase() ?? null,
    page: query.page ?? null,
    sourceType: query.source_type ?? null,
    sourceName: query.source ?? null,
    minSeconds: query.min_duration ?? null,
    maxSeconds: query.max_duration ?? null,
    goal: query.goal ?? null,
    hasErrors: query.errors ?? null,
  };
}

function positionOf(cursor: string | undefined): RecordingPosition | null {
  const position = readMomentCursor(cursor);
  return position && { createdAt: position.moment, id: position.id };
}

function toChunk({ seq, startedAt, endedAt, events, bytes }: StoredChunk): Static<typeof Chunk> {
  return { seq, started_at: startedAt.toISOString(), ended_at: endedAt.toISOString(), events, bytes };
}
