/** Reads cookies of a request. */
import type { IncomingHttpHeaders } from 'node:http';

/** Returns the value of the first cookie with that name; null without one. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | null {
  const prefix = `${name}=`;
  const pair = (headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length) ?? null;
}
