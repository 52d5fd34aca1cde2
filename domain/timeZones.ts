/** Names of time zones in the IANA database. */

/** Intl also accepts offsets such as `+03:00`, which neither PostgreSQL nor DuckDB lists as a zone. */
const NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Returns true when a text names a zone in its exact spelling: `Europe/Moscow`, `UTC`. */
export function isTimeZone(text: string): boolean {
  if (!NAME.test(text)) return false;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    // An alias resolves to another name, so its own spelling cannot be checked.
    return known === text || known.toLowerCase() !== text.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
