/** Texts of at most this size are computed inline by the built-in provider, in a few milliseconds. */
const SHORT_TEXT_BYTES = 4_096;

/** SQL condition: the item `i` is a short text. */
export const IS_SHORT_TEXT = `(i.type = 'text' and coalesce(octet_length(i.title), 0) + coalesce(octet_length(i.description), 0)
                    + coalesce(octet_length(i.body), 0) <= ${SHORT_TEXT_BYTES})`;
