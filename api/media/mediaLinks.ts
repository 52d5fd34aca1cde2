/** Signed links to stored frames and to items' own media: they need no key and expire after an hour. */
import type { MediumPosition } from '../../db/items/mediumSource.ts';
import { LINK_LIFETIME_SECONDS } from '../../domain/items/mediaLinkLifetime.ts';
import { deriveKey } from '../../domain/accounts/secretKeys.ts';
import { openToken, sealToken } from '../../domain/accounts/signedLinks.ts';

export interface MediaLinks {
  /** Returns the absolute URL of a blob. */
  urlFor(blobKey: string): string;
  /** Returns the blob of a token; null when it is forged, damaged or expired. */
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

export interface OriginalLinks {
  /** Returns the absolute URL under which this service streams a medium of an item. */
  urlFor(medium: MediumPosition): string;
  open(token: string): { medium: MediumPosition; secondsLeft: number } | null;
}

/** @param now Unix time in milliseconds */
export function createOriginalLinks(secretKey: Buffer, publicUrl: string, now: () => number = Date.now): OriginalLinks {
  const key = deriveKey(secretKey, 'original-links');
  const seconds = (): number => Math.floor(now() / 1000);
  return {
    urlFor({ projectId, itemId, position }) {
      const subject = `${projectId}/${position}/${itemId}`;
      return `${publicUrl}/media/original/${sealToken(key, subject, seconds() + LINK_LIFETIME_SECONDS)}`;
    },
    open(token) {
      const link = openToken(key, token, seconds());
      if (link === null) return null;
      const [, projectId = '', position = '', itemId = ''] = /^([^/]*)\/(\d+)\/(.*)$/s.exec(link.subject) ?? [];
      return { medium: { projectId, itemId, position: Number(position) }, secondsLeft: link.secondsLeft };
    },
  };
}
