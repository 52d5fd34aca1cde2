/** Authentication of the analytics API: `Authorization: Bearer ak_…`. A key in the URL is refused in bearer.ts. */
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { touchSiteKey } from '../../db/sites/siteKeys.ts';
import { findApiKeySite } from '../../db/sites/siteSettings.ts';
import { keyHash } from '../../domain/accounts/keyFormats.ts';
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import type { IncomingRequest } from '../http/operations/apiDefinition.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { bearerKey } from './bearer.ts';
import { cacheByHash, touchEveryMinute } from './keyCache.ts';
import type { KeyLookups } from './keyLookups.ts';
import type { SiteLimits } from '../../domain/sites/siteLimits.ts';

export interface SiteCaller {
  siteId: string;
  keyId: string;
  limits: SiteLimits;
  settings: SiteSettings;
}

export interface SiteAuthentication {
  /**
   * @throws {HttpError} 401: no key, a key that is unknown, revoked or of another kind, or a key in the URL; 403: the
   * site or its owner is blocked; 429: the address guesses keys
   */
  authenticate(request: IncomingMessage, arrival: Pick<IncomingRequest, 'peer'>): Promise<SiteCaller>;
  /** Clears the cache of keys and sites after a change. */
  invalidate(): void;
}

export function createSiteAuthentication(pool: pg.Pool, lookups: KeyLookups): SiteAuthentication {
  const { ownerOf, invalidate } = cacheByHash((hash) => findApiKeySite(pool, hash), lookups);
  const touch = touchEveryMinute();
  const authenticate: SiteAuthentication['authenticate'] = async (request, { peer }) => {
    const owner = await ownerOf(keyHash(bearerKey(request, 'site')), peer.ip);
    if (!owner) throw unauthorized();
    const { keyId, settings } = owner;
    if (settings.access !== 'open') throw forbidden();
    touch(keyId, () => touchSiteKey(pool, settings.siteId, keyId));
    return { siteId: settings.siteId, keyId, limits: settings.limits, settings };
  };
  return { authenticate, invalidate };
}
