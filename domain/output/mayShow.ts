/** What may be shown to whom: the rules that no mode, no page and no pin goes round. */
import type { ItemStatus, ItemType } from '../steps.ts';
import { passesFilter, type BoundFilter } from './filters.ts';

export const AGE_RATINGS = ['0+', '6+', '12+', '16+', '18+'] as const;
export type AgeRating = (typeof AGE_RATINGS)[number];

/** What the rules ask of an item. */
export interface JudgedItem {
  id: string;
  type: ItemType;
  author: string | null;
  publishedAt: Date;
  properties: Readonly<Record<string, unknown>> | null;
  available: boolean;
  deleted: boolean;
  status: ItemStatus;
  ageRating: AgeRating | null;
  /** A key of each topic and tag ({@link ShowRules.excludedInterests}). */
  interests: readonly string[];
}

/** Null: the rule does not apply. */
export interface ShowRules {
  filters: readonly BoundFilter[];
  types: ReadonlySet<ItemType> | null;
  authors: ReadonlySet<string> | null;
  excludedAuthors: ReadonlySet<string>;
  /** Includes its moment. */
  publishedAfter: Date | null;
  /** Does not. */
  publishedBefore: Date | null;
  maxAgeRating: AgeRating | null;
  /** The request's own list, the subjects, what the person has hidden, and what is near to what is suppressed. */
  excludedItems: ReadonlySet<string>;
  /** Keys of the topics and tags that the person does not want (output/interests.ts). */
  excludedInterests: ReadonlySet<string>;
}

/** Whether an item may be shown to anybody: a failed one has nothing to show, a waiting one comes by what is known of it. */
export function isEligible({
  available,
  deleted,
  status,
}: Pick<JudgedItem, 'available' | 'deleted' | 'status'>): boolean {
  return available && !deleted && status !== 'failed';
}

/** Whether the rules of a request allow an item. */
export function mayShow(item: JudgedItem, rules: ShowRules): boolean {
  return (
    isEligible(item) &&
    !rules.excludedItems.has(item.id) &&
    (rules.types?.has(item.type) ?? true) &&
    isOfAuthors(item.author, rules) &&
    isPublishedWithin(item.publishedAt, rules) &&
    isForAge(item.ageRating, rules.maxAgeRating) &&
    !item.interests.some((interest) => rules.excludedInterests.has(interest)) &&
    rules.filters.every((filter) => passesFilter(filter, item.properties))
  );
}

function isOfAuthors(author: string | null, { authors, excludedAuthors }: ShowRules): boolean {
  if (author === null) return authors === null;
  return !excludedAuthors.has(author) && (authors?.has(author) ?? true);
}

function isPublishedWithin(at: Date, { publishedAfter, publishedBefore }: ShowRules): boolean {
  return (publishedAfter === null || at >= publishedAfter) && (publishedBefore === null || at < publishedBefore);
}

/** An unknown rating may be any. */
function isForAge(rating: AgeRating | null, most: AgeRating | null): boolean {
  if (most === null) return true;
  return rating !== null && AGE_RATINGS.indexOf(rating) <= AGE_RATINGS.indexOf(most);
}
