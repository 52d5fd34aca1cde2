/** Signed links to stored frames: they need no key and end after an hour. */
import { LINK_LIFETIME_SECONDS } from '../../domain/lifetimes.ts';
import { deriveKey } from '../../domain/secretKeys.ts';
import { openToken, sealToken } from '../../domain/signedLinks.ts';

export { LINK_LIFETIME_SECONDS };

export interface MediaLinks {
  /** The absolute address of a blob. */
  urlFor(blobKey: string): string;
  /** The blob that a token opens; null when it is forged, damaged or over its time. */
  open(token: string): { blobKey: string; secondsLeft: number } | null;
}

/** @param now Unix time in milliseconds */
export function createMediaLinks(secretKey: Buffer, publicUrl: string, now: () => number = Date.now): MediaLinks {
  const key = deriveKey(secretKey, 'media-links');
  const seconds = (): number => Math.floor(now() / 1000);
  return {
    urlFor: (blobKey) => `${publicUrl}/media/${sealToken(key, blobKey, seconds() + LINK_LIFETIME_SECONDS)}`,
    open(token) {
      const link = openToken(key, token, seconds());
      return link && { blobKey: link.subject, secondsLeft: link.secondsLeft };
    },
  };
}
