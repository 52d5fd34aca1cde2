/** Session recordings in responses of the cabinet. */
import Type from 'typebox';
import type { StoredRecording } from '../../../db/recordings/readRecordings.ts';
import { dateTime, nullable, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { SITE_ID, UUID } from '../cabinetOperation.ts';

export const recordingFields = {
  id: Type.String(),
  visitor_id: Type.String(),
  visit_id: nullable(Type.String({ description: 'Визит, во время которого она сделана; null — его ещё или уже нет' })),
  entry_page: nullable(Type.String({ description: 'Первая страница визита' })),
  first_page: nullable(Type.String({ description: 'Первый адрес в самой записи' })),
  source_type: nullable(Type.String()),
  source_name: nullable(Type.String()),
  received_at: dateTime({ description: 'Когда пришла первая часть; по этому времени список и срок хранения' }),
  started_at: dateTime({ description: 'Первое событие; ошибка часов устройства вычтена' }),
  ended_at: dateTime(),
  duration_ms: Type.Integer(),
  chunks: Type.Integer(),
  events: Type.Integer(),
  bytes: Type.Integer({ description: 'Сжатых' }),
  pages: nullable(
    Type.Integer({
      description: 'Сколько разных адресов в записи, до 100; null — части пришли до того, как их стали читать',
    }),
  ),
  clicks: Type.Integer({ description: 'Нажатий, о которых сообщил счётчик' }),
  errors: Type.Integer({ description: 'Ошибок скриптов страницы' }),
  goals: Type.Integer({ description: 'Достижений целей за визит' }),
  user_agent: nullable(Type.String()),
  favourite: Type.Boolean(),
  expires_at: dateTime({ description: 'Когда запись будет удалена' }),
};
export const Recording = Type.Object(recordingFields, { title: 'Recording' });
export const RecordingPath = strictObject({ id: SITE_ID, recording: UUID });

export const recordingExample = {
  id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
  visitor_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  visit_id: '3d0c5f6e-8a41-8b2c-8f10-5a6b7c8d9e0f',
  entry_page: 'https://shop.example.com/',
  first_page: 'https://shop.example.com/',
  source_type: 'organic',
  source_name: 'Yandex',
  received_at: '2026-11-20T10:15:35.000Z',
  started_at: '2026-11-20T10:15:29.000Z',
  ended_at: '2026-11-20T10:17:03.500Z',
  duration_ms: 94_500,
  chunks: 19,
  events: 1_204,
  bytes: 181_033,
  pages: 4,
  clicks: 17,
  errors: 0,
  goals: 1,
  user_agent: 'Mozilla/5.0',
  favourite: false,
  expires_at: '2026-12-05T10:15:35.000Z',
};
/** Returns a recording in the format of the cabinet. */
export function toRecording(recording: StoredRecording): Static<typeof Recording> {
  const { id, visitorId, createdAt, startedAt, endedAt, chunks, events, bytes, userAgent, isFavourite, expiresAt } =
    recording;
  return {
    id,
    visitor_id: visitorId,
    visit_id: recording.visitId,
    entry_page: recording.entryPage,
    first_page: recording.pages?.[0] ?? null,
    source_type: recording.sourceType,
    source_name: recording.sourceName,
    received_at: createdAt.toISOString(),
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    duration_ms: endedAt.getTime() - startedAt.getTime(),
    chunks,
    events,
    bytes,
    pages: recording.pages?.length ?? null,
    clicks: recording.clicks,
    errors: recording.errors,
    goals: recording.goals,
    user_agent: userAgent,
    favourite: isFavourite,
    expires_at: expiresAt.toISOString(),
  };
}
