/**
 * Maximum length, in Unicode characters, of the ids that integrators choose: those of items, users, browsers, authors
 * and a site's orders; and of the names of item properties.
 */
export const ID_MAX_LENGTH = 191;
