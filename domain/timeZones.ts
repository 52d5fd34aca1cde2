/** Names of time zones as the IANA has them. */

/** Intl takes offsets such as `+03:00` as well, which neither store knows as a zone. */
const NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Whether a text names a zone, in its own spelling: `Europe/Moscow`, `UTC`. */
export function isTimeZone(text: string): boolean {
  if (!NAME.test(text)) return false;
  try {
    const known = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
    // An alias resolves to another name, whose spelling says nothing of this one's.
    return known === text || known.toLowerCase() !== text.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
