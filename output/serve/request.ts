/** A request for output, as every path brings it. */
import type { BoundFilter } from '../../domain/output/filters.ts';
import type { AgeRating } from '../../domain/output/rules.ts';
import type { Identifier } from '../../domain/identity.ts';
import type { ItemType } from '../../domain/steps.ts';

export interface OutputRequest {
  projectId: string;
  /** Of the person, the one that decides first; empty for nobody. */
  identifiers: readonly Identifier[];
  /** Items that the answer is to be like. */
  subjects: readonly string[];
  surface: string | null;
  limit: number;
  /** Where the page before has ended; null for the first page. */
  place: PagePlace | null;
  /** Of the body without its cursor: {@link PagePlace.bodyHash}. */
  bodyHash: string;
  filters: readonly BoundFilter[];
  types: readonly ItemType[] | null;
  authors: readonly string[] | null;
  excludedAuthors: readonly string[];
  publishedAfter: Date | null;
  publishedBefore: Date | null;
  maxAgeRating: AgeRating | null;
  exclude: readonly string[];
  includeSeen: boolean;
  fields: readonly OutputField[];
  explain: boolean;
}

export const OUTPUT_FIELDS = ['title', 'url', 'author', 'summary', 'tags', 'properties', 'image_url'] as const;
export type OutputField = (typeof OUTPUT_FIELDS)[number];

/** What a cursor names. */
export interface PagePlace {
  recommendationId: string;
  page: number;
  firstPosition: number;
  /** 16 hexadecimal digits: a cursor goes on with the request that it came from, and no other. */
  bodyHash: string;
}
