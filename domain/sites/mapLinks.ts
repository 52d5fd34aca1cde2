/**
 * The signed link with which a script in a page of a site can draw the maps of that page, in the site's own tab. It
 * needs no session. The tag draws none.
 */
import { deriveKey } from '../accounts/secretKeys.ts';
import { openToken, sealToken } from '../accounts/signedLinks.ts';

export const MAP_LINK_SECONDS = 3_600;

/** The parameters of a map. */
export interface MapLink {
  siteId: string;
  /** YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
  /** A device_type of visits; null means any. */
  device: string | null;
  /** Id of a saved segment. */
  segment: string | null;
}

export interface MapLinks {
  tokenFor(link: MapLink, expiresAt: Date): string;
  /** Returns the map of a token; null when it is forged, damaged or expired. */
  open(token: string): MapLink | null;
}

/** Creates the links. @param now Unix time in milliseconds */
export function createMapLinks(secretKey: Buffer, now: () => number = Date.now): MapLinks {
  const key = deriveKey(secretKey, 'map-links');
  return {
    tokenFor: ({ siteId, from, to, device, segment }, expiresAt) =>
      sealToken(key, [siteId, from, to, device ?? '', segment ?? ''].join('/'), Math.floor(expiresAt.getTime() / 1000)),
    open(token) {
      const link = openToken(key, token, Math.floor(now() / 1000));
      if (!link) return null;
      const [siteId = '', from = '', to = '', device = '', segment = ''] = link.subject.split('/');
      return { siteId, from, to, device: device === '' ? null : device, segment: segment === '' ? null : segment };
    },
  };
}

/** Returns the address in which a script of the page finds the token. It is in the fragment, which is sent to no server. */
export function mapAddress(page: string, token: string): string {
  const url = new URL(page);
  url.hash = `svc-map=${token}`;
  return url.href;
}
