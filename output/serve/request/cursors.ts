/**
 * Cursors: the position of the next page of an answer, sealed with an HMAC so that a forged cursor costs one hash and
 * no more.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** The content of a cursor. */
export interface PagePosition {
  recommendationId: string;
  /** At least 1. */
  page: number;
  firstPosition: number;
  /** 16 hexadecimal digits: a cursor only continues the request that it came from. */
  bodyHash: string;
  /** The first page of a search found nothing by pictures, so later ones do not either. */
  isWithoutPictures?: boolean;
}

export interface Cursors {
  write(projectId: string, position: PagePosition): string;
  /** Returns null for a cursor that is forged, changed in any character, or belongs to another project. */
  read(projectId: string, cursor: string): PagePosition | null;
}

const SEAL_BYTES = 16;
/**
 * A zero before the page's number, which is at least 1, says "without pictures"; the previous release reads past it.
 */
const FORM = /^([ -.0-~]{24,64})\/(0?)(\d{1,5})\/(\d{1,7})\/([0-9a-f]{16})$/;

/** @param key the derived key `output-cursors` (domain/accounts/secretKeys.ts) */
export function createCursors(key: Buffer): Cursors {
  const secret = createSecretKey(key);
  const sealOf = (projectId: string, text: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([projectId, text]))
      .digest()
      .subarray(0, SEAL_BYTES);
  return {
    write(projectId, { recommendationId, page, firstPosition, bodyHash, isWithoutPictures = false }) {
      const numbered = `${isWithoutPictures ? '0' : ''}${page}`;
      const text = [recommendationId, numbered, firstPosition, bodyHash].join('/');
      return Buffer.concat([sealOf(projectId, text), Buffer.from(text)]).toString('base64url');
    },
    read(projectId, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // The decoder is lenient: it skips characters outside the alphabet and what follows a whole group.
      if (bytes.toString('base64url') !== cursor) return null;
      const text = bytes.subarray(SEAL_BYTES).toString();
      const [, recommendationId, zero, page, firstPosition, bodyHash] = FORM.exec(text) ?? [];
      if (recommendationId === undefined || bodyHash === undefined) return null;
      if (!timingSafeEqual(bytes.subarray(0, SEAL_BYTES), sealOf(projectId, text))) return null;
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
