/**
 * Maximum length, in Unicode characters, of the titles of projects, sites, goals and event types, and of the names of
 * keys and tokens.
 */
export const TITLE_MAX_LENGTH = 200;
