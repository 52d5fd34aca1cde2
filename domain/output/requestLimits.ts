/**
 * Limits and defaults of a request for recommendations or a search. Those of filters and boosts are in
 * propertyFilters.ts and boosts.ts, those of authors on a page, pins, diversity and exploration in page/, and that of
 * rotation in output/serve/candidates/rotation.ts.
 */

/** Maximum size of the body. */
export const MAX_OUTPUT_BYTES = 64 * 1024;

/** Items on a page. */
export const DEFAULT_OUTPUT_LIMIT = 20;
export const MAX_OUTPUT_LIMIT = 100;

/** Maximum number of authors to which a request is restricted, and of those it leaves out. */
export const MAX_REQUEST_AUTHORS = 100;
/** Maximum number of items that a request leaves out. */
export const MAX_EXCLUDED_ITEMS = 500;

/** Maximum length of the query of a search or of suggestions. */
export const MAX_QUERY_CHARACTERS = 500;
export const DEFAULT_SUGGESTIONS = 8;
export const MAX_SUGGESTIONS = 20;
/** Weight of the person's taste in a search. */
export const DEFAULT_PERSONAL = 0.2;
/** Maximum number of facets that a search requests. */
export const MAX_FACETS = 10;
