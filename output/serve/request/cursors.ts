/**
 * Cursors: the position of the next page of an answer, sealed with an HMAC so that a forged cursor costs one hash and
 * no more. A cursor continues only the request that it came from: the path and the body, except for the cursor, must be
 * the same.
 */
import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../../../domain/isRecord.ts';
import type { PathName } from './pathsAndDefaults.ts';

/** The content of a cursor. */
export interface PagePosition {
  recommendationId: string;
  /** At least 1. */
  page: number;
  firstPosition: number;
  /** Identifies the request: {@link hashOfRequest}. */
  bodyHash: string;
  /** The first page of a search found nothing by pictures, so later ones do not either. */
  isWithoutPictures?: boolean;
}

export interface Cursors {
  write(projectId: string, position: PagePosition): string;
  /**
   * Returns null for a cursor that is forged, changed in any character, or belongs to another project or request.
   * @param bodyHash of the request that the cursor arrives with
   */
  read(projectId: string, cursor: string, bodyHash: string): PagePosition | null;
}

const MAC_BYTES = 16;
/**
 * A zero before the page's number, which is at least 1, says "without pictures"; the previous release reads past it.
 */
const FORM = /^([ -.0-~]{24,64})\/(0?)(\d{1,5})\/(\d{1,7})\/([0-9a-f]{16})$/;

/**
 * Returns 16 hexadecimal digits of a hash over a request's path and body. It does not depend on the body's cursor, nor
 * on the order of object members.
 */
export function hashOfRequest(path: PathName, { cursor: _cursor, ...body }: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify([path, body], (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** @param key the derived key `output-cursors` (domain/accounts/secretKeys.ts) */
export function createCursors(key: Buffer): Cursors {
  const secret = createSecretKey(key);
  const macOf = (projectId: string, text: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([projectId, text]))
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    write(projectId, { recommendationId, page, firstPosition, bodyHash, isWithoutPictures = false }) {
      const numbered = `${isWithoutPictures ? '0' : ''}${page}`;
      const text = [recommendationId, numbered, firstPosition, bodyHash].join('/');
      return Buffer.concat([macOf(projectId, text), Buffer.from(text)]).toString('base64url');
    },
    read(projectId, cursor, ofRequest) {
      const bytes = Buffer.from(cursor, 'base64url');
      // The decoder is lenient: it skips characters outside the alphabet and what follows a whole group.
      if (bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(MAC_BYTES).toString();
      const [, recommendationId, zero, page, firstPosition, bodyHash] = FORM.exec(text) ?? [];
      if (recommendationId === undefined || bodyHash !== ofRequest) return null;
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(projectId, text))) return null;
      return {
        recommendationId,
        page: Number(page),
        firstPosition: Number(firstPosition),
        bodyHash,
        ...(zero === '0' && { isWithoutPictures: true }),
      };
    },
  };
}
