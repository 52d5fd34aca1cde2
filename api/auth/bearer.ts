/** Reads the bearer token of a request, and refuses keys in the URL. */
import type { IncomingMessage } from 'node:http';
import { hasKeyFormat, KEY_FORMATS, type KeyKind } from '../../domain/accounts/keyFormats.ts';
import { unauthorized } from '../http/errors.ts';

const KEY_KINDS = Object.keys(KEY_FORMATS) as KeyKind[];

/**
 * Returns the key of the wanted kind from the Authorization header.
 * @throws {HttpError} 401 when there is none of that form, or when there is any key in the query string
 */
export function bearerKey(request: IncomingMessage, kind: KeyKind): string {
  refuseKeyInQuery(request);
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !hasKeyFormat(kind, token)) throw unauthorized();
  return token;
}

/**
 * Refuses a key in the URL, even if there is also a valid header, since it ends up in logs and histories.
 * @throws {HttpError} 401
 */
export function refuseKeyInQuery(request: IncomingMessage): void {
  if (hasKeyInQuery(request.url ?? '')) throw unauthorized();
}

function hasKeyInQuery(url: string): boolean {
  const start = url.indexOf('?');
  if (start < 0) return false;
  // A key alone, `?ak_…`, is the name of a parameter.
  const texts = [...new URLSearchParams(url.slice(start + 1))].flat();
  return texts.some((text) => KEY_KINDS.some((kind) => hasKeyFormat(kind, text.replace(/^Bearer +/i, ''))));
}
