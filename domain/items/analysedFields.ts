/** Which fields of an item its analysis reads, so that a change of them outdates its results. */
import type { ItemContent } from './item.ts';

export type Field = Exclude<keyof ItemContent, 'media'>;

/**
 * A change of a `text` outdates the item's analysis. A change of a `plain` field outdates nothing, so no step runs, the
 * status stays, and no webhook is sent. Media are compared one by one (mediaIdentity.ts).
 */
const FIELDS: Record<Field, 'text' | 'plain'> = {
  type: 'text',
  title: 'text',
  description: 'text',
  body: 'text',
  author: 'plain',
  url: 'plain',
  publishedAt: 'plain',
  properties: 'plain',
  available: 'plain',
};
export const ALL_FIELDS = Object.keys(FIELDS) as Field[];
export const TEXTS = ALL_FIELDS.filter((field) => FIELDS[field] === 'text');
export const PLAIN_FIELDS = ALL_FIELDS.filter((field) => FIELDS[field] === 'plain');
