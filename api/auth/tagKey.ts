/** Authentication of the tag: the public key `as_…` in the body of a batch. */
import type pg from 'pg';
import { touchTagKey } from '../../db/sites/siteKeys.ts';
import { findTagKeySite } from '../../db/sites/siteSettings.ts';
import { hasKeyFormat, keyHash } from '../../domain/accounts/keyFormats.ts';
import type { SiteSettings } from '../../domain/sites/siteSettings.ts';
import { forbidden, unauthorized } from '../http/errors.ts';
import { cacheByHash, touchEveryMinute } from './keyCache.ts';
import type { KeyLookups } from './keyLookups.ts';

export interface TagKeyAuthentication {
  /**
   * Returns the site of a key. The key is the value in the body and may have any type.
   * @param ip the client's address
   * @throws {HttpError} 401: no key, unknown, revoked or of another kind; 403: the site or its owner is blocked; 429:
   * the address guesses keys
   */
  siteOf(key: unknown, ip: string): Promise<SiteSettings>;
  /** Clears the cache of keys and sites after a change. */
  invalidate(): void;
}

export function createTagKeyAuthentication(pool: pg.Pool, lookups: KeyLookups): TagKeyAuthentication {
  const { ownerOf, invalidate } = cacheByHash((hash) => findTagKeySite(pool, hash), lookups);
  const touch = touchEveryMinute();
  const siteOf = async (key: unknown, ip: string): Promise<SiteSettings> => {
    if (typeof key !== 'string' || !hasKeyFormat('tag', key)) throw unauthorized();
    const hash = keyHash(key);
    const site = await ownerOf(hash, ip);
    if (site === null) throw unauthorized();
    if (site.access !== 'open') throw forbidden();
    touch(key, () => touchTagKey(pool, hash));
    return site;
  };
  return { siteOf, invalidate };
}
