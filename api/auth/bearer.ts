/** The bearer token of a request, and the refusal of keys in the address. */
import type { IncomingMessage } from 'node:http';
import { hasKeyFormat, KEY_FORMATS, type KeyKind } from '../../domain/keys.ts';
import { unauthorized } from '../http/errors.ts';

const KEY_KINDS = Object.keys(KEY_FORMATS) as KeyKind[];

/**
 * The key of the wanted kind from the Authorization header.
 * @throws {HttpError} 401 when there is none of that form, or when any key stands in the query string
 */
export function bearerKey(request: IncomingMessage, kind: KeyKind): string {
  refuseKeyInQuery(request);
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !hasKeyFormat(kind, token)) throw unauthorized();
  return token;
}

/**
 * A key in an address ends up in logs and histories, so such a request fails even with a valid header.
 * @throws {HttpError} 401
 */
export function refuseKeyInQuery(request: IncomingMessage): void {
  if (hasKeyInQuery(request.url ?? '')) throw unauthorized();
}

function hasKeyInQuery(url: string): boolean {
  const start = url.indexOf('?');
  if (start < 0) return false;
  const values = [...new URLSearchParams(url.slice(start + 1)).values()];
  return values.some((value) => KEY_KINDS.some((kind) => hasKeyFormat(kind, value.replace(/^Bearer +/i, ''))));
}
