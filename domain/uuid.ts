/** UUIDs of any version (RFC 9562, section 4) as parts of patterns: of regular expressions, JSON schemas and SQL. */

/** A UUID in lower case, as it is stored. */
export const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** A UUID in either case, as others may send it. */
export const UUID_IN_ANY_CASE = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

const STORED = new RegExp(`^${UUID}$`);
const SENT = new RegExp(`^${UUID_IN_ANY_CASE}$`);

/** Returns true for a UUID in lower case. */
export function isUuid(text: string): boolean {
  return STORED.test(text);
}

/** Returns true for a UUID in either case. */
export function isUuidInAnyCase(text: string): boolean {
  return SENT.test(text);
}
