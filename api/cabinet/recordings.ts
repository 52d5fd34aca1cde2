/** Session recordings: GET /sites/{id}/recordings, GET/PATCH/DELETE /sites/{id}/recordings/{recording}, GET …/chunks/{seq}. */
import { buffer } from 'node:stream/consumers';
import Type from 'typebox';
import {
  findChunkBlob,
  findRecording,
  listChunks,
  listRecordings,
  markRecording,
  type RecordingPosition,
  type StoredChunk,
  type StoredRecording,
} from '../../db/recordings/read.ts';
import { deleteRecording } from '../../db/recordings/remove.ts';
import { findSite } from '../../db/sites/sites.ts';
import { parseDateTime } from '../../domain/dateTime.ts';
import { FAVOURITE_DAYS } from '../../domain/recordings.ts';
import { DEFAULT_QUOTAS } from '../../domain/sites.ts';
import { SOURCE_TYPES } from '../../domain/trafficSource.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../schemas/schema.ts';
import { notFound, validationFailed } from '../http/errors.ts';
import { DEFAULT_LIMIT, pageQuery, readMomentCursor, toPage, writeMomentPosition } from '../http/paging.ts';
import { define, pageOf, UUID, VISITOR_ID } from './define.ts';
import { SITE_ID, SitePath } from './siteFields.ts';

const recordingFields = {
  id: Type.String(),
  visitor_id: Type.String(),
  visit_id: nullable(Type.String({ description: 'Визит, во время которого она сделана; null — его ещё или уже нет' })),
  entry_page: nullable(Type.String({ description: 'Первая страница визита' })),
  source_type: nullable(Type.String()),
  source_name: nullable(Type.String()),
  received_at: dateTime({ description: 'Когда пришла первая часть; по этому времени список и срок хранения' }),
  started_at: dateTime({ description: 'Первое событие; ошибка часов устройства вычтена' }),
  ended_at: dateTime(),
  duration_ms: Type.Integer(),
  chunks: Type.Integer(),
  events: Type.Integer(),
  bytes: Type.Integer({ description: 'Сжатых' }),
  user_agent: nullable(Type.String()),
  favourite: Type.Boolean(),
  expires_at: dateTime({ description: 'Когда запись будет удалена' }),
};
const Recording = Type.Object(recordingFields, { title: 'Recording' });
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
const RecordingPath = strictObject({ id: SITE_ID, recording: UUID });

const example = {
  id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
  visitor_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  visit_id: '3d0c5f6e-8a41-8b2c-8f10-5a6b7c8d9e0f',
  entry_page: 'https://shop.example.com/',
  source_type: 'organic',
  source_name: 'Yandex',
  received_at: '2026-11-20T10:15:35.000Z',
  started_at: '2026-11-20T10:15:29.000Z',
  ended_at: '2026-11-20T10:17:03.500Z',
  duration_ms: 94_500,
  chunks: 19,
  events: 1_204,
  bytes: 181_033,
  user_agent: 'Mozilla/5.0',
  favourite: false,
  expires_at: '2026-12-05T10:15:35.000Z',
};
const part = {
  seq: 0,
  started_at: '2026-11-20T10:15:29.000Z',
  ended_at: '2026-11-20T10:15:34.000Z',
  events: 61,
  bytes: 20_480,
};

