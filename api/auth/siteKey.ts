/** Authentication of the analytics API: `Authorization: Bearer ak_…`. */
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { touchSiteKey } from '../../db/sites/keys.ts';
import { findApiKeySite } from '../../db/sites/settings.ts';
import { keyHash } from '../../domain/keys.ts';
import type { SiteLimits, SiteSettings } from '../../domain/sites.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { bearerKey } from './bearer.ts';
import { cacheByHash, touchEveryMinute } from './keyCache.ts';

export interface SiteCaller {
  siteId: string;
  keyId: string;
  limits: SiteLimits;
  settings: SiteSettings;
}

export interface SiteAuthentication {
  /** @throws {HttpError} 401: no key, an unknown, revoked or other kind of key, a key in the address; 403: the site or its owner is blocked */
  authenticate(request: IncomingMessage): Promise<SiteCaller>;
  /** Forgets what it remembers of keys and sites: something of them has changed. */
  forget(): void;
}

export function createSiteAuthentication(pool: pg.Pool): SiteAuthentication {
  const { ownerOf, forget } = cacheByHash((hash) => findApiKeySite(pool, hash));
  const touch = touchEveryMinute();
  const authenticate = async (request: IncomingMessage): Promise<SiteCaller> => {
    const owner = await ownerOf(keyHash(bearerKey(request, 'site')));
    if (!owner) throw unauthorized();
    const { keyId, settings } = owner;
    if (settings.access !== 'open') throw forbidden();
    touch(keyId, () => touchSiteKey(pool, settings.siteId, keyId));
    return { siteId: settings.siteId, keyId, limits: settings.limits, settings };
  };
  return { authenticate, forget };
}
