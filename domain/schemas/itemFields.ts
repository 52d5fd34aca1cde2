/** The fields of an item in requests. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../idLength.ts';
import type { ItemContent, ItemPatch } from '../items/item.ts';
import { mediaFault } from '../items/mediaForType.ts';
import { ITEM_TYPES, MEDIA_KINDS, MEDIA_OF_TYPE } from '../analysis/steps.ts';
import { parseOptionalDateTime } from '../dateTime.ts';
import type { FieldFault } from './fieldFaults.ts';
import {
  dateTime,
  DESCRIBED,
  freeObject,
  MAX_BYTES,
  mediaUrl,
  nullable,
  oneOf,
  strictObject,
  text,
  type Static,
} from './schema.ts';

const MEDIA_MAX = 50;
const PROPERTIES_MAX_BYTES = 16 * 1024;

const MediaIn = strictObject(
  {
    kind: oneOf(MEDIA_KINDS),
    url: mediaUrl({ description: 'Адрес https' }),
    version: Type.Optional(nullable(text(64, { description: 'Другая версия — медиа обрабатывается заново' }))),
  },
  { title: 'MediaIn' },
);

const mediaList = Type.Array(MediaIn, {
  maxItems: MEDIA_MAX,
  description: 'По порядку; у video, image и audio нужно хотя бы одно медиа своего вида, у text медиа нет',
});

const commonFields = {
  title: Type.Optional(nullable(text(1000))),
  description: Type.Optional(nullable(text(20_000))),
  body: Type.Optional(nullable(text(1_000_000, { description: 'Основной текст' }))),
  author: Type.Optional(nullable(text(ID_MAX_LENGTH, { description: 'Идентификатор автора у клиента' }))),
  url: Type.Optional(nullable(text(2048, { description: 'Ссылка на сайте клиента' }))),
  published_at: Type.Optional(nullable(dateTime({ description: 'По умолчанию — время создания' }))),
  properties: Type.Optional(
    nullable(freeObject({ [MAX_BYTES]: PROPERTIES_MAX_BYTES, description: 'Любые данные, до 16 КБ' })),
  ),
  available: Type.Optional(Type.Boolean({ default: true, description: 'Можно ли показывать объект в выдаче' })),
};

/**
 * {@link mediaRule} as JSON Schema, for the OpenAPI description only: a validator would report its faults with other
 * codes and paths.
 */
function mediaConditions(): object[] {
  const ofKind = (kind: string): object => ({
    type: 'array',
    contains: { type: 'object', required: ['kind'], properties: { kind: { const: kind } } },
  });
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, never awaited
  const when = (type: string, then: object): object => ({ if: { properties: { type: { const: type } } }, then });
  return Object.entries(MEDIA_OF_TYPE).flatMap(([type, { needs, mayHaveOthers }]) => {
    if (needs !== null) return [when(type, { required: ['media'], properties: { media: ofKind(needs) } })];
    return mayHaveOthers ? [] : [when(type, { properties: { media: { type: ['array', 'null'], maxItems: 0 } } })];
  });
}

/** PUT: the whole object; omitted fields are cleared. */
export const ItemPutRequest = strictObject(
  {
    type: oneOf(ITEM_TYPES),
    ...commonFields,
    media: Type.Optional(nullable(mediaList)),
  },
  { title: 'ItemPutRequest', [DESCRIBED]: { allOf: mediaConditions() } },
);
export type ItemPutRequest = Static<typeof ItemPutRequest>;

/** PATCH: the fields to replace; null clears. */
export const ItemPatchRequest = strictObject(
  { ...commonFields, media: Type.Optional(mediaList) },
  { title: 'ItemPatchRequest' },
);
export type ItemPatchRequest = Static<typeof ItemPatchRequest>;

/** Returns the content that a PUT requests, with defaults applied. */
export function contentOfPut(body: ItemPutRequest): ItemContent {
  return {
    type: body.type,
    title: body.title ?? null,
    description: body.description ?? null,
    body: body.body ?? null,
    author: body.author ?? null,
    url: body.url ?? null,
    publishedAt: parseOptionalDateTime(body.published_at),
    properties: body.properties ?? null,
    media: mediaOf(body.media),
    available: body.available ?? true,
  };
}

/** The fields of a PATCH whose name and value are the same in {@link ItemPatch}. */
type PlainFields = Omit<ItemPatchRequest, 'published_at' | 'media'>;

/** Returns the change that a PATCH requests: only the fields that it sent. */
export function changeOfPatch(body: ItemPatchRequest): ItemPatch {
  const { published_at: publishedAt, media, ...others } = body;
  // A type error here means that a field has different names in the item and in the request, so that a PATCH would lose
  // it.
  const plain: Pick<ItemPatch, keyof PlainFields> = others;
  return {
    ...plain,
    ...(publishedAt !== undefined && { publishedAt: parseOptionalDateTime(publishedAt) }),
    ...(media !== undefined && { media: mediaOf(media) }),
  };
}

/**
 * The rule that joins type and media. It accepts any value, because it runs in addition to the schema, so that all
 * faults are reported at once. It reports nothing where the schema already does.
 */
export function mediaRule(value: unknown): FieldFault[] {
  const { type, media } = (value ?? {}) as { type?: unknown; media?: unknown };
  const itemType = ITEM_TYPES.find((known) => known === type);
  if (itemType === undefined || !(media === undefined || media === null || Array.isArray(media))) return [];
  const isSent = Array.isArray(media);
  const kinds = (media ?? []).map((medium) =>
    MEDIA_KINDS.find((kind) => kind === (medium as { kind?: unknown } | null)?.kind),
  );
  if (kinds.includes(undefined) || kinds.length > MEDIA_MAX) return [];
  const code = mediaFault(
    itemType,
    kinds.map((kind) => ({ kind: kind ?? 'image', url: '', version: null })),
    isSent,
  );
  return code === null ? [] : [{ field: 'media', code }];
}

function mediaOf(media: ItemPutRequest['media']): ItemContent['media'] {
  return (media ?? []).map(({ kind, url, version }) => ({ kind, url, version: version ?? null }));
}
