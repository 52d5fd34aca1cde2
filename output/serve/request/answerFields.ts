/** Fields that an answer may contain of its items besides their ids. */
import type { CandidateItem } from '../../../db/output/candidateItems.ts';

/** Named as in the content API. */
export const TOLD_FIELDS = ['title', 'url', 'author', 'summary', 'tags', 'properties', 'image_url'] as const;
export type ToldField = (typeof TOLD_FIELDS)[number];

/** Returns the fields; null for those that the item does not have. */
export function toldOf(item: CandidateItem, fields: readonly ToldField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, valueOf(item, field)]));
}

function valueOf({ told, ...item }: CandidateItem, field: ToldField): unknown {
  switch (field) {
    case 'title':
    case 'url':
    case 'summary':
      return told[field];
    case 'image_url':
      return told.imageUrl;
    case 'tags':
      return item.tags.length > 0 ? item.tags : null;
    case 'author':
    case 'properties':
      return item[field];
  }
}
