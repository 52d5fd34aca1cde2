import type { ShowRules } from '../../domain/output/mayShow.ts';

/** A request without any special rules. */
export const NO_RULES: ShowRules = {
  filters: [],
  types: null,
  authors: null,
  excludedAuthors: new Set(),
  publishedAfter: null,
  publishedBefore: null,
  maxAgeRating: null,
  excludedItems: new Set(),
  excludedInterests: new Set(),
};
