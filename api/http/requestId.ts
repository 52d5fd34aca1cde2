/** The id of a request; api/http/handling/answer.ts sets it on every response. */
import { randomUUID } from 'node:crypto';

const OWN_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the client's own X-Request-ID when it is valid, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && OWN_ID.test(header) ? header : randomUUID();
}