export const listRecordingsOperation = define({
  method: 'get',
  path: '/sites/{id}/recordings',
  operationId: 'listRecordings',
  tag: 'recordings',
  summary: 'Записи сессий, последние первыми',
  params: SitePath,
  query: strictObject({
    ...pageQuery,
    visitor: Type.Optional(VISITOR_ID),
    since: Type.Optional(dateTime({ description: 'Не раньше; по received_at' })),
    until: Type.Optional(dateTime({ description: 'Раньше; по received_at' })),
    favourite: Type.Optional(Type.Boolean()),
    visit: Type.Optional(VISITOR_ID),
    page: Type.Optional(text(2048, { minLength: 1, description: 'Часть адреса первой или последней страницы визита' })),
    source_type: Type.Optional(oneOf(SOURCE_TYPES)),
    source: Type.Optional(text(500, { minLength: 1, description: 'Название источника, как в source_name отчётов' })),
  }),
  replies: {
    200: {
      description: 'Страница записей',
      schema: pageOf(Recording, 'RecordingPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const after = positionOf(query.cursor);
    if (!(await findSite(pool, params.id))) throw notFound();
    const filter = {
      visitorId: query.visitor?.toLowerCase() ?? null,
      since: momentOf(query.since),
      until: momentOf(query.until),
      isFavourite: query.favourite ?? null,
      visitId: query.visit?.toLowerCase() ?? null,
      page: query.page ?? null,
      sourceType: query.source_type ?? null,
      sourceName: query.source ?? null,
    };
    const rows = await listRecordings(pool, params.id, filter, { after, limit: limit + 1 });
    return { status: 200, body: toPage(rows, limit, (row) => writeMomentPosition(row.position, row.id), toOutput) };
  },
});

export const getRecording = define({
  method: 'get',
  path: '/sites/{id}/recordings/{recording}',
  operationId: 'getRecording',
  tag: 'recordings',
  summary: 'Запись сессии и её части',
  params: RecordingPath,
  replies: { 200: { description: 'Запись', schema: RecordingWithChunks, example: { ...example, parts: [part] } } },
  errors: [404],
  async handle({ params }, { pool }) {
    const recording = await findRecording(pool, params.id, params.recording);
    if (!recording) throw notFound();
    const parts = await listChunks(pool, params.id, params.recording);
    return { status: 200, body: { ...toOutput(recording), parts: parts.map(toPart) } };
  },
});

export const getRecordingPart = define({
  method: 'get',
  path: '/sites/{id}/recordings/{recording}/chunks/{seq}',
  operationId: 'getRecordingChunk',
  tag: 'recordings',
  summary: 'Часть записи: gzip массива событий rrweb',
  params: strictObject({
    id: SITE_ID,
    recording: UUID,
    seq: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$', examples: ['0'] }),
  }),
  replies: {
    200: {
      description: 'Файл gzip: массив событий rrweb в JSON',
      contentType: 'application/gzip',
      schema: Type.Unsafe<Buffer>({ type: 'string', contentMediaType: 'application/gzip' }),
      example: '',
    },
  },
  errors: [404],
  async handle({ params }, { pool, blobs }) {
    const key = await findChunkBlob(pool, params.id, params.recording, Number(params.seq));
    const blob = key === null ? null : await blobs.open(key);
    if (!blob) throw notFound();
    // A megabyte at most; read whole, a fault of the disk is still an answer and not a broken connection.
    const body = await buffer(blob.stream);
    // Somebody else's page is in it: nothing of it may run here.
    return {
      status: 200,
      body,
      headers: { 'Content-Type': 'application/gzip', 'Content-Security-Policy': "default-src 'none'; sandbox" },
    };
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
      example: { ...example, favourite: true, expires_at: '2027-02-18T10:15:35.000Z' },
    },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const outcome = await markRecording(pool, params.id, params.recording, body.favourite);
    if (outcome === 'too_many') throw validationFailed([{ field: 'favourite', code: 'invalid_value' }]);
    const recording = outcome === 'marked' ? await findRecording(pool, params.id, params.recording) : null;
    if (!recording) throw notFound();
    return { status: 200, body: toOutput(recording) };
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
      example: { id: example.id, deleted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await deleteRecording(pool, params.id, params.recording))) throw notFound();
    return { status: 200, body: { id: params.recording, deleted: true } };
  },
});

function positionOf(cursor: string | undefined): RecordingPosition | null {
  const position = readMomentCursor(cursor);
  return position && { createdAt: position.moment, id: position.id };
}

function momentOf(text: string | undefined): Date | null {
  return text === undefined ? null : parseDateTime(text);
}

function toOutput(recording: StoredRecording): Static<typeof Recording> {
  const { id, visitorId, createdAt, startedAt, endedAt, chunks, events, bytes, userAgent, isFavourite, expiresAt } =
    recording;
  return {
    id,
    visitor_id: visitorId,
    visit_id: recording.visitId,
    entry_page: recording.entryPage,
    source_type: recording.sourceType,
    source_name: recording.sourceName,
    received_at: createdAt.toISOString(),
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    duration_ms: endedAt.getTime() - startedAt.getTime(),
    chunks,
    events,
    bytes,
    user_agent: userAgent,
    favourite: isFavourite,
    expires_at: expiresAt.toISOString(),
  };
}

function toPart({ seq, startedAt, endedAt, events, bytes }: StoredChunk): Static<typeof Chunk> {
  return { seq, started_at: startedAt.toISOString(), ended_at: endedAt.toISOString(), events, bytes };
}
