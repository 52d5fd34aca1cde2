/** Fields that an answer may contain of its items besides their ids. */
import type { CandidateItem } from '../../../db/output/candidateItems.ts';

/** Named as in the content API. */
export const ANSWER_FIELDS = ['title', 'url', 'author', 'summary', 'tags', 'properties', 'image_url'] as const;
export type AnswerField = (typeof ANSWER_FIELDS)[number];

/** Returns the fields; null for those that the item does not have. */
export function answerFieldsOf(item: CandidateItem, fields: readonly AnswerField[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, valueOf(item, field)]));
}

function valueOf({ shown, ...item }: CandidateItem, field: AnswerField): unknown {
  switch (field) {
    case 'title':
    case 'url':
    case 'summary':
      return shown[field];
    case 'image_url':
      return shown.imageUrl;
    case 'tags':
      return item.tags.length > 0 ? item.tags : null;
    case 'author':
    case 'properties':
      return item[field];
  }
}
