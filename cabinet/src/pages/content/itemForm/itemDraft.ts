/** An item as form fields, and its requests. */
import type { cabinet } from '../../../data/client.ts';
import type { Item } from '../../../data/items/items.ts';
import { isRecord } from '../../../data/isRecord.ts';
import { CHANGEABLE_FIELDS, TEXT_FIELDS, type ChangeableField, type TextField } from '../../../data/itemFields.ts';

export type ItemType = Item['type'];
export type MediumKind = Item['media'][number]['kind'];

export interface MediumDraft {
  kind: MediumKind;
  url: string;
  version: string;
}

/** A whole item: no field may be absent, because a PUT clears what it lacks. A text has no media. */
type WholeItem = Required<Omit<cabinet.ItemPutRequest, 'media'>> & Pick<cabinet.ItemPutRequest, 'media'>;

/** All values as typed. */
export interface ItemDraft extends Record<TextField, string> {
  id: string;
  type: ItemType;
  /** In the format of a date and time input, in the time zone of the browser. */
  publishedAt: string;
  /** JSON. */
  properties: string;
  media: readonly MediumDraft[];
  available: boolean;
}

export const BLANK_ITEM: ItemDraft = {
  id: '',
  type: 'text',
  ...textsBy(() => ''),
  publishedAt: '',
  properties: '',
  media: [],
  available: true,
};

/** The default kind of medium for an item of each type. */
export const FIRST_KIND: Readonly<Record<ItemType, MediumKind>> = {
  text: 'image',
  video: 'video',
  audio: 'audio',
  image: 'image',
  mixed: 'image',
};

/** Returns the draft with another type: a type that consists of media gets a line for the first of them. */
export function withType(draft: ItemDraft, type: ItemType): ItemDraft {
  const filled = draft.media.filter(({ url }) => url.trim() !== '');
  const needsLine = type !== 'text' && type !== 'mixed' && !filled.some(({ kind }) => kind === type);
  const blank = { kind: FIRST_KIND[type], url: '', version: '' };
  return { ...draft, type, media: needsLine ? [...filled, blank] : filled };
}

export function draftOf(item: Item): ItemDraft {
  const { id, type, properties, media, available } = item;
  return {
    id,
    type,
    ...textsBy((field) => item[field] ?? ''),
    publishedAt: item.published_at === null ? '' : localMoment(item.published_at),
    properties: properties === null ? '' : JSON.stringify(properties, null, 2),
    media: media.map(({ kind, url: address, version }) => ({ kind, url: address, version: version ?? '' })),
    available,
  };
}

/** Returns whether there is nothing to analyse and no title. Required media depend on the type. */
export function isBlank({ type, title, description, body }: ItemDraft): boolean {
  return type === 'text' && [title, description, body].every((text) => text.trim() === '');
}

/** Returns whether the id cannot be part of an address: browsers take such parts out before they send a request. */
export function isDots({ id }: ItemDraft): boolean {
  return /^\.\.?$/.test(id.trim());
}

/** Returns properties for the request: an object, null for none, or undefined if the text is invalid. */
export function propertiesOf(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the request for a new item; null if its properties are invalid. */
export function putOf(draft: ItemDraft): WholeItem | null {
  const fields = fieldsOf(draft);
  if (!fields) return null;
  const { media, ...others } = fields;
  return { type: draft.type, ...others, ...(draft.type !== 'text' && { media }) };
}

/** The input of each field that a saved item may change. */
const INPUTS: Readonly<Record<ChangeableField, keyof ItemDraft>> = {
  ...textsBy((field) => field),
  published_at: 'publishedAt',
  properties: 'properties',
  media: 'media',
  available: 'available',
};

/** Returns only the changes, so that concurrent changes by others are kept; null if the properties are invalid. */
export function changeOf(item: Item, draft: ItemDraft): cabinet.ItemPatchRequest | null {
  const fields = fieldsOf(draft);
  if (!fields) return null;
  const before = draftOf(item);
  const inputIn = (values: ItemDraft, field: ChangeableField): string => JSON.stringify(values[INPUTS[field]]);
  const changed = CHANGEABLE_FIELDS.filter((field) => inputIn(draft, field) !== inputIn(before, field));
  return Object.fromEntries(changed.map((field) => [field, fields[field]])) as cabinet.ItemPatchRequest;
}

/** Returns every field but the type; null if the properties are invalid. */
function fieldsOf(draft: ItemDraft): Required<cabinet.ItemPatchRequest> | null {
  const properties = propertiesOf(draft.properties);
  if (properties === undefined) return null;
  return {
    ...textsBy((field) => orNull(draft[field])),
    published_at: momentOf(draft.publishedAt),
    properties,
    media: mediaOf(draft),
    available: draft.available,
  };
}

/** Returns the unchanged item for a PUT, which undoes a deletion. */
export function wholeOf(item: Item): WholeItem {
  const { type, published_at: publishedAt, properties, available } = item;
  const media = item.media.map(({ kind, url, version }) => ({ kind, url, version }));
  return {
    type,
    ...textsBy((field) => item[field] ?? null),
    published_at: publishedAt,
    properties,
    ...(type !== 'text' && { media }),
    available,
  };
}

function textsBy<T>(valueOf: (field: TextField) => T): Record<TextField, T> {
  return Object.fromEntries(TEXT_FIELDS.map((field) => [field, valueOf(field)])) as Record<TextField, T>;
}

/** An empty field means no value; a text is sent as typed. */
const orNull = (text: string): string | null => (text.trim() === '' ? null : text);
const momentOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/** Skips lines without an address, which were never filled in. */
function mediaOf({ media }: ItemDraft): { kind: MediumKind; url: string; version: string | null }[] {
  return media
    .filter(({ url }) => url.trim() !== '')
    .map(({ kind, url, version }) => ({ kind, url: url.trim(), version: orNull(version) }));
}

function localMoment(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
