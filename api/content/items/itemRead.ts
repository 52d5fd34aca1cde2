/** GET /items/{id}. */
import Type from 'typebox';
import { MODERATION_LEVELS } from '../../../domain/analysis/results.ts';
import { ITEM_ORIGINS } from '../../../domain/items/item.ts';
import { AGE_RATINGS } from '../../../domain/output/mayShow.ts';
import type { ItemPutRequest } from '../../../domain/schemas/itemFields.ts';
import { ItemPath } from './itemPath.ts';
import {
  readItem,
  type ItemInclude,
  type StoredFrame,
  type StoredItem,
  type StoredItemMedium,
} from '../../../db/items/readItem.ts';
import { ITEM_STATUSES, ITEM_TYPES, MEDIA_KINDS } from '../../../domain/analysis/steps.ts';
import { notFound } from '../../http/errors.ts';
import {
  dateTime,
  freeObject,
  nullable,
  oneOf,
  orNull,
  strictObject,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { define, type ContentDeps } from '../contentOperation.ts';
import { itemExample } from './itemExample.ts';
import { Processing, ProcessingErrors } from './stepSchemas.ts';

export const INCLUDES = ['transcript', 'frames', 'search_chunks'] as const;
const strings = Type.Array(Type.String());
const objects = Type.Array(freeObject());

export const MediaOut = Type.Object(
  {
    position: Type.Integer(),
    kind: oneOf(MEDIA_KINDS),
    url: Type.String(),
    duration_sec: nullable(Type.Number()),
    width: nullable(Type.Integer()),
    height: nullable(Type.Integer()),
    status: oneOf(['new', 'ready', 'failed']),
  },
  { title: 'MediaOut' },
);

const Moderation = Type.Object(
  {
    level: nullable(oneOf(MODERATION_LEVELS)),
    categories: nullable(freeObject()),
    evidence: nullable(objects),
  },
  { title: 'Moderation' },
);

const ChapterOut = Type.Object(
  {
    media_position: Type.Integer(),
    start: Type.Number({ description: 'Секунды от начала медиа' }),
    end: Type.Number(),
    title: Type.String({ description: 'До 100 символов' }),
  },
  { title: 'ChapterOut' },
);

export const SummaryOut = Type.Object(
  {
    summary: Type.String(),
    description: nullable(Type.String()),
    topics: strings,
    tags: strings,
    entities: objects,
    language: nullable(Type.String()),
    age_rating: nullable(oneOf(AGE_RATINGS)),
    moderation: orNull(Moderation),
    chapters: Type.Optional(
      Type.Array(ChapterOut, {
        description:
          'Главы видео и аудио по порядку, без промежутков: те, что есть в самом файле, иначе по тексту речи; тогда поля нет у коротких записей и записей без речи',
      }),
    ),
  },
  { title: 'SummaryOut' },
);

const TranscriptOut = Type.Object(
  {
    media_position: Type.Integer(),
    language: nullable(Type.String()),
    timestamps: oneOf(['model', 'estimated']),
    text: Type.String(),
    segments: Type.Array(
      Type.Object({ start: Type.Number(), end: Type.Number(), text: Type.String(), speaker: nullable(Type.String()) }),
    ),
  },
  { title: 'TranscriptOut' },
);

const FrameOut = Type.Object(
  {
    media_position: Type.Integer(),
    ts: Type.Number({ description: 'Секунды от начала медиа' }),
    duplicate_of_ts: nullable(Type.Number({ description: 'Время кадра-оригинала' })),
    description: Type.String(),
    ocr_text: nullable(Type.String()),
    tags: nullable(strings),
    safety: nullable(freeObject()),
    image_url: nullable(Type.String({ description: 'Подписанная ссылка, действует час' })),
  },
  { title: 'FrameOut' },
);

const SearchChunkOut = Type.Object(
  {
    media_position: nullable(Type.Integer()),
    start_sec: nullable(Type.Number()),
    end_sec: nullable(Type.Number()),
    text: Type.String(),
  },
  { title: 'SearchChunkOut' },
);

/** The fields that a request can set, except `body`: every answer with an item has them. */
type SetFields = Record<Exclude<keyof ItemPutRequest, 'body'>, Type.TSchema>;

export const ItemDetail = Type.Object(
  {
    id: Type.String(),
    type: oneOf(ITEM_TYPES),
    title: nullable(Type.String()),
    description: nullable(Type.String()),
    author: nullable(Type.String()),
    url: nullable(Type.String()),
    published_at: nullable(dateTime()),
    properties: nullable(freeObject()),
    origin: oneOf(ITEM_ORIGINS),
    available: Type.Boolean(),
    deleted: Type.Boolean(),
    status: oneOf(ITEM_STATUSES),
    processing: Processing,
    processing_errors: Type.Optional(ProcessingErrors),
    updated_at: dateTime(),
    media: Type.Array(MediaOut),
    summary: orNull(SummaryOut),
    moderation: Type.Optional(Moderation),
    transcript: Type.Optional(nullable(Type.Array(TranscriptOut, { description: 'Только при include=transcript' }))),
    frames: Type.Optional(nullable(Type.Array(FrameOut, { description: 'Только при include=frames' }))),
    search_chunks: Type.Optional(
      nullable(Type.Array(SearchChunkOut, { description: 'Только при include=search_chunks' })),
    ),
  } satisfies SetFields & Record<string, Type.TSchema>,
  { title: 'ItemDetail' },
);
export type ItemDetail = Static<typeof ItemDetail>;

export const getItemOperation = define({
  method: 'get',
  path: '/items/{id}',
  operationId: 'getItem',
  tag: 'items',
  summary: 'Прочитать объект и результаты анализа',
  description: 'Удалённый объект возвращается с deleted=true.',
  params: ItemPath,
  query: strictObject({
    include: Type.Optional(Type.Array(oneOf(INCLUDES), { description: 'Что приложить, через запятую' })),
  }),
  replies: {
    200: {
      description: 'Объект',
      schema: ItemDetail,
      example: itemExample satisfies Record<keyof SetFields, unknown>,
    },
  },
  errors: [404],
  async handle({ caller, params, query }, deps) {
    const item = await readItem(deps.pool, caller.projectId, params.id, includeOf(query.include));
    if (!item) throw notFound();
    return { status: 200, body: detailOf(item, deps) };
  },
});

/** Converts the parts that a request includes to the parts of an item to read. */
export function includeOf(include: readonly (typeof INCLUDES)[number][] = []): ItemInclude {
  return {
    transcript: include.includes('transcript'),
    frames: include.includes('frames'),
    searchChunks: include.includes('search_chunks'),
  };
}

/** Returns an item in the format of the API. @param deps creates the URLs of frames */
export function detailOf(item: StoredItem, deps: Pick<ContentDeps, 'frameUrl'>): ItemDetail {
  const hasErrors = Object.keys(item.processingErrors).length > 0;
  return {
    id: item.id,
    type: item.type,
    title: item.title,
    description: item.description,
    author: item.author,
    url: item.url,
    published_at: item.publishedAt.toISOString(),
    properties: item.properties,
    origin: item.origin,
    available: item.available,
    deleted: item.deleted,
    status: item.status,
    processing: item.processing,
    ...(hasErrors && { processing_errors: item.processingErrors }),
    updated_at: item.updatedAt.toISOString(),
    media: item.media.map(mediumOf),
    summary: item.summary,
    ...(item.moderation && { moderation: item.moderation }),
    ...includedOf(item, deps),
  };
}

function mediumOf({ durationSec, mediumId: _id, version: _version, ...medium }: StoredItemMedium) {
  return { ...medium, duration_sec: durationSec };
}

/** Returns the parts that are included only on request. */
function includedOf(
  { transcript, frames, searchChunks }: StoredItem,
  deps: Pick<ContentDeps, 'frameUrl'>,
): Partial<ItemDetail> {
  return {
    ...(transcript !== undefined && {
      transcript: transcript?.map(({ mediaPosition, ...rest }) => ({ media_position: mediaPosition, ...rest })) ?? null,
    }),
    ...(frames !== undefined && { frames: frames?.map((frame) => frameOf(frame, deps)) ?? null }),
    ...(searchChunks !== undefined && {
      search_chunks:
        searchChunks?.map((chunk) => ({
          media_position: chunk.mediaPosition,
          start_sec: chunk.startSec,
          end_sec: chunk.endSec,
          text: chunk.text,
        })) ?? null,
    }),
  };
}

function frameOf(frame: StoredFrame, deps: Pick<ContentDeps, 'frameUrl'>): Static<typeof FrameOut> {
  const { ts, description, tags, safety } = frame;
  return {
    media_position: frame.mediaPosition,
    ts,
    duplicate_of_ts: frame.duplicateOfTs,
    description,
    ocr_text: frame.ocrText,
    tags,
    safety,
    image_url: deps.frameUrl(frame.blobKey),
  };
}
