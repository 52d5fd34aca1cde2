/**
 * Limits and defaults of a request for recommendations or a search. Those of boosts and pins are in boosts.ts and
 * page/pinsAndAuthors.ts.
 */

/** Maximum size of the body. */
export const MAX_OUTPUT_BYTES = 64 * 1024;

/** Items on a page. */
export const DEFAULT_OUTPUT_LIMIT = 20;
export const MAX_OUTPUT_LIMIT = 100;

export const MAX_FILTERS = 20;
/** Maximum number of authors to which a request is restricted, and of those it leaves out. */
export const MAX_REQUEST_AUTHORS = 100;
/** Maximum number of items that a request leaves out. */
export const MAX_EXCLUDED_ITEMS = 500;

/**
 * Items of one author on a page of feed, next or popular. The other paths have no such limit, because a page about one
 * subject may be useful even if a single author made all of it.
 */
export const DEFAULT_PER_AUTHOR = 3;
export const MAX_PER_AUTHOR = 100;

/** Share of the positions at which new items are tried (page/exploration.ts says from which position on). */
export const DEFAULT_EXPLORATION = 0.1;
export const MAX_EXPLORATION = 0.3;

export const DEFAULT_DIVERSITY = 0.2;
export const MAX_ROTATION_HOURS = 168;

/** Maximum length of the query of a search or of suggestions. */
export const MAX_QUERY_CHARACTERS = 500;
export const DEFAULT_SUGGESTIONS = 8;
export const MAX_SUGGESTIONS = 20;
/** Weight of the person's taste in a search. */
export const DEFAULT_PERSONAL = 0.2;
