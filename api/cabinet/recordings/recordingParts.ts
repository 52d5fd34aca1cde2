/** The content of a session recording: GET /sites/{id}/recordings/{recording}/timeline, …/chunks and …/chunks/{seq}. */
import { buffer } from 'node:stream/consumers';
import Type from 'typebox';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { findChunkBlob, findRecording, listChunkBlobs } from '../../../db/recordings/readRecordings.ts';
import { listMarkedChunks, listVisitGoals } from '../../../db/recordings/timeline.ts';
import { CHUNK_MAX_BYTES, RECORDING_MAX_CHUNKS } from '../../../domain/recordings/recordingLimits.ts';
import { MOMENT_TYPES, timelineOf } from '../../../domain/recordings/timeline.ts';
import { nullable, oneOf, strictObject } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, SITE_ID, UUID } from '../cabinetOperation.ts';
import { RecordingPath } from './recordingFields.ts';

const MAX_MOMENTS = 1_000;
const MAX_GOALS = 200;
/** Size limit of a response with several chunks: two of the largest, or hundreds of usual ones. */
const MAX_ANSWER_BYTES = 2 * CHUNK_MAX_BYTES;

/** The recording contains another site's page, so no part of it may run here. */
const INERT = { 'Content-Security-Policy': "default-src 'none'; sandbox" };

const Moment = Type.Object({
  offset_ms: Type.Integer({ description: 'От начала записи' }),
  type: oneOf(MOMENT_TYPES),
  text: nullable(
    Type.String({ description: 'Адрес страницы, селектор нажатого элемента, код цели или текст ошибки скрипта' }),
  ),
  title: nullable(Type.String({ description: 'Название цели' })),
});
const Timeline = Type.Object(
  {
    moments: Type.Array(Moment, { description: `По порядку, первые ${MAX_MOMENTS}` }),
    truncated: Type.Boolean({ description: 'Их больше' }),
    read: Type.Boolean({
      description: 'false — части пришли до того, как из них стали выбирать страницы, нажатия и ошибки',
    }),
  },
  { title: 'RecordingTimeline' },
);

export const getRecordingTimeline = define({
  method: 'get',
  path: '/sites/{id}/recordings/{recording}/timeline',
  operationId: 'getRecordingTimeline',
  tag: 'recordings',
  summary: 'Что и когда происходит в записи',
  description:
    'Страницы, нажатия, достигнутые цели и ошибки скриптов. Цели — те, что достигнуты за визит, пока шла запись; нажатия и ошибки сообщает счётчик, кроме закрытых частей страницы. Части больше 4 МБ в распакованном виде не читаются.',
  params: RecordingPath,
  replies: {
    200: {
      description: 'Лента событий',
      schema: Timeline,
      example: {
        moments: [
          { offset_ms: 0, type: 'page', text: 'https://shop.example.com/', title: null },
          { offset_ms: 5_120, type: 'click', text: '#buy', title: null },
          { offset_ms: 21_400, type: 'goal', text: 'checkout', title: 'Оформление заказа' },
        ],
        truncated: false,
        read: true,
      },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    const recording = await findRecording(pool, params.id, params.recording);
    if (!recording) throw notFound();
    const { visitorId, visitId } = recording;
    const chunks = await listMarkedChunks(pool, params.id, params.recording, MAX_MOMENTS + 1);
    const goals = visitId === null ? [] : await listVisitGoals(pool, params.id, { visitorId, visitId }, MAX_GOALS);
    const titles = new Map(goals.map(({ goal, title }) => [goal, title]));
    const moments = timelineOf(chunks, goals, recording);
    return {
      status: 200,
      body: {
        moments: moments.slice(0, MAX_MOMENTS).map(({ offset, type, text }) => ({
          offset_ms: offset,
          type,
          text,
          title: type === 'goal' && text !== null ? (titles.get(text) ?? null) : null,
        })),
        truncated: moments.length > MAX_MOMENTS,
        read: recording.pages !== null,
      },
    };
  },
});

const seq = Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$', examples: ['0'] });

export const getRecordingPart = define({
  method: 'get',
  path: '/sites/{id}/recordings/{recording}/chunks/{seq}',
  operationId: 'getRecordingChunk',
  tag: 'recordings',
  summary: 'Часть записи: gzip массива событий rrweb',
  params: strictObject({ id: SITE_ID, recording: UUID, seq }),
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
    const body = key === null ? null : await read(blobs, key);
    if (body === null) throw notFound();
    return { status: 200, body, headers: { ...INERT, 'Content-Type': 'application/gzip' } };
  },
});

const PACKED = 'application/octet-stream';
/** Sequence number and length, four bytes each, big-endian. */
const PREFIX_BYTES = 8;

export const getRecordingParts = define({
  method: 'get',
  path: '/sites/{id}/recordings/{recording}/chunks',
  operationId: 'getRecordingChunks',
  tag: 'recordings',
  summary: 'Несколько частей записи одним ответом',
  description:
    'Части подряд, начиная с from: сколько поместится в 2 МБ, но не меньше одной. Перед каждой — её номер и длина, по четыре байта, старший первым. Пустой ответ — частей больше нет; у потерянной части длина 0.',
  params: RecordingPath,
  query: strictObject({
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: RECORDING_MAX_CHUNKS, default: 0, description: 'Номер первой части' }),
    ),
  }),
  replies: {
    200: {
      description: 'Номер, длина и gzip каждой части',
      contentType: PACKED,
      schema: Type.Unsafe<Buffer>({ type: 'string', contentMediaType: PACKED }),
      example: '',
    },
  },
  errors: [404],
  async handle({ params, query }, { pool, blobs }) {
    if (!(await findRecording(pool, params.id, params.recording))) throw notFound();
    const chunks = await listChunkBlobs(pool, params.id, params.recording, query.from ?? 0, MAX_ANSWER_BYTES);
    const parts: Buffer[] = [];
    for (const { seq: number, blobKey } of chunks) {
      const bytes = (await read(blobs, blobKey)) ?? Buffer.alloc(0);
      parts.push(prefixOf(number, bytes.length), bytes);
    }
    return { status: 200, body: Buffer.concat(parts), headers: { ...INERT, 'Content-Type': PACKED } };
  },
});

function prefixOf(number: number, length: number): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(number, 0);
  prefix.writeUInt32BE(length, 4);
  return prefix;
}

/**
 * Reads the whole blob, which has at most a megabyte, so that a disk error results in an error response instead of a
 * broken connection.
 */
async function read(blobs: BlobStore, key: string): Promise<Buffer | null> {
  const blob = await blobs.open(key);
  return blob && (await buffer(blob.stream));
}
