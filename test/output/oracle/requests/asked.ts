/** Requests and answers in the form of the API. */
import type { Filter } from './filters.ts';
import type { Path } from './paths.ts';
import type { Ids } from '../world/people.ts';
import type { Age, ItemType } from '../world/world.ts';

/** Fields of a request's body that the model reads; other fields are sent but not checked. */
export interface Body {
  user?: Ids;
  limit?: number;
  cursor?: string;
  filters?: Filter[];
  types?: ItemType[];
  authors?: string[];
  exclude_authors?: string[];
  published_after?: string;
  published_before?: string;
  max_age_rating?: Age;
  exclude?: string[];
  include_seen?: boolean;
  max_per_author?: number;
  pins?: { item: string; position: number }[];
  fields?: string[];
  explain?: boolean;
  item?: string;
  items?: string[];
  query?: string;
  facets?: string[];
  [other: string]: unknown;
}

export interface Asked {
  path: Path;
  body: Body;
}

export const subjectsOf = ({ body: { item, items = [] } }: Asked): string[] => (item === undefined ? items : [item]);
export const limitOf = ({ path, body }: Asked): number => body.limit ?? (path.name === 'suggest' ? 8 : 20);
export const includesSeen = ({ path, body }: Asked): boolean => body.include_seen ?? path.includesSeen;
export const perAuthorOf = ({ path, body }: Asked): number | null =>
  path.perAuthor === null ? null : (body.max_per_author ?? path.perAuthor);

/** Returns the words after a minus. */
export function minusWords(query: string): string[] {
  return query
    .split(' ')
    .filter((word) => word.startsWith('-') && word.length > 1)
    .map((word) => word.slice(1));
}

/** Returns the phrases in quotes. */
export function phrasesOf(query: string): string[] {
  return Array.from(query.matchAll(/"([^"]*)"/g), ([, phrase = '']) => phrase);
}

export interface AnswerItem {
  id: string;
  position: number;
  score: number;
  reason: { code: string; item?: string; value?: string };
  fields?: Record<string, unknown>;
  explain?: { cosine?: number; relevance?: number; parts?: Record<string, number>; factor?: number };
}

export interface OutputAnswer {
  recommendation_id: string;
  mode: string;
  model: string | null;
  items: AnswerItem[];
  next_cursor: string | null;
  total?: { value: number; relation: 'eq' | 'gte' };
  facets?: Record<string, { value: string | number | boolean; count: number }[]>;
}

export interface SuggestAnswer {
  suggestions: { text: string; kind: string }[];
}
