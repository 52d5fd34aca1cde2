/** What an answer may tell of its items beside their ids. */
import type { CandidateItem } from '../../db/output/candidateItems.ts';

/** Named as the content API names them. */
export const TOLD_FIELDS = ['title', 'url', 'author', 'summary', 'tags', 'properties', 'image_url'] as const;
export type ToldField = (typeof TOLD_FIELDS)[number];

/** Null for what the item does not have. */
export function toldOf(item: CandidateItem, fields: readonly ToldField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, valueOf(item, field)]));
}

function valueOf({ told, ...item }: CandidateItem, field: ToldField): unknown {
  switch (field) {
    case 'title':
    case 'url':
    case 'summary':
      return told?.[field] ?? null;
    case 'image_url':
      return told?.imageUrl ?? null;
    case 'tags':
      return item.tags.length > 0 ? item.tags : null;
    case 'author':
    case 'properties':
      return item[field];
  }
}
