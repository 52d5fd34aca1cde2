const STORED = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SENT = new RegExp(STORED, 'i');

/** Returns true for a UUID in lower case, as the API returns it. */
export function isUuid(text: string): boolean {
  return STORED.test(text);
}

/** Returns true for a UUID in either case, as sites print the ids of visitors. */
export function isUuidInAnyCase(text: string): boolean {
  return SENT.test(text);
}
